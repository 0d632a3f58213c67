import { describe, expect, it } from 'vitest';
import { factorSmall, Random, solveSmall, solveSmallVector } from '../../src/index.ts';
import { identity, largestDifference, multiply, randomMatrix, randomPositiveDefinite } from '../matrices.ts';

describe('small Cholesky', () => {
  it('leaves the identity alone', () => {
    const a = identity(4);
    expect(factorSmall(a, 4, 4)).toBe(true);
    const b = Float64Array.of(1, 2, 3, 4);
    solveSmall(a, 4, 4, b, 1);
    expect([...b]).toEqual([1, 2, 3, 4]);
  });

  it('solves, and leaves at zero what a singular matrix does not tell', () => {
    const a = Float64Array.of(4, 0, 2, 5);
    expect(factorSmall(a, 2, 2)).toBe(true);
    const b = Float64Array.of(8, 14);
    solveSmall(a, 2, 2, b, 1);
    expect([...b]).toEqual([0.75, 2.5]);
    const singular = Float64Array.of(1, 1, 1, 1);
    expect(factorSmall(singular, 2, 2)).toBe(false);
    const c = Float64Array.of(3, 3);
    solveSmall(singular, 2, 2, c, 1);
    expect(c[0]).toBeCloseTo(3, 12);
    expect(c[1]).toBeCloseTo(0, 12);
  });

  it('takes any pivot above zero where it is told that none is noise', () => {
    expect(factorSmall(Float64Array.of(1, 0, 1, 1 + 2 ** -52), 2, 2)).toBe(false);
    expect(factorSmall(Float64Array.of(1, 0, 1, 1 + 2 ** -52), 2, 2, 0)).toBe(true);
    expect(factorSmall(Float64Array.of(1, 0, 2, 1), 2, 2, 0)).toBe(false);
  });

  it.each([1, 2, 3, 7, 20])('solves for several columns within wider rows, size %i', (n) => {
    const random = new Random(n);
    const a = randomPositiveDefinite(random, n);
    const wide = new Float64Array(n * (n + 3));
    for (let r = 0; r < n; r++) wide.set(a.subarray(r * n, (r + 1) * n), r * (n + 3));
    const x = randomMatrix(random, n, 4);
    const b = multiply(a, x, n, n, 4);
    expect(factorSmall(wide, n, n + 3)).toBe(true);
    solveSmall(wide, n, n + 3, b, 4);
    expect(largestDifference(b, x)).toBeLessThan(1e-12);
    const vector = multiply(a, x.subarray(0, n), n, n, 1);
    solveSmallVector(wide, n, n + 3, vector);
    expect(largestDifference(vector, x.subarray(0, n))).toBeLessThan(1e-12);
  });
});
