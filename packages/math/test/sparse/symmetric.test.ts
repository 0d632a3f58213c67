import { describe, expect, it } from 'vitest';
import { NumericError, Random, type SparseSymmetric, sparseFromTriplets } from '../../src/index.ts';
import { validateSparseSymmetric } from '../../src/sparse/symmetric.ts';
import { largestDifference, multiply, randomMatrix } from '../matrices.ts';
import { multiplySymmetric } from '../oracles/multiply-symmetric.ts';
import { denseOf } from './examples.ts';

describe('sparse symmetric matrices', () => {
  it('are what their triplets say', () => {
    const matrix = sparseFromTriplets(
      3,
      [2, 0, 1, 0], // an entry below the diagonal,
      [0, 1, 1, 0], // one above it, which stands for the one below,
      [5, 7, 2, 1], // and two on it; column 2 stays empty
    );
    expect([...matrix.columnStarts]).toEqual([0, 3, 4, 4]);
    expect([...matrix.rows]).toEqual([0, 1, 2, 1]);
    expect([...matrix.values]).toEqual([1, 7, 5, 2]);
    validateSparseSymmetric(matrix);
  });

  it('sum duplicates in the order in which they come', () => {
    // In the given order the sum is 1; any other one loses the 1.
    const matrix = sparseFromTriplets(2, [1, 0, 1], [0, 1, 0], [1e16, -1e16, 1]);
    expect([...matrix.values]).toEqual([1]);
  });

  it.each([0, 1, 2, 3, 7, 64, 65])('agree with a dense sum, size %i', (n) => {
    const random = new Random(n);
    const count = n * 5;
    const [i, j] = [1, 2].map(() => Int32Array.from({ length: count }, () => random.integer(n)));
    const v = Float64Array.from({ length: count }, () => random.normal());
    const dense = new Float64Array(n * n);
    for (let t = 0; t < count; t++) {
      dense[i[t] * n + j[t]] += v[t];
      if (i[t] !== j[t]) dense[j[t] * n + i[t]] += v[t];
    }
    const matrix = sparseFromTriplets(n, i, j, v);
    validateSparseSymmetric(matrix);
    expect(denseOf(matrix)).toEqual(dense);
    for (const k of [1, 3]) {
      const x = randomMatrix(random, n, k);
      const product = multiplySymmetric(matrix, x, k);
      expect(largestDifference(product, multiply(dense, x, n, n, k))).toBeLessThan(1e-12);
    }
  });

  it.each([
    [2, [2], [0]],
    [2, [0], [-1]],
    [2, [0.5], [0]],
    [2, [Number.NaN], [0]],
    [2, [0, 1], [0]],
    [-1, [], []],
    [1.5, [], []],
  ])('reject what lies outside: size %d, rows %j, columns %j', (size, rows, columns) => {
    expect(() => sparseFromTriplets(size, rows, columns, rows)).toThrow(NumericError);
  });

  it('reject values for other triplets', () => {
    expect(() => sparseFromTriplets(2, [0, 1], [0, 1], [1])).toThrow(/2 rows, 2 columns and 1 values/);
  });

  it.each([
    ['rows that do not ascend', { rows: [1, 0] }],
    ['the same row twice', { rows: [0, 0] }],
    ['a row above the diagonal', { columnStarts: [0, 0, 2], rows: [0, 1] }],
    ['a row beyond the last', { rows: [0, 2] }],
    ['offsets that fall', { columnStarts: [0, 3, 2] }],
    ['offsets that end early', { columnStarts: [0, 1, 1] }],
    ['too few values', { values: [1] }],
  ])('are checked: %s', (_, damage: { columnStarts?: number[]; rows?: number[]; values?: number[] }) => {
    const matrix: SparseSymmetric = {
      size: 2,
      columnStarts: Int32Array.from(damage.columnStarts ?? [0, 2, 2]),
      rows: Int32Array.from(damage.rows ?? [0, 1]),
      values: Float64Array.from(damage.values ?? [1, 1]),
    };
    expect(() => validateSparseSymmetric(matrix)).toThrow(NumericError);
  });
});
