import { EigenvalueDecomposition } from 'ml-matrix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NumericError, type Numerics, openNumerics, Random, symmetricEigen } from '../../src/index.ts';
import {
  identity,
  largestDifference,
  largestEntry,
  multiply,
  orthogonalityError,
  randomMatrix,
  randomOrthogonal,
  transpose,
} from '../matrices.ts';

function symmetric(n: number, entry: (r: number, c: number) => number): Float64Array {
  const out = new Float64Array(n * n);
  for (let r = 0; r < n; r++) for (let c = 0; c <= r; c++) out[r * n + c] = out[c * n + r] = entry(r, c);
  return out;
}

function withEigenvalues(random: Random, values: readonly number[]): Float64Array {
  const n = values.length;
  const q = randomOrthogonal(random, n);
  const scaled = q.map((x, k) => x * values[k % n]);
  const a = multiply(scaled, transpose(q, n, n), n, n, n);
  return symmetric(n, (r, c) => 0.5 * (a[r * n + c] + a[c * n + r]));
}

describe('symmetricEigen', () => {
  let pools: Numerics[];
  beforeAll(async () => {
    pools = await Promise.all([1, 2].map((threads) => openNumerics({ threads })));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  /** Residual, orthogonality and order, on every path; two threads must give the bits of one. */
  function validate(a: Float64Array, n: number): Float64Array {
    const plain = symmetricEigen(a, n);
    const fast = symmetricEigen(a, n, pools[0]);
    expect(symmetricEigen(a, n, pools[1])).toEqual(fast);
    const size = largestEntry(a) * n;
    for (const { values, vectors } of [plain, fast]) {
      expect(orthogonalityError(vectors, n, n)).toBeLessThan(1e-13);
      const left = multiply(a, vectors, n, n, n);
      const right = vectors.map((x, k) => x * values[k % n]);
      expect(largestDifference(left, right)).toBeLessThanOrEqual(4e-15 * size);
      for (let k = 1; k < n; k++) expect(values[k]).toBeGreaterThanOrEqual(values[k - 1]);
    }
    expect(largestDifference(fast.values, plain.values)).toBeLessThanOrEqual(4e-15 * size);
    return fast.values;
  }

  it('leaves a diagonal alone', () => {
    const { values, vectors } = symmetricEigen(identity(80), 80, pools[0]);
    expect(values).toEqual(new Float64Array(80).fill(1));
    expect(orthogonalityError(vectors, 80, 80)).toBe(0);
    expect([...symmetricEigen([3, 0, 0, 1], 2).values]).toEqual([1, 3]);
  });

  it('solves a tiny case, reading the lower triangle only', () => {
    // [2 1; 1 2]: 1 with (1, −1)/√2 and 3 with (1, 1)/√2.
    const { values, vectors } = symmetricEigen([2, Number.NaN, 1, 2], 2);
    expect(largestDifference(values, [1, 3])).toBeLessThan(1e-15);
    expect(Math.abs(vectors[0] + vectors[2])).toBeLessThan(1e-15);
    expect(Math.abs(vectors[1] - vectors[3])).toBeLessThan(1e-15);
  });

  it.each([0, 1, 2, 3, 7, 64, 65, 100, 150])('holds for random matrices of size %i', (n) => {
    const random = new Random(n);
    validate(
      symmetric(n, () => random.normal()),
      n,
    );
  });

  it.each([1e-6, 1e6, 1e-200, 1e200])('holds at scale %f, with the same vectors', (scale) => {
    const random = new Random(5);
    const a = symmetric(70, () => random.normal());
    const values = validate(a, 70);
    const scaled = validate(
      a.map((x) => x * scale),
      70,
    );
    expect(
      largestDifference(
        scaled.map((x) => x / scale),
        values,
      ),
    ).toBeLessThan(1e-12);
  });

  it.each([
    ['all the same', () => 3],
    ['two clusters', (k: number) => (k % 2 ? 1 : 2)],
    ['a near cluster', (k: number) => 1 + k * 1e-15],
    ['graded', (k: number) => 10 ** (-k / 8)],
    ['rank three', (k: number) => (k < 3 ? k + 1 : 0)],
    ['both signs', (k: number) => (k % 2 ? k : -k)],
  ])('recovers known eigenvalues: %s', (_, value) => {
    const n = 110;
    const known = Array.from({ length: n }, (_unused, k) => value(k));
    const values = validate(withEigenvalues(new Random(6), known), n);
    const sorted = known.sort((a, b) => a - b);
    expect(largestDifference(values, sorted)).toBeLessThan(1e-13 * Math.max(...sorted.map(Math.abs)));
  });

  it.each([
    ['zero', () => 0],
    ['all ones', () => 1],
    ['the second difference', (r: number, c: number) => (r === c ? 2 : r - c === 1 ? -1 : 0)],
    ["Wilkinson's", (r: number, c: number) => (r === c ? Math.abs(r - 60) : r - c === 1 ? 1 : 0)],
    ["Hilbert's", (r: number, c: number) => 1 / (r + c + 1)],
    ['blocks that do not couple', (r: number, c: number) => (r >> 3 === c >> 3 ? 1 + (c % 8) : 0)],
    ['an arrow', (r: number, c: number) => (r === c ? r : c === 0 ? 1 : 0)],
  ])('takes structured matrices: %s', (_, entry) => {
    validate(symmetric(121, entry), 121);
  });

  it('knows the second difference: 2 − 2 cos(kπ/(n + 1))', () => {
    const n = 200;
    const { values } = symmetricEigen(
      symmetric(n, (r, c) => (r === c ? 2 : r - c === 1 ? -1 : 0)),
      n,
      pools[0],
    );
    const expected = Float64Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)));
    expect(largestDifference(values, expected)).toBeLessThan(4e-15);
  });

  it('agrees with ml-matrix', () => {
    const random = new Random(8);
    const a = symmetric(90, () => random.normal());
    const rows = Array.from({ length: 90 }, (_, r) => [...a.subarray(90 * r, 90 * r + 90)]);
    const expected = new EigenvalueDecomposition(rows, { assumeSymmetric: true }).realEigenvalues;
    const { values } = symmetricEigen(a, 90, pools[0]);
    expect(largestDifference(values, Float64Array.from(expected).sort())).toBeLessThan(1e-12);
  });

  it('refuses what is not finite and what is no matrix, and keeps no memory', () => {
    const before = pools[0].allocatedBytes;
    expect(() => symmetricEigen([1, 0, Number.NaN, 1], 2)).toThrow(/entry 2 is NaN/);
    expect(() => symmetricEigen([1, 2, 3], 2)).toThrow(NumericError);
    symmetricEigen(randomMatrix(new Random(9), 70, 70), 70, pools[0]);
    expect(pools[0].allocatedBytes).toBe(before);
  });
});
