import { Matrix as MlMatrix } from 'ml-matrix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DenseCholesky, DenseLdl, NumericError, type Numerics, openNumerics, Random } from '../../src/index.ts';
import {
  identity,
  largestDifference,
  largestEntry,
  multiply,
  randomMatrix,
  randomPositiveDefinite,
  transpose,
} from '../matrices.ts';
import { plainFactor, plainSolve } from '../oracles/symmetric-factor.ts';

const SIZES = [0, 1, 2, 3, 7, 64, 65, 200];

/** [[P, Bᵀ], [B, −Q]] with P and Q positive definite. */
function randomQuasiDefinite(random: Random, n: number): Float64Array {
  const a = randomPositiveDefinite(random, n);
  for (let r = Math.ceil(n / 2); r < n; r++) {
    for (let c = Math.ceil(n / 2); c < n; c++) a[r * n + c] *= -1;
  }
  return a;
}

function lowerOf(a: Float64Array, n: number): Float64Array {
  return a.map((x, k) => (k % n <= Math.floor(k / n) ? x : 0));
}

/** ‖AX − B‖ / (‖A‖‖X‖ + ‖B‖), the largest entry as the norm. */
function relativeResidual(a: Float64Array, x: Float64Array, b: Float64Array, n: number, count: number): number {
  const scale = largestEntry(a) * largestEntry(x) + largestEntry(b);
  return n === 0 ? 0 : largestDifference(multiply(a, x, n, n, count), b) / scale;
}

