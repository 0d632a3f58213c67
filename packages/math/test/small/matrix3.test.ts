import { describe, expect, it } from 'vitest';
import {
  adjugate3,
  determinant3,
  invert3,
  multiply3,
  multiplyTransposed3,
  Random,
  rotate3,
  setIdentity3,
  transposed3,
} from '../../src/index.ts';
import { identity, largestDifference, multiply, randomMatrix, transpose } from '../matrices.ts';
import { determinant, diagonal } from './three.ts';

const random = new Random(41);
/** Matrices in the middle of a longer array, from index 5. */
const held = () => randomMatrix(random, 1, 20);

describe('3 × 3 matrices', () => {
  it('multiply as any matrices do, also onto one of the factors', () => {
    for (let round = 0; round < 50; round++) {
      const [a, b] = [held(), held()];
      const expected = multiply(a.subarray(5, 14), b.subarray(5, 14), 3, 3, 3);
      const out = new Float64Array(12);
      multiply3(a, 5, b, 5, out, 2);
      expect(largestDifference(out.subarray(2, 11), expected)).toBeLessThan(1e-15);
      const [left, right] = [a.slice(), b.slice()];
      multiply3(left, 5, b, 5, left, 5);
      multiply3(a, 5, right, 5, right, 5);
      expect(left.subarray(5, 14)).toEqual(out.subarray(2, 11));
      expect(right.subarray(5, 14)).toEqual(out.subarray(2, 11));
    }
  });

  it('multiply transposed', () => {
    const [a, b] = [held(), held()];
    const out = new Float64Array(9);
    multiplyTransposed3(a, 5, b, 5, out, 0);
    const expected = multiply(transpose(a.subarray(5, 14), 3, 3), b.subarray(5, 14), 3, 3, 3);
    expect(largestDifference(out, expected)).toBeLessThan(1e-15);
    expect(transposed3(a.subarray(5, 14))).toEqual(transpose(a.subarray(5, 14), 3, 3));
  });

  it('turn vectors', () => {
    // A quarter turn about z takes (1, 2, 3) to (−2, 1, 3).
    const out = new Float64Array(4);
    rotate3([0, -1, 0, 1, 0, 0, 0, 0, 1], 0, [9, 1, 2, 3], 1, out, 1);
    expect([...out]).toEqual([0, -2, 1, 3]);
  });

  it('have an adjugate and a determinant, by hand', () => {
    // Rows (2 0 1), (0 3 0), (1 0 1): det = 3 (2 − 1) = 3.
    const a = [2, 0, 1, 0, 3, 0, 1, 0, 1];
    const out = new Float64Array(9);
    expect(adjugate3(a, 0, out, 0)).toBe(3);
    expect([...out].map((x) => x + 0)).toEqual([3, 0, -3, 0, 1, 0, -3, 0, 6]);
    expect(determinant3(a, 0)).toBe(3);
    // The same as the linear part of a transform.
    const rows = [7, 2, 0, 1, 9, 0, 3, 0, 9, 1, 0, 1, 9];
    expect(determinant3(rows, 1, 4)).toBe(3);
    const strided = new Float64Array(9);
    expect(adjugate3(rows, 1, strided, 0, 4)).toBe(3);
    expect(strided).toEqual(out);
  });

  it('invert, at every scale and in place', () => {
    for (const scale of [1e-60, 1, 1e60]) {
      for (let round = 0; round < 50; round++) {
        const a = randomMatrix(random, 3, 3).map((x, k) => scale * (x + (k % 4 === 0 ? 4 : 0)));
        const inverse = a.slice();
        invert3(inverse, 0, inverse, 0);
        expect(largestDifference(multiply(a, inverse, 3, 3, 3), identity(3))).toBeLessThan(1e-14);
        expect(determinant3(a, 0) / determinant(a)).toBeCloseTo(1, 12);
      }
    }
  });

  it('begin as the identity', () => {
    const out = new Float64Array(11).fill(5);
    setIdentity3(out, 1);
    expect([...out]).toEqual([5, ...diagonal(1, 1, 1), 5]);
  });
});
