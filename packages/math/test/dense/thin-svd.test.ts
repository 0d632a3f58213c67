import { readFileSync } from 'node:fs';
import { readPc2 } from '@pelt/io';
import { realData } from '@pelt/testkit';
import { SingularValueDecomposition } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { type ThinSvd, thinSvd } from '../../src/dense/thin-svd.ts';
import { NumericError, Random } from '../../src/index.ts';
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

function matrix(rows: number, columns: number, entry: (r: number, c: number) => number): Float64Array {
  return Float64Array.from({ length: rows * columns }, (_, k) => entry(Math.floor(k / columns), k % columns));
}

describe('thinSvd', () => {
  function validateOne(a: Float64Array, rows: number, columns: number, { u, values, v }: ThinSvd): void {
    const rank = Math.min(rows, columns);
    expect(values.length).toBe(rank);
    expect(orthogonalityError(u, rows, rank)).toBeLessThan(1e-13);
    expect(orthogonalityError(v, columns, rank)).toBeLessThan(1e-13);
    const scaled = u.map((x, k) => x * values[k % rank]);
    const again = multiply(scaled, transpose(v, columns, rank), rows, rank, columns);
    expect(largestDifference(again, a)).toBeLessThanOrEqual(4e-15 * Math.sqrt(rows * columns) * largestEntry(a));
    for (let k = 0; k < rank; k++) expect(values[k]).toBeGreaterThanOrEqual(values[k + 1] ?? 0);
  }

  /** Reconstruction, orthogonality and order. */
  function validate(a: Float64Array, rows: number, columns: number): Float64Array {
    const svd = thinSvd(a, rows, columns);
    validateOne(a, rows, columns, svd);
    return svd.values;
  }

  it('gives ones for the identity', () => {
    for (const n of [3, 60]) expect(validate(identity(n), n, n)).toEqual(new Float64Array(n).fill(1));
  });

  it('solves a tiny case', () => {
    // [3 0; 4 5]: AᵀA has eigenvalues 45 and 5.
    const { values } = thinSvd([3, 0, 4, 5], 2, 2);
    expect(largestDifference(values, [Math.sqrt(45), Math.sqrt(5)])).toBeLessThan(1e-14);
  });

  it.each([0, 1, 2, 3, 7, 64, 65])('holds for random matrices with %i rows and every other size', (rows) => {
    const random = new Random(rows);
    for (const columns of [0, 1, 2, 3, 7, 41, 64, 65]) validate(randomMatrix(random, rows, columns), rows, columns);
  });

  it('holds for tall and wide matrices and larger square ones', () => {
    const random = new Random(1);
    validate(randomMatrix(random, 400, 50), 400, 50);
    validate(randomMatrix(random, 50, 400), 50, 400);
    validate(randomMatrix(random, 130, 130), 130, 130);
  });

  it.each([1e-6, 1e6, 1e-200, 1e200])('holds at scale %f', (scale) => {
    const random = new Random(2);
    const a = randomMatrix(random, 60, 50);
    const values = validate(a, 60, 50);
    const scaled = validate(
      a.map((x) => x * scale),
      60,
      50,
    );
    expect(
      largestDifference(
        scaled.map((x) => x / scale),
        values,
      ),
    ).toBeLessThan(1e-13 * values[0]);
  });

  it.each([
    ['all the same', () => 2],
    ['two clusters', (k: number) => (k % 2 ? 1 : 2)],
    ['a near cluster', (k: number) => 1 + k * 1e-15],
    ['graded', (k: number) => 10 ** (-k / 6)],
    ['rank three', (k: number) => (k < 3 ? 3 - k : 0)],
  ])('recovers known singular values: %s', (_, value) => {
    const random = new Random(3);
    const n = 75;
    const known = Array.from({ length: n }, (_unused, k) => value(k)).sort((x, y) => y - x);
    const u = randomOrthogonal(random, n);
    const a = multiply(
      u.map((x, k) => x * known[k % n]),
      randomOrthogonal(random, n),
      n,
      n,
      n,
    );
    expect(largestDifference(validate(a, n, n), known)).toBeLessThan(3e-14 * known[0]);
  });

  it.each([
    ['zero', () => 0],
    ['all ones', () => 1],
    ['a shift', (r: number, c: number) => (c === r + 1 ? 1 : 0)],
    ["Hilbert's", (r: number, c: number) => 1 / (r + c + 1)],
    ["Kahan's", (r: number, c: number) => (r === c ? 1 : c > r ? -1 : 0)],
    ['one row', (r: number, c: number) => (r === 5 ? c : 0)],
    ['one column', (r: number, c: number) => (c === 5 ? r : 0)],
    ['equal columns', (r: number, c: number) => Math.sin(r * (c % 3))],
    ['graded rows', (r: number, c: number) => Math.sin(r * 7 + c * c) * 10 ** (-4 * r)],
  ])('takes structured matrices: %s', (_, entry) => {
    validate(matrix(90, 90, entry), 90, 90);
    validate(matrix(100, 60, entry), 100, 60);
  });

  it('gives small singular values their digits', () => {
    // diag(1, 1e-12, 1e-24) times a rotation: Jacobi on the scaled rows loses nothing.
    const q = randomOrthogonal(new Random(4), 3);
    const scales = [1, 1e-12, 1e-24];
    const a = q.map((x, k) => x * scales[Math.floor(k / 3)]);
    const { values } = thinSvd(a, 3, 3);
    for (let k = 0; k < 3; k++) expect(Math.abs(values[k] / scales[k] - 1)).toBeLessThan(1e-14);
  });

  it('agrees with ml-matrix', () => {
    const a = randomMatrix(new Random(5), 80, 60);
    const rows = Array.from({ length: 80 }, (_, r) => [...a.subarray(60 * r, 60 * r + 60)]);
    const { values } = thinSvd(a, 80, 60);
    expect(largestDifference(values, new SingularValueDecomposition(rows).diagonal)).toBeLessThan(1e-12);
  });

  const clip = realData('horse-gallop/clip.pc2');
  it.skipIf(!clip)('finds how low the rank of a real animation is (needs the measured data)', () => {
    const { frames, times } = readPc2(readFileSync(clip!));
    const count = times.length;
    const n = frames.length / (3 * count);
    // 3S × n: a row for each coordinate of each frame.
    const a = new Float64Array(frames.length);
    for (let t = 0; t < count; t++) {
      for (let i = 0; i < n; i++) for (let d = 0; d < 3; d++) a[(3 * t + d) * n + i] = frames[3 * (t * n + i) + d];
    }
    const { values } = thinSvd(a, 3 * count, n);
    // The clip is 24 frames played twice, the second time to the rounding of the file's floats.
    expect(values[71]).toBeGreaterThan(1e-5 * values[0]);
    expect(values[72]).toBeLessThan(1e-6 * values[0]);
    // 51 rows leave a residual of 0.3 in units of E_RMS, the 1000th part of the mesh's radius; 50 do not.
    const residual = (rank: number) => {
      const rest = values.subarray(rank).reduce((sum, value) => sum + value * value, 0);
      return 1000 * Math.sqrt(rest / (3 * n * count));
    };
    expect(residual(51)).toBeLessThan(0.3);
    expect(residual(50)).toBeGreaterThan(0.3);
  });

  it('refuses what is not finite and what is no matrix', () => {
    expect(() => thinSvd([1, Number.NaN], 1, 2)).toThrow(/entry 1 is NaN/);
    expect(() => thinSvd([1, 2, 3], 2, 2)).toThrow(NumericError);
  });
});
