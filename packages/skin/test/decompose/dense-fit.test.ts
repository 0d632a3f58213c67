import { openNumerics } from '@pelt/math';
import { CancelledError, type Progress, validateRig } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { fitDensely, wantsSeveralStarts } from '../../src/decompose/dense-fit.ts';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { DECOMPOSE_DEFAULTS } from '../../src/decompose/options.ts';
import { FIT_PLAN } from '../../src/decompose/plan.ts';
import { decompose } from '../../src/index.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

describe('a dense fit', () => {
  const { sequence } = creatureScene({ frames: 8, detail: 0.08, weights: 8 });
  const options = { ...DECOMPOSE_DEFAULTS, bones: 7, weights: 7, rounds: 60 };

  it('is for fits where every vertex may use every bone, and that settle', () => {
    const wants = (bones: number, changed: object) => wantsSeveralStarts(bones, { ...options, ...changed }, FIT_PLAN);
    expect(wants(11, { weights: 11 })).toBe(true);
    expect(wants(11, { weights: 12 })).toBe(true);
    expect(wants(12, { weights: 11 })).toBe(false);
    expect(wants(4, { weights: 4 })).toBe(false);
    expect(wants(11, { weights: 11, rounds: 25 })).toBe(false);
    expect(wants(11, { weights: 11, smooth: 1 })).toBe(false);
  });

  it('is no worse than from clusters alone', () => {
    const clusters = decompose(sequence, { ...options, rounds: 59 }, { numerics }).error.eRms;
    expect(decompose(sequence, options, { numerics }).error.eRms).toBeLessThan(1.01 * clusters);
  });

  it('finds bones on a sample of the vertices, and fits all of them', () => {
    const fine = creatureScene({ frames: 8, detail: 0.025, weights: 8 }).sequence;
    const problem = FitProblem.of(fine, { numerics });
    const coarse = problem.sample(2000, problem.S).problem;
    expect(problem.n).toBeGreaterThan(coarse.n);
    expect(coarse.n).toBe(2000);
    expect(coarse.sample(2000, coarse.S).problem).toBe(coarse);
    const { system } = fitDensely(problem, 7, options, undefined);
    expect(system.n).toBe(problem.n);
    expect(problem.eRms(system.totalError())).toBeLessThan(8);
    system.dispose();
  });

  it('finds the bones of a rig that moved the mesh', () => {
    const { rig, sequence: moved } = creatureScene({ frames: 12, detail: 0.06, weights: 16 });
    const bones = rig.bones.length;
    const { error } = decompose(moved, { bones, weights: bones }, { numerics });
    expect(error.eRms).toBeLessThan(0.05);
  });

  it('gives a valid rig with dense weights, tells how far it is, and keeps no memory', () => {
    const before = numerics.allocatedBytes;
    const seen: Progress[] = [];
    const { rig, error } = decompose(sequence, options, { numerics, onProgress: (progress) => seen.push(progress) });
    validateRig(rig);
    expect(rig.bones.length).toBe(7);
    expect(error.eRms).toBeLessThan(8);
    for (let k = 1; k < seen.length; k++) expect(seen[k].fraction).toBeGreaterThanOrEqual(seen[k - 1].fraction);
    expect(numerics.allocatedBytes).toBe(before);
  });

  it('stops when it is told to, wherever it is', () => {
    const before = numerics.allocatedBytes;
    for (const most of [4, 40, 90, 200]) {
      let asked = 0;
      const signal = {
        get aborted() {
          return ++asked > most;
        },
      };
      expect(() => decompose(sequence, options, { numerics, signal })).toThrow(CancelledError);
      expect(numerics.allocatedBytes).toBe(before);
    }
  });
});
