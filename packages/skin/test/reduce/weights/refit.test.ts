import { openNumerics } from '@pelt/math';
import { CancelledError, type Clip, type Rig } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { REFIT_DEFAULTS, type RefitOptions } from '../../../src/reduce/options.ts';
import { type ReductionInput, ReductionProblem } from '../../../src/reduce/reduction-problem.ts';
import { kLargestWeights } from '../../../src/reduce/weights/k-largest.ts';
import { solveRefit } from '../../../src/reduce/weights/refit.ts';
import { denseCreature } from '../dense-rig.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

describe('solveRefit', () => {
  function refit(input: ReductionInput, K: number, options: Partial<RefitOptions> = {}, context = {}) {
    const problem = new ReductionProblem(input, { numerics });
    const system = problem.system(K);
    try {
      const rounds = solveRefit(problem, system, { ...REFIT_DEFAULTS, ...options }, context);
      const { rig, clips, error } = problem.finished(problem.solved(system));
      return { rig, clips, rounds, eRms: error.eRms };
    } finally {
      system.dispose();
    }
  }

  const dense = denseCreature();
  const input = { rig: dense.rig, clips: [dense.clip] };

  it('leaves a rig as it is that has no more weights than allowed', () => {
    const rig = { ...dense.rig, weights: kLargestWeights(dense.rig.weights, 2) };
    const same = refit({ rig, clips: [dense.clip] }, 2, { bones: 'keep' });
    expect(same.rounds).toBe(0);
    expect(same.eRms).toBeLessThan(2e-3);
    same.clips[0].transforms.forEach((value, k) => {
      expect(value).toBeCloseTo(dense.clip.transforms[k], 9);
    });
  });

  // A vertex between bones at x = 0 and x = 2 that a third one, which it did not use, carries to the very same place.
  const bone = (name: string) => ({ name, parent: -1, rest: Float64Array.from(IDENTITY) });
  const tiny: Rig = {
    name: 'between',
    mesh: {
      name: 'between',
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      triangles: Uint32Array.of(0, 1, 2),
    },
    bones: ['left', 'right', 'middle'].map(bone),
    weights: {
      slots: 2,
      bones: Uint16Array.of(0, 1, 0, 0, 1, 0),
      weights: Float32Array.of(0.5, 0.5, 1, 0, 1, 0),
    },
  };
  const push: Clip = {
    name: 'push',
    times: Float64Array.of(0, 1),
    transforms: Float64Array.from([
      ...[...IDENTITY, ...IDENTITY, ...IDENTITY],
      ...[0, 2, 1].flatMap((x) => IDENTITY.map((value, k) => (k === 3 ? x : value))),
    ]),
  };

  it('finds the one bone that does the work of two, though the vertex had not used it', () => {
    const { rig, eRms } = refit({ rig: tiny, clips: [push] }, 1, { bones: 'keep' });
    expect([...rig.weights.bones]).toEqual([2, 0, 1]);
    expect([...rig.weights.weights]).toEqual([1, 1, 1]);
    expect(eRms).toBeLessThan(1e-6);
  });

  it('keeps bones and rest pose to the bit where it is told to', () => {
    const problem = new ReductionProblem(input, { numerics });
    const system = problem.system(2);
    solveRefit(problem, system, { ...REFIT_DEFAULTS, bones: 'keep' });
    expect(system.transforms.view).toEqual(problem.transforms);
    expect(system.rest.view).toEqual(problem.prepared.trajectories.rest);
    system.dispose();
  });

  it.each([1, 2, 3])('leaves %i convex weights per vertex, better the more may move', (K) => {
    const largest = { ...dense.rig, weights: kLargestWeights(dense.rig.weights, K) };
    const plain = new ReductionProblem(input, { numerics }).finished({ rig: largest, clips: [dense.clip] }).error.eRms;
    const kept = refit(input, K, { bones: 'keep' });
    const moved = refit(input, K, { rounds: 12 });
    expect(kept.eRms).toBeLessThan(plain);
    expect(moved.eRms).toBeLessThan(kept.eRms);
    for (const { weights } of [kept.rig, moved.rig]) {
      expect(weights.slots).toBe(K);
      expect(Math.min(...weights.weights)).toBeGreaterThanOrEqual(0);
      for (let at = 0; at < weights.weights.length; at += K) {
        expect(weights.weights.subarray(at, at + K).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 6);
      }
    }
  });

  it('has no more error after more rounds', () => {
    const errors = [1, 4, 12, 30].map((rounds) => refit(input, 2, { rounds }).eRms);
    for (let k = 1; k < errors.length; k++) expect(errors[k]).toBeLessThanOrEqual(errors[k - 1] * (1 + 1e-6));
  });

  it('recovers the weights that made the examples, as many per vertex, from weights that were blurred', () => {
    const { sequence, rig } = creatureScene({ frames: 12, detail: 0.07 });
    const known = { ...input, examples: [sequence] };
    const before = new ReductionProblem(known, { numerics }).finished(input).error.eRms;
    expect(before).toBeGreaterThan(1);
    expect(refit(known, rig.weights.slots, { bones: 'keep' }).eRms).toBeLessThan(0.05);
  });

  it('does not move bones that stretch', () => {
    const transforms = push.transforms.map((value, k) => (k === 36 ? 1.5 : value));
    const { rounds, clips } = refit({ rig: tiny, clips: [{ ...push, transforms }] }, 1);
    expect(rounds).toBe(0);
    transforms.forEach((value, k) => {
      expect(clips[0].transforms[k]).toBeCloseTo(value, 12);
    });
  });

  it('takes a single bone and a single vertex, and keeps no memory where it is cancelled', () => {
    const alone: Rig = {
      ...tiny,
      mesh: { name: 'point', positions: Float32Array.of(1, 1, 1), triangles: new Uint32Array(0) },
      bones: tiny.bones.slice(0, 1),
      weights: { slots: 1, bones: Uint16Array.of(0), weights: Float32Array.of(1) },
    };
    const still = { ...push, transforms: Float64Array.from([...IDENTITY, ...IDENTITY]) };
    expect(refit({ rig: alone, clips: [still] }, 4).eRms).toBeLessThan(1e-6);
    const before = numerics.allocatedBytes;
    let asked = 0;
    const signal = {
      get aborted() {
        return ++asked > 3;
      },
    };
    expect(() => refit(input, 2, {}, { signal })).toThrow(CancelledError);
    expect(numerics.allocatedBytes).toBe(before);
  });
});
