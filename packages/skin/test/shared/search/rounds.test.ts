import { SkinningSystem } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';
import { CancelledError, type Progress } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { eRmsOf, takeRounds } from '../../../src/shared/search/rounds.ts';

describe('takeRounds', () => {
  /** Errors 9, 8, 7 … of a system of one bone, one frame and three vertices. */
  async function counted(last: number) {
    const numerics = await openNumerics();
    const trajectories = {
      rest: new Float64Array(9),
      basis: Float64Array.of(1, 0, 0),
      coefficients: new Float64Array(3),
      squaredNorms: new Float64Array(3),
    };
    const system = new SkinningSystem(numerics, trajectories, 1, 1);
    const rounds = {
      round: 0,
      finished: 0,
      get bestError() {
        return 9 - this.round;
      },
      step() {
        this.round++;
        return this.round < last;
      },
      finish() {
        this.finished++;
      },
    };
    return { system, rounds };
  }

  it('steps to the last round, tells of each, and finishes once', async () => {
    const { system, rounds } = await counted(4);
    const told: Progress[] = [];
    expect(takeRounds(rounds, system, 8, 'counting', { onProgress: (progress) => told.push(progress) })).toBe(4);
    expect(rounds.finished).toBe(1);
    expect(told.map(({ fraction }) => fraction)).toEqual([0.125, 0.25, 0.375, 0.5]);
    expect(told[0]).toEqual({
      stage: 'counting',
      fraction: 0.125,
      detail: `1 bones, round 1, E_RMS ${eRmsOf(system, 8).toFixed(3)}`,
      eRms: eRmsOf(system, 8),
    });
    expect(eRmsOf(system, 8)).toBeCloseTo(1000 * Math.sqrt(8 / 9), 9);
  });

  it('takes none where none are allowed', async () => {
    const { system, rounds } = await counted(4);
    expect(takeRounds(rounds, system, 0, 'counting', undefined)).toBe(0);
    expect(rounds.finished).toBe(1);
  });

  it('stops before the next round where it is cancelled', async () => {
    const { system, rounds } = await counted(100);
    const signal = {
      get aborted() {
        return rounds.round === 3;
      },
    };
    expect(() => takeRounds(rounds, system, 100, 'counting', { signal })).toThrow(CancelledError);
    expect([rounds.round, rounds.finished]).toEqual([3, 0]);
  });
});
