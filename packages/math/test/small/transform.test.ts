import { describe, expect, it } from 'vitest';
import {
  composeTransforms,
  distance3,
  invertTransform,
  length3,
  linearPart,
  Random,
  transformOf,
  transformPoint,
  triangleNormal,
} from '../../src/index.ts';
import { largestDifference, randomMatrix } from '../matrices.ts';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const random = new Random(42);
/** Well away from flat. */
const randomTransform = () => randomMatrix(random, 3, 4).map((x, k) => x + (k % 5 === 0 ? 4 : 0));

function moved(a: ArrayLike<number>, p: ArrayLike<number>): Float64Array {
  const out = new Float64Array(3);
  transformPoint(a, 0, p[0], p[1], p[2], out, 0);
  return out;
}

describe('transforms', () => {
  it('leave points alone where they are the identity', () => {
    expect([...moved(IDENTITY, [1, -2, 3])]).toEqual([1, -2, 3]);
    const [a, out] = [randomTransform(), new Float64Array(12)];
    composeTransforms(a, 0, IDENTITY, 0, out, 0);
    expect(out).toEqual(a);
    composeTransforms(IDENTITY, 0, a, 0, out, 0);
    expect(out).toEqual(a);
  });

  it('turn and shift, by hand', () => {
    // A quarter turn about z, then one up.
    expect([...moved([0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1], [2, 3, 4])]).toEqual([-3, 2, 5]);
  });

  it('compose to one after the other, also onto one of them', () => {
    for (let round = 0; round < 50; round++) {
      const [a, b, p] = [randomTransform(), randomTransform(), randomMatrix(random, 1, 3)];
      const both = new Float64Array(13);
      composeTransforms(a, 0, b, 0, both, 1);
      expect(largestDifference(moved(both.subarray(1), p), moved(a, moved(b, p)))).toBeLessThan(1e-12);
      const [left, right] = [a.slice(), b.slice()];
      composeTransforms(left, 0, b, 0, left, 0);
      composeTransforms(a, 0, right, 0, right, 0);
      expect(left).toEqual(both.subarray(1));
      expect(right).toEqual(both.subarray(1));
    }
  });

  it('have an inverse', () => {
    for (let round = 0; round < 50; round++) {
      const [a, inverse, product] = [randomTransform(), new Float64Array(12), new Float64Array(12)];
      invertTransform(a, 0, inverse, 0);
      composeTransforms(a, 0, inverse, 0, product, 0);
      expect(largestDifference(product, IDENTITY)).toBeLessThan(1e-13);
      invertTransform(a, 0, a, 0);
      expect(a).toEqual(inverse);
    }
  });

  it('come apart and together', () => {
    const [a, linear] = [randomTransform(), new Float64Array(10)];
    linearPart(a, 0, linear, 1);
    expect(transformOf(linear, 1, [a[3], a[7], a[11]])).toEqual(a);
  });
});

describe('vectors', () => {
  it('have lengths and distances', () => {
    expect(length3([9, 2, 3, 6], 1)).toBe(7);
    expect(distance3([1, 1, 1], 0, [0, 3, 4, 7], 1)).toBe(7);
  });

  it('span triangles: the normal is twice the area long, counter-clockwise out', () => {
    const out = new Float64Array(4);
    triangleNormal([0, 0, 5, 2, 0, 5, 0, 3, 5], 0, 1, 2, out, 1);
    expect([...out]).toEqual([0, 0, 0, 6]);
    triangleNormal([1, 1, 1, 1, 1, 1, 2, 2, 2], 0, 1, 2, out, 1);
    expect([...out]).toEqual([0, 0, 0, 0]);
  });
});
