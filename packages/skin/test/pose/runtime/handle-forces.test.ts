import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { HandleForces } from '../../../src/pose/runtime/handle-forces.ts';

const SOFT = 1e-6;

function forcesOf(s: readonly number[], gaps: readonly number[], limit: number): HandleForces {
  const k = gaps.length / 3;
  const solver = new HandleForces(k);
  solver.solve(
    k,
    Float64Array.from(s),
    new Float64Array(k).fill(SOFT),
    new Float64Array(k).fill(limit),
    Float64Array.from(gaps),
  );
  return solver;
}

describe('handle forces', () => {
  it('are none where nothing is to be moved', () => {
    expect(Array.from(forcesOf([2], [0, 0, 0], 1).forces)).toEqual([0, 0, 0]);
  });

  it('close the gap of one handle, or pull towards it with the limit', () => {
    const { forces } = forcesOf([2], [1, 0, 0], 1);
    expect(forces[0]).toBeCloseTo(0.5, 5);
    const limited = forcesOf([2], [30, 40, 0], 1).forces;
    expect(limited[0]).toBeCloseTo(0.6, 9);
    expect(limited[1]).toBeCloseTo(0.8, 9);
  });

  it('of two handles on one point that contradict each other balance', () => {
    const { forces } = forcesOf([2, 2, 2, 2], [1, 0, 0, -1, 0, 0], 1);
    expect(forces[0] + forces[3]).toBeCloseTo(0, 6);
    expect(Math.abs(forces[0])).toBeLessThanOrEqual(1 + 1e-9);
  });

  it('meet the conditions of the optimum: free handles are met, limited ones lag along their force', () => {
    const random = new Random(3);
    for (let trial = 0; trial < 40; trial++) {
      const k = 1 + random.integer(6);
      const root = Float64Array.from({ length: k * k }, () => random.uniform(-1, 1));
      const s = Array.from({ length: k * k }, (_, at) => {
        const [r, c] = [Math.floor(at / k), at % k];
        let sum = r === c ? 0.05 : 0;
        // All handles move together more easily than against each other, as on a body.
        for (let j = 0; j < k; j++) sum += root[r * k + j] * root[c * k + j];
        return sum + 10;
      });
      const gaps = Array.from({ length: 3 * k }, () => random.uniform(-2, 2));
      const { forces, effective } = forcesOf(s, gaps, 0.7);
      for (let c = 0; c < k; c++) {
        const force = forces.slice(3 * c, 3 * c + 3);
        const size = Math.hypot(...force);
        expect(size).toBeLessThan(0.7 * (1 + 1e-2));
        for (let r = 0; r < 3; r++) {
          let left = gaps[3 * c + r];
          for (let d = 0; d < k; d++) left -= s[c * k + d] * forces[3 * d + r];
          expect(left).toBeCloseTo(effective[c] * force[r], 6);
        }
        if (size < 0.7 * (1 - 1e-2)) expect(effective[c] * size).toBeLessThan(0.02);
      }
    }
  });
});
