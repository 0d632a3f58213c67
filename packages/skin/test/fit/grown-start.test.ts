import { type Numerics, openNumerics } from '@pelt/math';
import { CancelledError, type Progress, validateRig } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FitProblem } from '../../src/fit/fit-problem.ts';
import { betterOfTwoStarts, worthGrowing } from '../../src/fit/grown-start.ts';
import { DECOMPOSE_DEFAULTS, decompose } from '../../src/index.ts';

describe('a grown start', () => {
  let numerics: Numerics;
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 2 });
  });
  afterAll(() => numerics.close());

  const { sequence } = creatureScene({ frames: 8, detail: 0.08, weights: 8 });
  const options = { ...DECOMPOSE_DEFAULTS, bones: 7, weights: 7, rounds: 20 };

  it('is for fits where every vertex may use every bone', () => {
    expect(worthGrowing(11, 11)).toBe(true);
    expect(worthGrowing(11, 12)).toBe(true);
    expect(worthGrowing(12, 11)).toBe(false);
    expect(worthGrowing(4, 4)).toBe(false);
  });

  it('takes the place of a worse fit, and not of a better one', () => {
    const problem = new FitProblem(sequence, numerics, undefined);
    // A first fit whose error is as given: all bones at rest, weights and error made up.
    const firstWithError = (error: number) => () => {
      const system = problem.system(7, 7);
      system.error.view[0] = error;
      return { system, iterations: 1 };
    };
    const [kept, replaced] = [0, 1e9].map((error) =>
      betterOfTwoStarts(problem, firstWithError(error), 7, options, undefined),
    );
    expect(kept.system.totalError()).toBe(0);
    expect(replaced.system.m).toBe(7);
    expect(problem.eRms(replaced.system.totalError())).toBeLessThan(8);
    kept.system.dispose();
    replaced.system.dispose();
  });

  it('gives a valid rig with dense weights, tells how far it is, and keeps no memory', () => {
    const before = numerics.allocatedBytes;
    const seen: Progress[] = [];
    const { rig, error } = decompose(sequence, options, numerics, { onProgress: (progress) => seen.push(progress) });
    validateRig(rig);
    expect(rig.bones.length).toBe(7);
    expect(error.eRms).toBeLessThan(8);
    for (let k = 1; k < seen.length; k++) expect(seen[k].fraction).toBeGreaterThanOrEqual(seen[k - 1].fraction);
    expect(numerics.allocatedBytes).toBe(before);
  });

  it('stops when it is told to, wherever it is', () => {
    const before = numerics.allocatedBytes;
    for (const most of [4, 40, 90]) {
      let asked = 0;
      const signal = {
        get aborted() {
          return ++asked > most;
        },
      };
      expect(() => decompose(sequence, options, numerics, { signal })).toThrow(CancelledError);
      expect(numerics.allocatedBytes).toBe(before);
    }
  });
});
