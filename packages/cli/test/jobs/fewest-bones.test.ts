import { NumericError, UsageError } from '@pelt/model';
import type { Decomposition } from '@pelt/skin';
import { describe, expect, it } from 'vitest';
import { fewestBones } from '../../src/jobs/fewest-bones.ts';

/** A stand-in for a decomposition whose error depends on the number of bones alone. */
function solver(errorOf: (bones: number) => number, vertices = 1000) {
  const tried: number[] = [];
  const solve = (asked: number) => {
    const bones = Math.min(asked, vertices);
    tried.push(asked);
    return { rig: { bones: new Array(bones) }, error: { eRms: errorOf(bones) } } as unknown as Decomposition;
  };
  return { tried, solve };
}

describe('fewestBones', () => {
  it.each([3, 8, 11, 16, 23, 40, 97, 200])('finds %d bones where the error is a power of their number', (bones) => {
    const { tried, solve } = solver((m) => 100 * m ** -1.2);
    const found = fewestBones(100 * (bones - 0.5) ** -1.2, undefined, undefined, solve);
    expect(found.rig.bones.length).toBe(bones);
    expect(tried.length).toBeLessThanOrEqual(11);
  });

  it('reaches the error also where the error is no power at all', () => {
    for (const errorOf of [(m: number) => (m < 30 ? 10 : 1), (m: number) => 10 - m / 40, () => 1]) {
      const { solve } = solver(errorOf);
      const found = fewestBones(5, undefined, undefined, solve);
      expect(found.error.eRms).toBeLessThanOrEqual(5);
    }
    const { solve } = solver((m) => (m < 2 ? 10 : 0));
    expect(fewestBones(5, undefined, undefined, solve).rig.bones.length).toBe(2);
  });

  it('says what it got where the error is out of reach, within the bones allowed or the vertices there are', () => {
    expect(() => fewestBones(1, 20, undefined, solver((m) => 100 / m).solve)).toThrow(NumericError);
    expect(() => fewestBones(1, 20, undefined, solver((m) => 100 / m).solve)).toThrow('E_RMS is 5.00 with 20 bones');
    const few = solver((m) => 100 / m, 10);
    expect(() => fewestBones(1, undefined, undefined, few.solve)).toThrow('with 10 bones');
    expect(few.tried).toEqual([8, 16]);
    expect(() => fewestBones(0, undefined, undefined, few.solve)).toThrow(UsageError);
  });

  it('never lets progress fall', () => {
    const shares: number[] = [];
    const { solve } = solver((m) => 100 / m);
    const context = { onProgress: ({ fraction }: { fraction: number }) => shares.push(fraction) };
    fewestBones(3, undefined, context, (bones, stage) => {
      for (const fraction of [0, 0.5, 1]) stage.onProgress?.({ stage: 'x', fraction });
      return solve(bones);
    });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });
});
