// @ts-check
import { PERFORMER_BONES } from '@pelt/testkit';
import { bonesItem } from './describe.mjs';

/**
 * The joints of a performer as a stick figure.
 *
 * @param {Float32Array} joints  J × 3
 */
export function performerItem(joints) {
  const transforms = new Float64Array(12 * PERFORMER_BONES.length);
  PERFORMER_BONES.forEach(({ rest }, j) => {
    const shift = [0, 1, 2].map((c) => joints[3 * j + c] - rest[4 * c + 3]);
    transforms.set([1, 0, 0, shift[0], 0, 1, 0, shift[1], 0, 0, 1, shift[2]], 12 * j);
  });
  return bonesItem(PERFORMER_BONES, transforms, { radius: 0.03 });
}
