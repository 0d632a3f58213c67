import { Matrix as MlMatrix } from 'ml-matrix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DenseCholesky, NumericError, type Numerics, openNumerics, Random } from '../../src/index.ts';
import {
  identity,
  largestDifference,
  largestEntry,
  multiply,
  randomMatrix,
  randomPositiveDefinite,
} from '../matrices.ts';
import { plainFactor, plainSolve } from '../oracles/dense-cholesky.ts';

const SIZES = [0, 1, 2, 3, 7, 64, 65, 200];

/** ‖AX − B‖ / (‖A‖‖X‖ + ‖B‖), the largest entry as the norm. */
function relativeResidual(a: Float64Array, x: Float64Array, b: Float64Array, n: number, count: number): number {
  const scale = largestEntry(a) * largestEntry(x) + largestEntry(b);
  return n === 0 ? 0 : largestDifference(multiply(a, x, n, n, count), b) / scale;
}

describe('DenseCholesky', () => {
  let pools: Numerics[];
  beforeAll(async () => {
    pools = await Promise.all([1, 2].map((threads) => openNumerics({ threads })));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  it('solves with the identity, exactly', () => {
    const solver = new DenseCholesky(pools[0], 65).factor(identity(65));
    const b = randomMatrix(new Random(1), 65, 3);
    expect(solver.solve(b, 3)).toEqual(b);
    solver.dispose();
  });

  it('solves a tiny case', () => {
    // [4 2; 2 3] = L D Lᵀ with L₁₀ = 1/2, D = (4, 2); the solution of (8, 7) is (5/4, 3/2).
    const solver = new DenseCholesky(pools[0], 2).factor([4, 2, 2, 3]);
    expect([...solver.solve([8, 7])]).toEqual([1.25, 1.5]);
    solver.dispose();
  });

  it.each(SIZES)('solves for 1 to 9 right-hand sides with small residuals at every scale, size %i', (n) => {
    const random = new Random(100 + n);
    const base = randomPositiveDefinite(random, n);
    const solvers = pools.map((pool) => new DenseCholesky(pool, n));
    for (const scale of [1e-6, 1, 1e6]) {
      const a = base.map((x) => x * scale);
      for (const solver of solvers) solver.factor(a);
      for (const count of [1, 2, 3, 4, 5, 9]) {
        const b = randomMatrix(random, n, count);
        const x = solvers[0].solve(b, count);
        expect(relativeResidual(a, x, b, n, count)).toBeLessThan(1e-13);
        expect(solvers[1].solve(b, count)).toEqual(x);
        const twin = plainSolve(plainFactor(a, n)!, n, b, count);
        expect(largestDifference(x, twin)).toBeLessThanOrEqual(1e-12 * largestEntry(twin));
      }
    }
    for (const solver of solvers) solver.dispose();
  });

  it('agrees with ml-matrix', () => {
    const random = new Random(7);
    const a = randomPositiveDefinite(random, 40);
    const b = randomMatrix(random, 40, 1);
    const solver = new DenseCholesky(pools[0], 40).factor(a);
    const rows = Array.from({ length: 40 }, (_, r) => [...a.subarray(40 * r, 40 * r + 40)]);
    const expected = new MlMatrix(rows);
    const product = expected.mmul(MlMatrix.columnVector([...solver.solve(b)])).to1DArray();
    expect(largestDifference(product, b)).toBeLessThan(1e-12 * largestEntry(b));
    solver.dispose();
  });

  it('names the column where it fails', () => {
    const n = 100;
    const a = randomPositiveDefinite(new Random(8), n);
    // Row and column 77 become those of 30: singular there, whatever the sign.
    for (let k = 0; k < n; k++) a[77 * n + k] = a[30 * n + k];
    for (let k = 0; k < n; k++) a[k * n + 77] = a[k * n + 30];
    const solver = new DenseCholesky(pools[0], n);
    expect(() => solver.factor(a)).toThrow(/column 77/);
    expect(() => solver.solve(new Float64Array(n))).toThrow(/call factor first/);
    expect(() => solver.factor([1, 2])).toThrow(NumericError);
    expect(() => new DenseCholesky(pools[0], 2).factor([1, 0, 0, -1])).toThrow(/column 1 is not positive definite/);
    solver.dispose();
    const zero = new DenseCholesky(pools[0], 3);
    expect(() => zero.factor(new Float64Array(9))).toThrow(/column 0/);
    expect(() => zero.factor(new Float64Array(9).fill(Number.NaN))).toThrow(/column 0/);
    zero.dispose();
  });

  it('gives its memory back', () => {
    const before = pools[0].allocatedBytes;
    for (let round = 0; round < 20; round++) {
      const solver = new DenseCholesky(pools[0], 50).factor(randomPositiveDefinite(new Random(round), 50));
      solver.solve(new Float64Array(100), 2);
      solver.dispose();
    }
    // One thread's scratch stays with the pool.
    expect(pools[0].allocatedBytes - before).toBeLessThan(16384);
  });
});
