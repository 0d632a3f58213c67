import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  gemm,
  type Matrix,
  matrixOf,
  type Numerics,
  openNumerics,
  partOf,
  Random,
  transposed,
} from '../../src/index.ts';
import { identity, largestDifference, multiply, randomMatrix, transpose } from '../matrices.ts';

const SIZES = [0, 1, 2, 3, 7, 64, 65];

describe('gemm', () => {
  let pools: Numerics[];
  beforeAll(async () => {
    pools = await Promise.all([1, 2].map((threads) => openNumerics({ threads })));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  /** C = αAB + βC on plain arrays, through wasm memory. */
  function product(
    pool: Numerics,
    [rows, inner, columns]: number[],
    a: Float64Array,
    b: Float64Array,
    options: { flipA?: boolean; flipB?: boolean; alpha?: number; beta?: number; start?: Float64Array } = {},
  ): Float64Array {
    const scope = pool.scope();
    const c = options.start ? scope.f64From(options.start) : scope.f64(rows * columns);
    const left = options.flipA
      ? transposed(matrixOf(scope.f64From(transpose(a, rows, inner)), inner, rows))
      : matrixOf(scope.f64From(a), rows, inner);
    const right = options.flipB
      ? transposed(matrixOf(scope.f64From(transpose(b, inner, columns)), columns, inner))
      : matrixOf(scope.f64From(b), inner, columns);
    gemm(pool, options.alpha ?? 1, left, right, options.beta ?? 0, matrixOf(c, rows, columns));
    const out = c.view.slice();
    scope.dispose();
    return out;
  }

  it('gives A for A times the identity, exactly', () => {
    const a = randomMatrix(new Random(1), 65, 65);
    expect(product(pools[0], [65, 65, 65], a, identity(65))).toEqual(a);
    expect(product(pools[0], [65, 65, 65], identity(65), a)).toEqual(a);
  });

  it('multiplies a tiny case', () => {
    // [1 2; 3 4] [5 6; 7 8] = [19 22; 43 50]
    const c = product(pools[0], [2, 2, 2], Float64Array.of(1, 2, 3, 4), Float64Array.of(5, 6, 7, 8));
    expect([...c]).toEqual([19, 22, 43, 50]);
  });

  it.each(SIZES)('agrees with the plain product for %i rows and every other size, bit for bit', (rows) => {
    const random = new Random(2);
    for (const inner of SIZES) {
      for (const columns of SIZES) {
        const a = randomMatrix(random, rows, inner);
        const b = randomMatrix(random, inner, columns);
        const expected = multiply(a, b, rows, inner, columns);
        for (const flipA of [false, true]) {
          for (const flipB of [false, true]) {
            expect(product(pools[0], [rows, inner, columns], a, b, { flipA, flipB })).toEqual(expected);
          }
        }
      }
    }
  });

  it('agrees beyond one block of depth, with two threads, to rounding', () => {
    const random = new Random(3);
    const sizes = [130, 600, 77];
    const a = randomMatrix(random, 130, 600);
    const b = randomMatrix(random, 600, 77);
    const one = product(pools[0], sizes, a, b);
    expect(product(pools[1], sizes, a, b)).toEqual(one);
    expect(largestDifference(one, multiply(a, b, 130, 600, 77))).toBeLessThan(1e-12);
  });

  it('scales and adds', () => {
    const random = new Random(4);
    const a = randomMatrix(random, 7, 5);
    const b = randomMatrix(random, 5, 6);
    const start = randomMatrix(random, 7, 6);
    const ab = multiply(a, b, 7, 5, 6);
    const expected = ab.map((x, k) => 2.5 * x - 0.5 * start[k]);
    const actual = product(pools[0], [7, 5, 6], a, b, { alpha: 2.5, beta: -0.5, start });
    expect(largestDifference(actual, expected)).toBeLessThan(1e-14);
  });

  it('does not read C where β is 0', () => {
    const start = new Float64Array(4).fill(Number.NaN);
    expect([...product(pools[0], [2, 1, 2], Float64Array.of(1, 2), Float64Array.of(3, 4), { start })]).toEqual([
      3, 4, 6, 8,
    ]);
  });

  it('works on parts of larger matrices, at odd offsets, and leaves the rest alone', () => {
    const random = new Random(5);
    const pool = pools[0];
    const scope = pool.scope();
    const stride = 13;
    const blocks = [0, 1, 2].map(() => scope.f64From(randomMatrix(random, 12, stride)));
    const [a, b, c] = blocks.map((block, k) =>
      partOf(matrixOf(block, 12, stride), 1 + k, 3, [7, 5, 7][k], [5, 6, 6][k]),
    );
    const before = blocks[2].view.slice();
    gemm(pool, 1, a, b, 1, c);
    const read = (m: Matrix, block: Float64Array, start: number) =>
      Float64Array.from(
        { length: m.rows * m.columns },
        (_, k) => block[start + Math.floor(k / m.columns) * stride + (k % m.columns)],
      );
    const ab = multiply(read(a, blocks[0].view, stride + 3), read(b, blocks[1].view, 2 * stride + 3), 7, 5, 6);
    const expected = before.slice();
    for (let k = 0; k < 42; k++) expected[(3 + Math.floor(k / 6)) * stride + 3 + (k % 6)] += ab[k];
    expect(largestDifference(blocks[2].view, expected)).toBeLessThan(1e-14);
    expect(blocks[2].view.filter((x, k) => x !== before[k]).length).toBe(42);
    scope.dispose();
  });

  it('writes a transposed result', () => {
    const random = new Random(6);
    const scope = pools[0].scope();
    const [a, b] = [randomMatrix(random, 5, 7), randomMatrix(random, 7, 3)];
    const c = scope.f64(15);
    const left = matrixOf(scope.f64From(a), 5, 7);
    const right = matrixOf(scope.f64From(b), 7, 3);
    gemm(pools[0], 1, left, right, 0, transposed(matrixOf(c, 3, 5)));
    expect(largestDifference(c.view, transpose(multiply(a, b, 5, 7, 3), 5, 3))).toBeLessThan(1e-14);
    scope.dispose();
  });

  it('names sizes that do not fit, and keeps no memory', () => {
    const pool = pools[0];
    const scope = pool.scope();
    const a = matrixOf(scope.f64(6), 2, 3);
    const before = pool.allocatedBytes;
    expect(() => gemm(pool, 1, a, a, 0, a)).toThrow(/2 × 3 times 2 × 3 does not give 2 × 3/);
    gemm(pool, 1, a, transposed(a), 0, matrixOf(scope.f64(4), 2, 2));
    expect(pool.allocatedBytes).toBeLessThanOrEqual(before + 128);
    scope.dispose();
  });
});
