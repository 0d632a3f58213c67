import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupPoints } from '../../../src/decompose/sma/point-groups.ts';

const points = fc.integer({ min: 1, max: 4 }).chain((dimension) =>
  fc.record({
    dimension: fc.constant(dimension),
    values: fc
      .array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: dimension, maxLength: 60 })
      .map((all) => Float64Array.from(all.slice(0, all.length - (all.length % dimension)))),
  }),
);

describe('groupPoints', () => {
  it('leaves different points as they are where there is room, and counts the same ones', () => {
    const { centres, weights, groupOf } = groupPoints(Float64Array.of(0, 0, 5, 1, 0, 0, 5, 1, 2, 2), 2, 10);
    const pairs = Array.from(groupOf, (group) => [centres[2 * group], centres[2 * group + 1]]);
    expect(pairs).toEqual([
      [0, 0],
      [5, 1],
      [0, 0],
      [5, 1],
      [2, 2],
    ]);
    expect(Array.from(groupOf, (group) => weights[group])).toEqual([2, 2, 2, 2, 1]);
  });

  it('cuts where the points are furthest apart', () => {
    // On a line: 0, 1 and 10, 11.
    const { centres, groupOf } = groupPoints(Float64Array.of(0, 10, 1, 11), 1, 2);
    expect(groupOf[0]).toBe(groupOf[2]);
    expect(groupOf[1]).toBe(groupOf[3]);
    expect([...centres].sort((a, b) => a - b)).toEqual([0.5, 10.5]);
  });

  it('gives every point a group whose centre is the mean of its points', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 12 }), ({ values, dimension }, most) => {
        const count = values.length / dimension;
        const { centres, weights, groupOf } = groupPoints(values, dimension, most);
        expect(weights.length).toBeLessThanOrEqual(most);
        const sums = new Float64Array(centres.length);
        const counts = new Float64Array(weights.length);
        for (let k = 0; k < count; k++) {
          counts[groupOf[k]]++;
          for (let d = 0; d < dimension; d++) sums[groupOf[k] * dimension + d] += values[k * dimension + d];
        }
        expect(counts).toEqual(weights);
        for (let k = 0; k < sums.length; k++) {
          expect(centres[k]).toBeCloseTo(sums[k] / counts[Math.floor(k / dimension)], 9);
        }
      }),
      { seed: 3 },
    );
  });

  it('groups the same at any size', () => {
    const values = Float64Array.from({ length: 90 }, (_, k) => Math.sin(k * k));
    const plain = groupPoints(values, 3, 8).groupOf;
    for (const scale of [2 ** 20, 2 ** -20])
      expect(
        groupPoints(
          values.map((x) => scale * x),
          3,
          8,
        ).groupOf,
      ).toEqual(plain);
  });

  it('takes one point, and points that are all the same', () => {
    expect(groupPoints(Float64Array.of(3, 4), 2, 5).weights).toEqual(Float64Array.of(1));
    expect(groupPoints(new Float64Array(12).fill(7), 2, 5).weights).toEqual(Float64Array.of(6));
  });
});
