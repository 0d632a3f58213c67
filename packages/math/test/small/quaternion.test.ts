import { describe, expect, it } from 'vitest';
import { multiplyQuaternions, quaternionFromRotation, Random, rotationFromQuaternion, slerp } from '../../src/index.ts';
import { identity, largestDifference, orthogonalityError } from '../matrices.ts';
import { product, randomRotation } from './three.ts';

function toQuaternion(r: ArrayLike<number>): Float64Array {
  const out = new Float64Array(4);
  quaternionFromRotation(r, 0, out, 0);
  return out;
}

function toRotation(q: ArrayLike<number>): Float64Array {
  const out = new Float64Array(9);
  rotationFromQuaternion(q, 0, out, 0);
  return out;
}

function between(a: ArrayLike<number>, b: ArrayLike<number>, t: number): Float64Array {
  const out = new Float64Array(4);
  slerp(a, 0, b, 0, t, out, 0);
  return out;
}

/** Angle of the rotation that takes a to b. */
function angleBetween(a: Float64Array, b: Float64Array): number {
  const r = product(transposed(toRotation(a)), toRotation(b));
  return Math.acos(Math.min(Math.max((r[0] + r[4] + r[8] - 1) / 2, -1), 1));
}

function transposed(r: Float64Array): Float64Array {
  return Float64Array.of(r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]);
}

describe('quaternions and matrices', () => {
  it('are the identity together, exactly', () => {
    expect([...toQuaternion(identity(3))]).toEqual([0, 0, 0, 1]);
    expect(largestDifference(toRotation([0, 0, 0, 1]), identity(3))).toBe(0);
  });

  it('name half turns about the axes', () => {
    expect([...toQuaternion([1, 0, 0, 0, -1, 0, 0, 0, -1])]).toEqual([1, 0, 0, 0]);
    expect([...toQuaternion([-1, 0, 0, 0, 1, 0, 0, 0, -1])]).toEqual([0, 1, 0, 0]);
    expect([...toQuaternion([-1, 0, 0, 0, -1, 0, 0, 0, 1])]).toEqual([0, 0, 1, 0]);
  });

  it.each([1e-10, 0.5, 2, 3, Math.PI - 1e-9, Math.PI])('round-trip at angle %f, in every octant', (angle) => {
    const random = new Random(41);
    for (let round = 0; round < 300; round++) {
      const r = randomRotation(random, angle);
      const q = toQuaternion(r);
      expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(5e-16);
      expect(q[3]).toBeGreaterThanOrEqual(0);
      expect(largestDifference(toRotation(q), r)).toBeLessThan(3e-15);
      expect(orthogonalityError(toRotation(q), 3, 3)).toBeLessThan(3e-15);
    }
  });

  it('multiply alike', () => {
    const random = new Random(42);
    for (let round = 0; round < 100; round++) {
      const [a, b] = [randomRotation(random), randomRotation(random)];
      const q = toQuaternion(a);
      multiplyQuaternions(q, 0, toQuaternion(b), 0, q, 0);
      expect(largestDifference(toRotation(q), product(a, b))).toBeLessThan(3e-15);
    }
  });
});

describe('slerp', () => {
  it('starts at a and ends at b', () => {
    const random = new Random(43);
    const a = toQuaternion(randomRotation(random));
    const b = toQuaternion(randomRotation(random));
    expect(largestDifference(between(a, b, 0), a)).toBeLessThan(1e-15);
    expect(angleBetween(between(a, b, 1), b)).toBeLessThan(1e-7);
  });

  it.each([1e-9, 1e-5, 0.3, 2, 3.1])('goes at constant speed over an angle of %f', (angle) => {
    const random = new Random(44);
    for (let round = 0; round < 50; round++) {
      const r = randomRotation(random);
      const a = toQuaternion(r);
      const b = toQuaternion(product(r, randomRotation(random, angle)));
      // Also across the two signs of a quaternion: the shorter arc either way.
      const sign = round % 2 ? 1 : -1;
      const signed = b.map((x) => sign * x);
      for (const t of [0.25, 0.5, 0.9]) {
        const q = between(a, signed, t);
        expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(5e-16);
        expect(Math.abs(angleBetween(a, q) - t * angle)).toBeLessThan(1e-7);
      }
    }
  });

  it('stays where both are the same', () => {
    const q = toQuaternion(randomRotation(new Random(45)));
    expect(largestDifference(between(q, q, 0.3), q)).toBeLessThan(1e-15);
  });
});
