import { rotationExp } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { RigidStarts } from '../../../src/pose/runtime/rigid-starts.ts';

/** Four points of each of two examples and of the rest pose, relative to their mean: crosses of different lengths. */
const cross = [1, 0, 0, -1, 0, 0, 0, 1, 0.5, 0, -1, -0.5];
const long = cross.map((x, k) => (k < 6 ? 3 * x : x));
const atRest = cross.map((x, k) => (k < 6 ? 2 * x : x));
const places = Float64Array.from([...long, ...cross, ...atRest]);
const R = new Float64Array(9);
rotationExp([0.3, -2, 0.7], 0, R, 0);
const turned = (points: number[]) =>
  Float64Array.from(points, (_, k) => {
    const [r, p] = [k % 3, k - (k % 3)];
    return R[3 * r] * points[p] + R[3 * r + 1] * points[p + 1] + R[3 * r + 2] * points[p + 2];
  });

describe('rigid starts', () => {
  it('are the examples in the order of their distance, with the rotation that places them', () => {
    const starts = new RigidStarts(2, 2);
    starts.find(4, places, turned(cross));
    expect(Array.from(starts.order)).toEqual([1, 0]);
    expect(starts.squares[1]).toBeCloseTo(0, 12);
    // Two of four points are off by one unit each.
    expect(starts.squares[2]).toBeCloseTo(0.5, 12);
    R.forEach((value, k) => {
      expect(starts.rotations[9 + k]).toBeCloseTo(value, 12);
    });
  });

  it('are none for two handles, for which any rotation about their axis is as good', () => {
    const starts = new RigidStarts(2, 2);
    expect(starts.find(2, places, turned(cross))).toBe(false);
    expect(starts.count).toBe(0);
  });

  it('are as many as are wanted, and no more than there are', () => {
    for (const [most, count] of [
      [0, 0],
      [1, 1],
      [5, 2],
    ]) {
      const starts = new RigidStarts(2, most);
      starts.find(4, places, turned(long));
      expect(starts.count).toBe(count);
      if (count > 0) expect(starts.order[0]).toBe(0);
    }
  });
});
