import { describe, expect, it } from 'vitest';
import { Random, svd3 } from '../../src/index.ts';
import {
  identity,
  largestDifference,
  largestEntry,
  multiply,
  orthogonalityError,
  randomMatrix,
  transpose,
} from '../matrices.ts';
import { determinant, diagonal, product, randomRotation } from './three.ts';

function decompose(a: ArrayLike<number>) {
  const [u, s, v] = [new Float64Array(9), new Float64Array(3), new Float64Array(9)];
  svd3(a, 0, u, s, v);
  return { u, s, v };
}

function validate(a: Float64Array): { u: Float64Array; s: Float64Array; v: Float64Array } {
  const { u, s, v } = decompose(a);
  const size = largestEntry(a);
  expect(s[0] >= s[1] && s[1] >= Math.abs(s[2])).toBe(true);
  for (const q of [u, v]) {
    expect(orthogonalityError(q, 3, 3)).toBeLessThan(5e-15);
    expect(Math.abs(determinant(q) - 1)).toBeLessThan(5e-15);
  }
  // Singular values below 2⁻⁴⁴ of the first are given as zero.
  const again = product(u, diagonal(s[0], s[1], s[2]), transpose(v, 3, 3));
  expect(largestDifference(again, a)).toBeLessThanOrEqual(size * (s[1] === 0 ? 1e-13 : 5e-15));
  return { u, s, v };
}

describe('svd3', () => {
  it('leaves a sorted diagonal alone, exactly', () => {
    const { u, s, v } = decompose(diagonal(3, 2, 1));
    expect([...s]).toEqual([3, 2, 1]);
    expect(largestDifference(u, identity(3))).toBe(0);
    expect(largestDifference(v, identity(3))).toBe(0);
  });

  it('sorts, and puts the sign of the determinant on the last value', () => {
    expect([...decompose(diagonal(1, 3, 2)).s]).toEqual([3, 2, 1]);
    expect([...decompose(diagonal(1, -3, 2)).s]).toEqual([3, 2, -1]);
    expect([...decompose(diagonal(-1, -3, 2)).s]).toEqual([3, 2, 1]);
  });

  it('takes zero, one column, one row, equal columns', () => {
    expect([...decompose(new Float64Array(9)).s]).toEqual([0, 0, 0]);
    validate(Float64Array.of(1, 0, 0, 2, 0, 0, 2, 0, 0));
    validate(Float64Array.of(0, 0, 0, 1, 2, 2, 0, 0, 0));
    const { s } = validate(Float64Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1));
    expect(s[0]).toBeCloseTo(3, 14);
    expect([s[1], s[2]]).toEqual([0, 0]);
  });

  it.each([1e-300, 1e-6, 1, 1e6, 1e300])('reconstructs random matrices at scale %f', (scale) => {
    const random = new Random(21);
    for (let round = 0; round < 500; round++) {
      const { s } = validate(randomMatrix(random, 3, 3).map((x) => x * scale));
      expect(Math.abs(s[2])).toBeGreaterThan(0);
    }
  });

  it.each([1e-3, 1e-7, 1e-11])('recovers values spread over %f', (spread) => {
    const random = new Random(22);
    for (let round = 0; round < 300; round++) {
      const values = [1, Math.sqrt(spread), round % 2 ? spread : -spread];
      const a = product(
        randomRotation(random),
        diagonal(values[0], values[1], values[2]),
        transpose(randomRotation(random), 3, 3),
      );
      expect(largestDifference(validate(a).s, values)).toBeLessThan(3e-15);
    }
  });

  it('is the same at every power of two, exactly', () => {
    const random = new Random(23);
    const a = randomMatrix(random, 3, 3);
    const one = decompose(a);
    for (const scale of [2 ** -600, 2 ** -20, 2 ** 20, 2 ** 600]) {
      const other = decompose(a.map((x) => x * scale));
      expect(other.u).toEqual(one.u);
      expect(other.v).toEqual(one.v);
      expect(other.s).toEqual(one.s.map((x) => x * scale));
    }
  });

  it('agrees with the eigenvalues of AᵀA', () => {
    const random = new Random(24);
    for (let round = 0; round < 100; round++) {
      const a = randomMatrix(random, 3, 3);
      const { s } = decompose(a);
      const gram = multiply(transpose(a, 3, 3), a, 3, 3, 3);
      // Characteristic polynomial from the singular values: trace, determinant.
      expect(s[0] ** 2 + s[1] ** 2 + s[2] ** 2).toBeCloseTo(gram[0] + gram[4] + gram[8], 10);
      expect(s[0] * s[1] * s[2]).toBeCloseTo(determinant(a), 10);
    }
  });

  it('passes on what is not finite', () => {
    const { u, s, v } = decompose([1, 0, 0, 0, Number.NaN, 0, 0, 0, 1]);
    expect([...u, ...s, ...v].every(Number.isNaN)).toBe(true);
  });
});
