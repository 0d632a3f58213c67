import { InputError } from './errors.ts';
import { requireFinite, requireIndices, requireLength } from './require.ts';

/** Numbers of a capsule: one end, the other, and the radius. */
export const CAPSULE_SIZE = 7;

/** Capsules of a body at rest. */
export interface Capsules {
  /** C: the bone that carries each */
  readonly bones: Uint16Array;
  /** C × 7: the ends of the segment at rest, and the radius */
  readonly shapes: Float64Array;
}

/**
 * Throws `InputError` unless every capsule has a bone, finite ends and a radius from 0 on.
 *
 * @param joints  m of the skeleton
 * @example
 * {@includeCode ../examples/capsules.ts}
 */
export function validateCapsules({ bones, shapes }: Capsules, joints: number): void {
  requireIndices('capsules: bones', bones, joints);
  requireLength('capsules: shapes', shapes, CAPSULE_SIZE * bones.length);
  requireFinite('capsules: shapes', shapes);
  for (let c = 0; c < bones.length; c++) {
    const radius = shapes[CAPSULE_SIZE * c + 6];
    if (!(radius >= 0)) throw new InputError(`capsules: the radius of capsule ${c} is ${radius}, expected 0 or more`);
  }
}