describe.each([
  ['DenseCholesky', DenseCholesky, randomPositiveDefinite, true],
  ['DenseLdl', DenseLdl, randomQuasiDefinite, false],
] as const)('%s', (_, Factor, randomSymmetric, positive) => {
  let pools: Numerics[];
  beforeAll(async () => {
    pools = await Promise.all([1, 2].map((threads) => openNumerics({ threads })));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  it('solves with the identity, exactly', () => {
    const solver = new Factor(pools[0], 65).factor(identity(65));
    const b = randomMatrix(new Random(1), 65, 3);
    expect(solver.solve(b, 3)).toEqual(b);
    solver.dispose();
  });

  it('solves a tiny case', () => {
    // [4 2; 2 3] = L D Lᵀ with L₁₀ = 1/2, D = (4, 2); the solution of (8, 7) is (5/4, 3/2).
    const solver = new Factor(pools[0], 2).factor([4, 2, 2, 3]);
    expect([...solver.unitLower()]).toEqual([1, 0, 0.5, 1]);
    expect([...solver.pivots()]).toEqual([4, 2]);
    expect([...solver.solve([8, 7])]).toEqual([1.25, 1.5]);
    solver.dispose();
  });

  it.each(SIZES)('reconstructs the matrix, size %i, with the bits of one thread on two', (n) => {
    const random = new Random(n);
    const a = randomSymmetric(random, n);
    const factors = pools.map((pool) => new Factor(pool, n).factor(a));
    const l = factors[0].unitLower();
    const d = factors[0].pivots();
    expect(factors[1].unitLower()).toEqual(l);
    expect(factors[1].pivots()).toEqual(d);
    const scaled = l.map((x, k) => x * d[k % n]);
    const again = multiply(scaled, transpose(l, n, n), n, n, n);
    expect(largestDifference(again, a)).toBeLessThanOrEqual(1e-14 * largestEntry(a));
    const twin = plainFactor(a, n, positive);
    expect(twin).toBeDefined();
    const together = l.map((x, k) => (k % n === Math.floor(k / n) ? d[k % n] : x));
    expect(largestDifference(together, lowerOf(twin!, n))).toBeLessThanOrEqual(1e-12 * largestEntry(a));
    for (const factor of factors) factor.dispose();
  });

  it.each(SIZES)('solves for 1 to 9 right-hand sides with small residuals at every scale, size %i', (n) => {
    const random = new Random(100 + n);
    const base = randomSymmetric(random, n);
    const solvers = pools.map((pool) => new Factor(pool, n));
    for (const scale of [1e-6, 1, 1e6]) {
      const a = base.map((x) => x * scale);
      for (const solver of solvers) solver.factor(a);
      for (const count of [1, 2, 3, 4, 5, 9]) {
        const b = randomMatrix(random, n, count);
        const x = solvers[0].solve(b, count);
        expect(relativeResidual(a, x, b, n, count)).toBeLessThan(1e-13);
        expect(solvers[1].solve(b, count)).toEqual(x);
        const twin = plainSolve(plainFactor(a, n, positive)!, n, b, count);
        expect(largestDifference(x, twin)).toBeLessThanOrEqual(1e-12 * largestEntry(twin));
      }
    }
    for (const solver of solvers) solver.dispose();
  });

  it('agrees with ml-matrix', () => {
    const random = new Random(7);
    const a = randomSymmetric(random, 40);
    const b = randomMatrix(random, 40, 1);
    const solver = new Factor(pools[0], 40).factor(a);
    const rows = Array.from({ length: 40 }, (_, r) => [...a.subarray(40 * r, 40 * r + 40)]);
    const expected = new MlMatrix(rows);
    const product = expected.mmul(MlMatrix.columnVector([...solver.solve(b)])).to1DArray();
    expect(largestDifference(product, b)).toBeLessThan(1e-12 * largestEntry(b));
    solver.dispose();
  });

  it.each(SIZES)('adds and takes away rank-one changes, size %i', (n) => {
    const random = new Random(200 + n);
    const a = randomSymmetric(random, n);
    const solver = new Factor(pools[1], n).factor(a);
    const vectors = Array.from({ length: 6 }, () => randomMatrix(random, n, 1));
    const b = randomMatrix(random, n, 1);
    const before = solver.solve(b);
    for (const v of vectors) solver.update(v, 1);
    const changed = a.slice();
    for (const v of vectors) for (let k = 0; k < n * n; k++) changed[k] += v[Math.floor(k / n)] * v[k % n];
    expect(relativeResidual(changed, solver.solve(b), b, n, 1)).toBeLessThan(1e-13);
    for (const v of vectors) solver.update(v, -1);
    expect(largestDifference(solver.solve(b), before)).toBeLessThanOrEqual(1e-12 * largestEntry(before));
    solver.dispose();
  });

  it('names the column where it fails', () => {
    const n = 100;
    const a = randomPositiveDefinite(new Random(8), n);
    // Row and column 77 become those of 30: singular there, whatever the sign.
    for (let k = 0; k < n; k++) a[77 * n + k] = a[30 * n + k];
    for (let k = 0; k < n; k++) a[k * n + 77] = a[k * n + 30];
    const solver = new Factor(pools[0], n);
    expect(() => solver.factor(a)).toThrow(/column 77/);
    expect(() => solver.solve(new Float64Array(n))).toThrow(/call factor first/);
    expect(() => solver.factor([1, 2])).toThrow(NumericError);
    solver.dispose();
    const zero = new Factor(pools[0], 3);
    expect(() => zero.factor(new Float64Array(9))).toThrow(/column 0/);
    expect(() => zero.factor(new Float64Array(9).fill(Number.NaN))).toThrow(/column 0/);
    zero.dispose();
  });

  it('keeps its factor where an update is impossible', () => {
    const solver = new Factor(pools[0], 3).factor(identity(3));
    expect(() => solver.update([0, 1, 0], -1)).toThrow(/column 1/);
    expect([...solver.solve([1, 2, 3])]).toEqual([1, 2, 3]);
    solver.dispose();
  });

  it('gives its memory back', () => {
    const before = pools[0].allocatedBytes;
    for (let round = 0; round < 20; round++) {
      const solver = new Factor(pools[0], 50).factor(randomSymmetric(new Random(round), 50));
      solver.solve(new Float64Array(100), 2);
      solver.dispose();
    }
    // One thread's scratch stays with the pool.
    expect(pools[0].allocatedBytes - before).toBeLessThan(16384);
  });
});

describe('triangular solves', () => {
  it.each([1, 2, 3, 7, 64, 65])('split A⁻¹ into C⁻ᵀC⁻¹ with CCᵀ = A, size %i', async (n) => {
    const numerics = await openNumerics({ threads: 2 });
    const random = new Random(n);
    const a = randomPositiveDefinite(random, n);
    const solver = new DenseCholesky(numerics, n).factor(a);
    for (const count of [1, 3, 6]) {
      const b = randomMatrix(random, n, count);
      const x = solver.solve(b, count);
      const half = solver.solveLower(b, count);
      expect(largestDifference(solver.solveUpper(half, count), x)).toBeLessThan(1e-14 * largestEntry(b));
      // BᵀA⁻¹B = (C⁻¹B)ᵀ(C⁻¹B)
      const left = multiply(transpose(b, n, count), x, count, n, count);
      const right = multiply(transpose(half, n, count), half, count, n, count);
      expect(largestDifference(left, right)).toBeLessThan(1e-13 * largestEntry(left));
    }
    const root = solver.solveLower(a, n);
    // C⁻¹A = Cᵀ is upper triangular.
    for (let r = 1; r < n; r++) {
      for (let c = 0; c < r; c++) expect(Math.abs(root[r * n + c])).toBeLessThan(1e-12 * largestEntry(a));
    }
    numerics.close();
  });
});

describe('the two kinds of pivots', () => {
  it('differ in what they accept', async () => {
    const numerics = await openNumerics();
    const indefinite = [1, 0, 0, -1];
    expect(() => new DenseCholesky(numerics, 2).factor(indefinite)).toThrow(/column 1 is not positive definite/);
    expect([...new DenseLdl(numerics, 2).factor(indefinite).pivots()]).toEqual([1, -1]);
  });
});
