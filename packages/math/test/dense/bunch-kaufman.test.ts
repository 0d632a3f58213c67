import { describe, expect, it } from 'vitest';
import { BunchKaufman, NumericError, Random } from '../../src/index.ts';
import { identity, largestDifference, largestEntry, multiply, randomMatrix } from '../matrices.ts';

function randomSymmetric(random: Random, n: number): Float64Array {
  const a = randomMatrix(random, n, n);
  return a.map((x, k) => x + a[(k % n) * n + Math.floor(k / n)]);
}

/** [[G, Cᵀ], [C, 0]]: indefinite, with a zero block, so that no order of single pivots is safe. */
function kkt(random: Random, unknowns: number, constraints: number): Float64Array {
  const n = unknowns + constraints;
  const a = new Float64Array(n * n);
  for (let r = 0; r < unknowns; r++) a[r * n + r] = random.uniform(0.5, 2);
  for (let r = unknowns; r < n; r++) {
    for (let c = 0; c < unknowns; c++) a[r * n + c] = a[c * n + r] = random.normal();
  }
  return a;
}

function expectSolved(a: Float64Array, n: number, random: Random): void {
  const solver = new BunchKaufman(a, n);
  for (const count of [1, 3]) {
    const b = randomMatrix(random, n, count);
    const x = solver.solve(b, count);
    const scale = n * largestEntry(a) * largestEntry(x) + largestEntry(b);
    expect(largestDifference(multiply(a, x, n, n, count), b)).toBeLessThanOrEqual(1e-14 * scale);
  }
}

describe('BunchKaufman', () => {
  it('solves with the identity, exactly', () => {
    const b = randomMatrix(new Random(1), 9, 2);
    expect(new BunchKaufman(identity(9), 9).solve(b, 2)).toEqual(b);
  });

  it('solves a tiny case that needs a pivot of two', () => {
    // [0 1; 1 0] swaps.
    const solver = new BunchKaufman([0, 1, 1, 0], 2);
    expect([...solver.solve([3, 5])]).toEqual([5, 3]);
  });

  it.each([0, 1, 2, 3, 7, 64, 65])('has small residuals for random matrices of size %i', (n) => {
    const random = new Random(n);
    for (let round = 0; round < 10; round++) expectSolved(randomSymmetric(random, n), n, random);
  });

  it.each([
    [1, 1],
    [3, 2],
    [20, 5],
    [40, 25],
  ])('solves KKT systems of %i unknowns and %i constraints at every scale', (unknowns, constraints) => {
    const random = new Random(unknowns);
    const a = kkt(random, unknowns, constraints);
    const n = unknowns + constraints;
    for (const scale of [1e-6, 1, 1e6]) {
      expectSolved(
        a.map((x) => x * scale),
        n,
        random,
      );
    }
  });

  it('names the column of a singular matrix', () => {
    expect(() => new BunchKaufman(new Float64Array(9), 3)).toThrow(/column 0 is singular/);
    // Two equal constraints.
    const a = [1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0];
    expect(() => new BunchKaufman(a, 4)).toThrow(NumericError);
    expect(() => new BunchKaufman([1, 2], 2)).toThrow(/no 2 × 2 matrix/);
    expect(() => new BunchKaufman([1], 1).solve([1, 2])).toThrow(/not 1 right-hand sides of 1/);
  });
});
