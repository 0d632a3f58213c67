import { openNumerics } from '@pelt/math';
import { CancelledError, interruptible, type MeshSequence } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { WeightSteps } from '../../src/shared/search/weight-steps.ts';
import { SKELETON_PLAN } from '../../src/skeleton/plan.ts';
import { type PruneOptions, prunedBones } from '../../src/skeleton/prune-bones.ts';
import { movingBoxes } from '../decompose/moving-boxes.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const OPTIONS = { clusters: 12, bones: Number.POSITIVE_INFINITY, worth: 0.05, restStiffness: 1, search: SKELETON_PLAN };
/** Root mean square error that counts as none, in radii. */
const NEGLIGIBLE = 4e-4;

interface Pruned {
  readonly m: number;
  readonly K: number;
  readonly eRms: number;
  /** n × K */
  readonly bones: Int32Array;
  readonly weights: Float64Array;
}

describe('prunedBones', () => {
  function prune(
    sequence: MeshSequence,
    options: Partial<PruneOptions> = {},
    signal?: { readonly aborted: boolean },
  ): Pruned {
    return interruptible({ numerics, signal }, () => {
      const problem = FitProblem.of(sequence, { numerics });
      const steps = new WeightSteps(numerics, problem.graph, SKELETON_PLAN.slots);
      const negligible = problem.n * problem.S * NEGLIGIBLE ** 2;
      const system = prunedBones(problem, steps, { ...OPTIONS, negligible, ...options }, { signal });
      const { m, K, boneIndices, weights } = system;
      const eRms = problem.eRms(system.totalError());
      const found = { m, K, eRms, bones: boneIndices.view.slice(), weights: weights.view.slice() };
      system.dispose();
      steps.dispose();
      return found;
    });
  }

  /** Three boxes of 26 vertices each that move apart, each as a whole. */
  const boxes = movingBoxes(
    8,
    [0, 1, 2].map((b) => (t) => ({ turn: 0.1 * b * t, move: [0, 0.05 * b * t, 0.1 * t] })),
  );
  const perBox = boxes.rest.positions.length / 9;

  it('leaves one bone of a mesh that stands', () => {
    const frames = Float32Array.from(
      { length: boxes.frames.length },
      (_, k) => boxes.rest.positions[k % boxes.rest.positions.length],
    );
    const { m, eRms } = prune({ ...boxes, frames });
    expect(m).toBe(1);
    expect(eRms).toBeLessThan(1e-6);
  });

  it('leaves one bone for each of three boxes, and each box to its own', () => {
    const { m, K, eRms, bones, weights } = prune(boxes);
    expect(m).toBe(3);
    expect(eRms).toBeLessThan(1e-2);
    const owners = [0, 1, 2].map((b) => {
      const slot = weights.subarray(b * perBox * K, (b * perBox + 1) * K).findIndex((w) => w > 0.5);
      return bones[b * perBox * K + slot];
    });
    expect(new Set(owners).size).toBe(3);
    for (let i = 0; i < 3 * perBox; i++) {
      const own = owners[Math.floor(i / perBox)];
      let share = 0;
      for (let s = i * K; s < (i + 1) * K; s++) if (bones[s] === own) share += weights[s];
      expect(share).toBeCloseTo(1, 3);
    }
  });

  describe('on a chain', () => {
    const { sequence } = chainScene({ joints: ['ball', 'hinge', 'ball'], frames: 24, ringsPerLink: 8, sides: 10 });

    it('leaves convex weights, at most eight per vertex', () => {
      const { m, K, weights } = prune(sequence);
      expect(K).toBe(Math.min(SKELETON_PLAN.slots, m));
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
      for (let at = 0; at < weights.length; at += K) {
        expect(weights.subarray(at, at + K).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 9);
      }
    });

    it('leaves no more bones than allowed, and fewer the more a bone must be worth', () => {
      for (const bones of [1, 2, 3]) expect(prune(sequence, { bones }).m).toBeLessThanOrEqual(bones);
      const counts = [0.01, 0.3, 3].map((worth) => prune(sequence, { worth }).m);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
      expect(counts[2]).toBeLessThan(counts[0]);
    });

    it('finds as many bones as the chain has links, whatever the number of clusters', () => {
      for (const clusters of [12, 24, 40]) {
        const { m, eRms } = prune(sequence, { clusters });
        expect(m).toBe(4);
        expect(eRms).toBeLessThan(0.5);
      }
    });

    it('keeps no memory, wherever it is cancelled', () => {
      prune(sequence);
      const before = numerics.allocatedBytes;
      for (const most of [3, 40, 150, 400, 900]) {
        let asked = 0;
        const signal = {
          get aborted() {
            return ++asked > most;
          },
        };
        expect(() => prune(sequence, {}, signal)).toThrow(CancelledError);
        expect(numerics.allocatedBytes).toBe(before);
      }
    });
  });

  it('takes more clusters than vertices, and a single vertex', () => {
    const { m } = prune(boxes, { clusters: 500 });
    expect(m).toBeGreaterThanOrEqual(3);
    const point: MeshSequence = {
      name: 'point',
      rest: { name: 'point', positions: Float32Array.of(1, 2, 3), triangles: new Uint32Array(0) },
      frames: Float32Array.of(1, 2, 3, 4, 5, 6),
      times: Float64Array.of(0, 1),
    };
    expect(prune(point)).toMatchObject({ m: 1, K: 1 });
  });
});
