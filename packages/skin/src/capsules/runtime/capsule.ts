/** Capsules about the bones of a body: all points within a radius of a segment that a bone carries. */
import { CAPSULE_SIZE, type Capsules, TRANSFORM_SIZE } from '@pelt/model';

/**
 * The capsules in a pose: bones are taken as rigid, so that radii stay.
 *
 * @param transforms  of all bones, 12 each, rest → pose
 * @param first       index of the bone 0 in `transforms`
 * @param out         C × 7; overwritten
 * @example
 * {@includeCode ../../../examples/capsules.ts}
 */
export function poseCapsules(
  { bones, shapes }: Capsules,
  transforms: Float64Array,
  first: number,
  out: Float64Array,
): Float64Array {
  for (let c = 0; c < bones.length; c++) {
    const T = TRANSFORM_SIZE * (first + bones[c]);
    for (let end = CAPSULE_SIZE * c; end < CAPSULE_SIZE * c + 6; end += 3) {
      const x = shapes[end];
      const y = shapes[end + 1];
      const z = shapes[end + 2];
      for (let r = 0; r < 3; r++) {
        const row = T + 4 * r;
        out[end + r] = transforms[row] * x + transforms[row + 1] * y + transforms[row + 2] * z + transforms[row + 3];
      }
    }
    out[CAPSULE_SIZE * c + 6] = shapes[CAPSULE_SIZE * c + 6];
  }
  return out;
}

/**
 * The distance of a point from the surface of a posed capsule, negative inside, and the direction out of it.
 *
 * @param posed   C × 7 of `poseCapsules`
 * @param c       which capsule
 * @param normal  3, a unit vector; overwritten
 * @example
 * {@includeCode ../../../examples/capsules.ts}
 */
export function capsuleDistance(
  posed: Float64Array,
  c: number,
  x: number,
  y: number,
  z: number,
  normal: Float64Array,
): number {
  const at = CAPSULE_SIZE * c;
  const ax = posed[at + 3] - posed[at];
  const ay = posed[at + 4] - posed[at + 1];
  const az = posed[at + 5] - posed[at + 2];
  const px = x - posed[at];
  const py = y - posed[at + 1];
  const pz = z - posed[at + 2];
  const square = ax * ax + ay * ay + az * az;
  const along = square > 0 ? Math.min(1, Math.max(0, (px * ax + py * ay + pz * az) / square)) : 0;
  const dx = px - along * ax;
  const dy = py - along * ay;
  const dz = pz - along * az;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  // On the segment itself any direction leads out.
  normal[0] = length > 0 ? dx / length : 0;
  normal[1] = length > 0 ? dy / length : 1;
  normal[2] = length > 0 ? dz / length : 0;
  return length - posed[at + 6];
}

/**
 * How far something at a distance has to be moved to keep a clearance: nothing well beyond it, all of what is missing well
 * inside, and smoothly in between, so that contacts do not pop.
 *
 * @param distance  of `capsuleDistance`
 * @param width     of the zone in which the push sets in, on either side of the clearance
 * @example
 * {@includeCode ../../../examples/capsules.ts}
 */
export function pushOut(distance: number, clearance: number, width: number): number {
  const missing = clearance - distance;
  if (missing <= -width) return 0;
  return missing >= width ? missing : (missing + width) ** 2 / (4 * width);
}
