import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { sparseMaps } from '../../src/sliders/training/sparse-maps.ts';

/** AᵀA and Aᵀb of random columns. */
function problem(D: number, truth: readonly number[], seed: number): { gram: Float64Array; sides: Float64Array } {
  const random = new Random(seed);
  const A = Array.from({ length: 4 * D }, () => Array.from({ length: D }, () => random.normal()));
  const b = A.map((row) => row.reduce((sum, a, k) => sum + a * truth[k], 0));
  const gram = new Float64Array(D * D);
  const sides = new Float64Array(D);
  A.forEach((row, i) => {
    row.forEach((a, j) => {
      sides[j] += a * b[i];
      row.forEach((c, k) => {
        gram[j * D + k] += a * c;
      });
    });
  });
  return { gram, sides };
}

describe('sparseMaps', () => {
  const truth = [0, 3, 0, 0, -2, 0, 0, 0.5];

  it('solves all numbers where all are kept', () => {
    const maps = sparseMaps(problem(8, truth, 1), 1, 8);
    maps.forEach((value, k) => {
      expect(value).toBeCloseTo(truth[k], 6);
    });
  });

  it('finds the numbers that are not zero, from all of them and from a wrong support', () => {
    for (let seed = 1; seed < 20; seed++) {
      const found = sparseMaps(problem(8, truth, seed), 1, 3);
      expect([...found.keys()].filter((k) => found[k] !== 0)).toEqual([1, 4, 7]);
      const wrong = Float64Array.from([1, 1, 1, 0, 0, 0, 0, 0]);
      // Gradients mean something at a solution only, which the first round gives.
      const first = sparseMaps(problem(8, truth, seed), 1, 3, wrong);
      const mended = sparseMaps(problem(8, truth, seed), 1, 3, first);
      mended.forEach((value, k) => {
        expect(value).toBeCloseTo(truth[k], 6);
      });
    }
  });

  it('leaves the largest of all rows where rows compete', () => {
    const [a, b] = [problem(4, [5, 0, 0, 0], 3), problem(4, [0, 0.01, 0, 0], 3)];
    const maps = sparseMaps({ gram: a.gram, sides: Float64Array.from([...a.sides, ...b.sides]) }, 2, 1);
    expect(maps[0]).toBeCloseTo(5, 6);
    expect([...maps.subarray(1)].every((value) => value === 0)).toBe(true);
  });

  it('takes columns that nothing fills', () => {
    const { gram, sides } = problem(3, [1, 2, 3], 2);
    for (let k = 0; k < 3; k++) gram[3 + k] = gram[3 * k + 1] = 0;
    sides[1] = 0;
    const maps = sparseMaps({ gram, sides }, 1, 3);
    expect(maps[1]).toBe(0);
    expect(maps.every(Number.isFinite)).toBe(true);
  });
});
