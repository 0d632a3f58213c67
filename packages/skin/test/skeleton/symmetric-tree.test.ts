/** Pairs of bones over a mirror plane. */
import { expect, it } from 'vitest';
import { mirrorPoints, withoutPartners } from '../../src/skeleton/symmetric-tree.ts';

const X = { normal: [1, 0, 0], offset: 0 };

it('mirrors joints of pairs and moves those between them into the plane', () => {
  const points = Float64Array.of(9, 9, 9, 0.2, 1, 0, 1, 2, 0, -3, 2, 0);
  mirrorPoints(points, Int32Array.of(0, 1, 3, 2), X, Int32Array.of(-1, 0, 1, 1));
  expect([...points]).toEqual([9, 9, 9, 0, 1, 0, 2, 2, 0, -2, 2, 0]);
});

it('leaves alone what has no image, or hangs from bones that are no pair', () => {
  const points = Float64Array.of(0, 0, 0, 0, 1, 0, 1, 2, 0, -3, 2, 0);
  const before = [...points];
  mirrorPoints(points, Int32Array.of(0, 1, -1, -1), X, Int32Array.of(-1, 0, 1, 1));
  mirrorPoints(points, Int32Array.of(0, 1, 3, 2), X, Int32Array.of(-1, 0, 1, 0));
  expect([...points]).toEqual(before);
});

it('forgets the images of bones that are gone', () => {
  expect([...withoutPartners(Int32Array.of(0, 2, 1, 4, 3), [4])]).toEqual([0, 2, 1, -1]);
});
