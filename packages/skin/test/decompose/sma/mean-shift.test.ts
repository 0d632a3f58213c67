import { KdTree, Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { meanShift } from '../../../src/decompose/sma/mean-shift.ts';

function shift(points: Float64Array, dimension: number, bandwidth: number, weights?: Float64Array) {
  const all = weights ?? new Float64Array(points.length / dimension).fill(1);
  return meanShift(new KdTree(points, dimension), points, all, bandwidth);
}

/** `each` points about each centre, within ±0.1. */
function blobs(centres: readonly (readonly number[])[], each: number): Float64Array {
  const random = new Random(5);
  return Float64Array.from(
    centres.flatMap((centre) =>
      Array.from({ length: each }, () => centre.map((x) => x + random.uniform(-0.1, 0.1))).flat(),
    ),
  );
}

describe('meanShift', () => {
  it('leaves a single point where it is', () => {
    const { centres, modeOf } = shift(Float64Array.of(2, 3), 2, 1);
    expect(centres).toEqual(Float64Array.of(2, 3));
    expect(modeOf).toEqual(Int32Array.of(0));
  });

  it('finds the mean of points that lie within one bandwidth', () => {
    const { centres } = shift(Float64Array.of(0, 1, 2), 1, 2.5);
    expect(centres.length).toBe(1);
    expect(centres[0]).toBeCloseTo(1, 9);
  });

  it('counts a point as often as its weight says', () => {
    const { centres } = shift(Float64Array.of(0, 1), 1, 2, Float64Array.of(3, 1));
    expect(centres[0]).toBeCloseTo(0.25, 9);
  });

  it('recovers blobs that are further apart than the bandwidth, the largest first', () => {
    const many = [
      ...blobs([[0, 0, 0]], 40),
      ...blobs(
        [
          [2, 0, 0],
          [0, 3, 1],
        ],
        25,
      ),
    ];
    const { centres, modeOf } = shift(Float64Array.from(many), 3, 0.6);
    expect(centres.length / 3).toBe(3);
    expect(new Set(modeOf.subarray(0, 40))).toEqual(new Set([0]));
    expect(new Set(modeOf.subarray(40, 65)).size).toBe(1);
    expect(new Set(modeOf.subarray(65)).size).toBe(1);
    expect(modeOf[40]).not.toBe(modeOf[65]);
    expect(Math.hypot(...centres.subarray(0, 3))).toBeLessThan(0.1);
  });

  it('has one mode for a wide bandwidth and one a point for a narrow one', () => {
    const points = blobs(
      [
        [0, 0],
        [4, 0],
      ],
      6,
    );
    expect(shift(points, 2, 100).centres.length).toBe(2);
    expect(shift(points, 2, 1e-6).centres.length).toBe(points.length);
  });

  it('moves and scales with the points', () => {
    const points = blobs(
      [
        [0, 0],
        [1.5, 0],
        [0, 2],
      ],
      20,
    );
    const plain = shift(points, 2, 0.5);
    const moved = shift(
      points.map((x, k) => 1024 * x + (k % 2 === 0 ? 4096 : -512)),
      2,
      512,
    );
    expect(moved.modeOf).toEqual(plain.modeOf);
    plain.centres.forEach((x, k) => {
      expect(moved.centres[k]).toBeCloseTo(1024 * x + (k % 2 === 0 ? 4096 : -512), 6);
    });
  });
});
