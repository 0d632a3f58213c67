import { InputError } from './errors.ts';
import { requireFinite, requireLength, requireTimes } from './require.ts';

/**
 * The joints of a human body that trackers and capture files agree on. Readers give these names to the joints of their
 * source that lie at these places, whatever the source calls them, so that a performance recorded with one device can
 * be matched with another; all other joints keep the source's own names.
 */
export const BODY_JOINTS = [
  'hips',
  'spine',
  'chest',
  'neck',
  'head',
  'leftShoulder',
  'leftElbow',
  'leftWrist',
  'leftHand',
  'rightShoulder',
  'rightElbow',
  'rightWrist',
  'rightHand',
  'leftHip',
  'leftKnee',
  'leftAnkle',
  'leftToes',
  'rightHip',
  'rightKnee',
  'rightAnkle',
  'rightToes',
] as const;

export type BodyJoint = (typeof BODY_JOINTS)[number];

/** Where the joints of a performer are over time: what a tracker or a capture file says of a body. */
export interface Motion {
  readonly name: string;
  /** J names, no two alike; those in `BODY_JOINTS` have that meaning */
  readonly joints: readonly string[];
  /** S × J × 3, right-handed, +Y up; in any unit */
  readonly positions: Float32Array;
  /** S × J, 0 to 1; at 0 the joint was lost and its position says nothing */
  readonly confidence: Float32Array;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  /**
   * The joints were seen by a camera at +Z, so that +Y is up in its picture, which need not be against gravity: one that
   * measures `depth`, or one whose depths are guessed from a `picture` and uncertain.
   */
  readonly camera?: 'depth' | 'picture';
}

/** A joint of a skeleton whose axes at rest are those of the world. */
export interface SkeletonJoint {
  readonly name: string;
  /** Index of the parent, always smaller than this joint's own; −1 for a root. */
  readonly parent: number;
  /** From the parent to this joint, at rest. */
  readonly offset: readonly [number, number, number];
  /** From this joint to the far end of its bone, at rest; for joints without children. */
  readonly tip?: readonly [number, number, number];
}

/** A skeleton that moves by its joints' rotations: what BVH carries. */
export interface SkeletonMotion {
  readonly name: string;
  readonly joints: readonly SkeletonJoint[];
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  /** S × J × 4, unit quaternions x, y, z, w: joint → parent */
  readonly rotations: Float64Array;
  /** S × J × 3, where the joint sits in its parent's frame; the joint's offset, unless it slides */
  readonly translations: Float64Array;
}

/**
 * The J × 3 joint positions of frame t: a view into the motion, not a copy.
 * @example
 * {@includeCode ../examples/motion.ts}
 */
export function jointsAt(motion: Motion, t: number): Float32Array {
  const size = motion.joints.length * 3;
  return motion.positions.subarray(t * size, (t + 1) * size);
}

/**
 * The frame nearest to a time; the first or the last where the time lies outside.
 *
 * @param times  S seconds, strictly increasing
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function frameNearest(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low > 0 && time - times[low - 1] <= times[low] - time ? low - 1 : low;
}

/**
 * Throws `InputError` unless names differ, sizes fit, numbers are finite and times increase.
 * @example
 * {@includeCode ../examples/motion.ts}
 */
export function validateMotion(motion: Motion): void {
  const what = motion.name ? `motion '${motion.name}'` : 'motion';
  const J = motion.joints.length;
  const S = motion.times.length;
  requireNames(what, motion.joints);
  if (S === 0) throw new InputError(`${what}: no frames`);
  requireTimes(`${what}: times`, motion.times);
  requireLength(`${what}: positions (${S} frames of ${J} joints)`, motion.positions, S * J * 3);
  requireLength(`${what}: confidence (${S} frames of ${J} joints)`, motion.confidence, S * J);
  requireFinite(`${what}: positions`, motion.positions, 3);
  for (let k = 0; k < S * J; k++) {
    const confidence = motion.confidence[k];
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new InputError(
        `${what}: confidence ${confidence} of '${motion.joints[k % J]}' in frame ${Math.floor(k / J)} is not in 0 to 1`,
      );
    }
  }
}

/** How far a quaternion's squared length may be from 1 before it is taken for wrong data. */
const UNIT_TOLERANCE = 1e-4;

/**
 * Throws `InputError` unless parents come first, names differ, sizes fit and rotations are unit quaternions.
 * @example
 * {@includeCode ../examples/motion.ts}
 */
export function validateSkeletonMotion(motion: SkeletonMotion): void {
  const what = motion.name ? `skeleton motion '${motion.name}'` : 'skeleton motion';
  const J = motion.joints.length;
  const S = motion.times.length;
  requireNames(
    what,
    motion.joints.map((joint) => joint.name),
  );
  motion.joints.forEach((joint, j) => {
    if (!Number.isInteger(joint.parent) || joint.parent < -1 || joint.parent >= j) {
      throw new InputError(`${what}: parent ${joint.parent} of '${joint.name}' must be −1 or come before it`);
    }
    for (const vector of [joint.offset, joint.tip ?? joint.offset]) {
      if (!vector.every(Number.isFinite)) {
        throw new InputError(`${what}: offset or tip of '${joint.name}' is not finite: ${vector.join(' ')}`);
      }
    }
  });
  if (S === 0) throw new InputError(`${what}: no frames`);
  requireTimes(`${what}: times`, motion.times);
  requireLength(`${what}: rotations (${S} frames of ${J} joints)`, motion.rotations, S * J * 4);
  requireLength(`${what}: translations (${S} frames of ${J} joints)`, motion.translations, S * J * 3);
  requireFinite(`${what}: rotations`, motion.rotations, 4);
  requireFinite(`${what}: translations`, motion.translations, 3);
  for (let k = 0; k < S * J; k++) {
    let squared = 0;
    for (let c = 4 * k; c < 4 * k + 4; c++) squared += motion.rotations[c] ** 2;
    if (Math.abs(squared - 1) > UNIT_TOLERANCE) {
      throw new InputError(
        `${what}: rotation of '${motion.joints[k % J].name}' in frame ${Math.floor(k / J)} is not a unit quaternion`,
      );
    }
  }
}

function requireNames(what: string, names: readonly string[]): void {
  if (names.length === 0) throw new InputError(`${what}: no joints`);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new InputError(`${what}: two joints are called '${name}'`);
    seen.add(name);
  }
}
