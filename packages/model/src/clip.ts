import { InputError } from './errors.ts';
import { requireFinite, requireLength, requireTimes } from './require.ts';
import { TRANSFORM_SIZE } from './rig.ts';

/** All bones at one moment. */
export interface Pose {
  /** m × 12, row-major 3 × 4 [R | t], rest → pose, in model space */
  readonly transforms: Float64Array;
}

/** All bones over time. */
export interface Clip {
  readonly name: string;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  /** S × m × 12, row-major 3 × 4 [R | t], rest → pose, in model space */
  readonly transforms: Float64Array;
}

/**
 * The pose of frame t of a clip for `bones` bones: a view into the clip, not a copy.
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function poseAt(clip: Clip, t: number, bones: number): Pose {
  const size = bones * TRANSFORM_SIZE;
  return { transforms: clip.transforms.subarray(t * size, (t + 1) * size) };
}

/**
 * Throws `InputError` unless the pose has a finite transform for each of `bones` bones.
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function validatePose(pose: Pose, bones: number): void {
  requireLength('pose: transforms', pose.transforms, bones * TRANSFORM_SIZE);
  requireFinite('pose: transforms', pose.transforms, TRANSFORM_SIZE);
}

/**
 * Throws `InputError` unless times increase and every frame has a finite transform for each bone.
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function validateClip(clip: Clip, bones: number): void {
  const what = `clip '${clip.name}'`;
  if (clip.times.length === 0) throw new InputError(`${what}: no frames`);
  requireTimes(`${what}: times`, clip.times);
  requireLength(`${what}: transforms`, clip.transforms, clip.times.length * bones * TRANSFORM_SIZE);
  requireFinite(`${what}: transforms`, clip.transforms, TRANSFORM_SIZE);
}
