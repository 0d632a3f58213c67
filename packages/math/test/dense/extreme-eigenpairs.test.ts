import { describe, expect, it } from 'vitest';
import { extremeEigenpairs, Random, symmetricEigen } from '../../src/index.ts';
import { identity, largestDifference, multiply, orthogonalityError, randomMatrix } from '../matrices.ts';

function operator(a: Float64Array, n: number) {
  return (x: Float64Array, out: Float64Array) => out.set(multiply(a, x, n, n, 1));
}

function randomSymmetric(random: Random, n: number): Float64Array {
  const a = randomMatrix(random, n, n);
  return a.map((x, k) => x + a[(k % n) * n + Math.floor(k / n)]);
}

/** Second differences on a ring of n points. */
function ring(n: number): Float64Array {
  const a = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    a[k * n + k] += 2;
    a[k * n + ((k + 1) % n)] -= 1;
    a[((k + 1) % n) * n + k] -= 1;
  }
  return a;
}

function validate(a: Float64Array, n: number, count: number, end: 'largest' | 'smallest'): void {
  const { values, vectors } = extremeEigenpairs(operator(a, n), n, count, { end });
  const all = symmetricEigen(a, n).values;
  const expected = end === 'largest' ? all.toReversed().slice(0, count) : all.slice(0, count);
  const size = Math.max(Math.abs(all[0]), Math.abs(all[n - 1]));
  expect(largestDifference(values, expected)).toBeLessThan(1e-9 * size);
  expect(orthogonalityError(vectors, n, count)).toBeLessThan(1e-12);
  const left = multiply(a, vectors, n, n, count);
  const right = vectors.map((x, k) => x * values[k % count]);
  expect(largestDifference(left, right)).toBeLessThan(1e-9 * size);
}

describe('extremeEigenpairs', () => {
  it('gives ones for the identity', () => {
    const { values, vectors } = extremeEigenpairs((x, out) => out.set(x), 30, 3);
    expect(largestDifference(values, [1, 1, 1])).toBeLessThan(1e-15);
    expect(orthogonalityError(vectors, 30, 3)).toBeLessThan(1e-14);
  });

  it('finds the ends of a diagonal', () => {
    const multiplyDiagonal = (x: Float64Array, out: Float64Array) => {
      for (let k = 0; k < 100; k++) out[k] = (k + 1) * x[k];
    };
    const { values, vectors } = extremeEigenpairs(multiplyDiagonal, 100, 2, { end: 'smallest' });
    expect(largestDifference(values, [1, 2])).toBeLessThan(1e-9);
    expect(Math.abs(vectors[0])).toBeCloseTo(1, 8);
  });

  it.each([1, 2, 3, 7, 64, 65, 150])('agrees with the dense solver at both ends, size %i', (n) => {
    const random = new Random(n);
    for (const count of new Set([1, Math.min(3, n), Math.min(8, n)])) {
      validate(randomSymmetric(random, n), n, count, 'largest');
      validate(randomSymmetric(random, n), n, count, 'smallest');
    }
  });

  it('finds double eigenvalues twice: a ring', () => {
    validate(ring(80), 80, 7, 'smallest');
    validate(ring(80), 80, 6, 'largest');
  });

  it('finds zero once for each part of a graph', () => {
    const n = 60;
    const a = new Float64Array(n * n);
    // Four rings of 15 that do not touch.
    const part = ring(15);
    for (let block = 0; block < 4; block++) {
      for (let k = 0; k < 225; k++) a[(15 * block + Math.floor(k / 15)) * n + 15 * block + (k % 15)] = part[k];
    }
    const { values } = extremeEigenpairs(operator(a, n), n, 6, { end: 'smallest' });
    expect(values.filter((x) => Math.abs(x) < 1e-9).length).toBe(4);
    expect(values[4]).toBeGreaterThan(0.1);
  });

  it('restarts until slow directions have converged', () => {
    const n = 400;
    const { values, products } = extremeEigenpairs(operator(ring(n), n), n, 3, { end: 'smallest' });
    const first = 2 - 2 * Math.cos((2 * Math.PI) / n);
    expect(largestDifference(values, [0, first, first])).toBeLessThan(1e-9);
    expect(products).toBeGreaterThan(50);
  });

  it.each([1e-6, 1e6])('scales, by %f', (scale) => {
    const a = randomSymmetric(new Random(5), 50);
    const one = extremeEigenpairs(operator(a, 50), 50, 3);
    const other = extremeEigenpairs(
      operator(
        a.map((x) => x * scale),
        50,
      ),
      50,
      3,
    );
    expect(
      largestDifference(
        other.values.map((x) => x / scale),
        one.values,
      ),
    ).toBeLessThan(1e-9 * one.values[0]);
  });

  it('gives the same bits for the same seed', () => {
    const a = randomSymmetric(new Random(6), 70);
    const run = (seed: number) => extremeEigenpairs(operator(a, 70), 70, 4, { seed });
    expect(run(3)).toEqual(run(3));
    expect(run(3).vectors).not.toEqual(run(4).vectors);
  });

  it('takes the zero operator, no pairs, and refuses what cannot be', () => {
    expect([...extremeEigenpairs((_, out) => out.fill(0), 10, 2).values]).toEqual([0, 0]);
    expect(extremeEigenpairs(operator(identity(3), 3), 3, 0).values.length).toBe(0);
    expect(() => extremeEigenpairs(operator(identity(3), 3), 3, 4)).toThrow(/more than the 3/);
    expect(() => extremeEigenpairs((_, out) => out.fill(Number.NaN), 5, 1)).toThrow(/not finite/);
    const options = { end: 'smallest', maxProducts: 40 } as const;
    expect(() => extremeEigenpairs(operator(ring(500), 500), 500, 3, options)).toThrow(/not converged after/);
  });
});
