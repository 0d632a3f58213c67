import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { kMeans } from '../../../src/decompose/lssp/k-means.ts';

/** `count` points around each centre. */
function clouds(centres: readonly (readonly [number, number])[], count: number, spread: number): Float64Array {
  const random = new Random(3);
  return Float64Array.from(
    centres.flatMap((centre) =>
      Array.from({ length: count }, () => centre.map((x) => x + random.uniform(-spread, spread))).flat(),
    ),
  );
}

describe('kMeans', () => {
  it('has one cluster of all points where one is asked for', () => {
    expect(kMeans(Float64Array.of(1, 5, 2, 9), 1, 1)).toEqual(Int32Array.of(0, 0, 0, 0));
  });

  it('cuts a line where the gap is', () => {
    // 2, 3 and 4 stand together; the mean is 5, so that the first centre is 4.
    expect(kMeans(Float64Array.of(2, 3, 4, 11), 1, 2)).toEqual(Int32Array.of(0, 0, 0, 1));
  });

  it('finds clouds that stand apart, an outlying small one among them', () => {
    const centres = [
      [0, 0],
      [4, 0],
      [0, 5],
      [40, 40],
    ] as const;
    const labels = kMeans(clouds(centres, 25, 1), 2, 4);
    for (let k = 0; k < 4; k++) expect(new Set(labels.subarray(25 * k, 25 * (k + 1))).size).toBe(1);
    expect(new Set(labels).size).toBe(4);
  });

  it('leaves every point with the nearest mean', () => {
    const points = clouds([[0, 0]], 200, 1);
    const labels = kMeans(points, 2, 7);
    const means = Array.from({ length: 7 }, (_, c) => {
      const own = Array.from(labels.keys()).filter((i) => labels[i] === c);
      return [0, 1].map((d) => own.reduce((sum, i) => sum + points[2 * i + d], 0) / own.length);
    });
    labels.forEach((label, i) => {
      const squared = means.map(([x, y]) => (points[2 * i] - x) ** 2 + (points[2 * i + 1] - y) ** 2);
      expect(squared[label]).toBeLessThan(Math.min(...squared) + 1e-12);
    });
  });

  it('takes fewer points than clusters, and points that coincide', () => {
    expect(kMeans(Float64Array.of(3, 8), 1, 5)).toEqual(Int32Array.of(0, 1));
    expect(kMeans(new Float64Array(8), 2, 3)).toEqual(new Int32Array(4));
  });
});
