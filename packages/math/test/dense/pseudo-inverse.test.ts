import { pseudoInverse as mlPseudoInverse } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { pseudoInverse, Random } from '../../src/index.ts';
import { identity, largestDifference, largestEntry, multiply, randomMatrix, transpose } from '../matrices.ts';

function ofRank(random: Random, rows: number, columns: number, rank: number): Float64Array {
  return multiply(randomMatrix(random, rows, rank), randomMatrix(random, rank, columns), rows, rank, columns);
}

const CASES = [
  [3, 3, 3],
  [7, 3, 3],
  [3, 7, 3],
  [7, 7, 4],
  [10, 6, 2],
  [6, 10, 2],
  [5, 5, 0],
  [90, 60, 45],
  [60, 90, 45],
];

describe('pseudoInverse', () => {
  it('inverts the identity and a diagonal', () => {
    expect(largestDifference(pseudoInverse(identity(4), 4, 4).inverse, identity(4))).toBeLessThan(1e-15);
    const { inverse, rank } = pseudoInverse([2, 0, 0, 0, 0, 4], 2, 3);
    expect(rank).toBe(2);
    expect(largestDifference(inverse, [0.5, 0, 0, 0, 0, 0.25])).toBeLessThan(1e-15);
  });

  it.each(CASES)('satisfies the four conditions of Penrose: %i × %i of rank %i', (rows, columns, expected) => {
    const random = new Random(rows * 100 + columns);
    const a = ofRank(random, rows, columns, expected);
    const { inverse, rank } = pseudoInverse(a, rows, columns);
    expect(rank).toBe(expected);
    const left = multiply(a, inverse, rows, columns, rows);
    const right = multiply(inverse, a, columns, rows, columns);
    const size = largestEntry(a);
    expect(largestDifference(multiply(left, a, rows, rows, columns), a)).toBeLessThanOrEqual(1e-12 * size);
    const again = multiply(right, inverse, columns, columns, rows);
    expect(largestDifference(again, inverse)).toBeLessThanOrEqual(1e-11 * largestEntry(inverse));
    expect(largestDifference(left, transpose(left, rows, rows))).toBeLessThan(1e-11);
    expect(largestDifference(right, transpose(right, columns, columns))).toBeLessThan(1e-11);
  });

  it('cuts at the given tolerance', () => {
    const a = [1, 0, 0, 1e-6];
    expect(pseudoInverse(a, 2, 2).rank).toBe(2);
    const cut = pseudoInverse(a, 2, 2, { relativeTolerance: 1e-5 });
    expect(cut.rank).toBe(1);
    expect(largestDifference(cut.inverse, [1, 0, 0, 0])).toBeLessThan(1e-15);
  });

  it.each([1e-6, 1e6])('scales with its matrix, by %f', (scale) => {
    const a = ofRank(new Random(7), 8, 5, 3);
    const one = pseudoInverse(a, 8, 5);
    const other = pseudoInverse(
      a.map((x) => x * scale),
      8,
      5,
    );
    expect(other.rank).toBe(one.rank);
    const back = other.inverse.map((x) => x * scale);
    expect(largestDifference(back, one.inverse)).toBeLessThan(1e-12 * largestEntry(one.inverse));
  });

  it('agrees with ml-matrix', () => {
    const a = randomMatrix(new Random(8), 12, 7);
    const rows = Array.from({ length: 12 }, (_, r) => [...a.subarray(7 * r, 7 * r + 7)]);
    const expected = mlPseudoInverse(rows).to1DArray();
    expect(largestDifference(pseudoInverse(a, 12, 7).inverse, expected)).toBeLessThan(1e-13);
  });

  it('takes nothing at all', () => {
    expect(pseudoInverse([], 0, 3)).toEqual({ inverse: new Float64Array(0), rank: 0 });
  });
});
