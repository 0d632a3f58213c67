/**
 * Between a skeleton's rotations (BVH) and the transforms of a rig's bones (rest → pose, in the model).
 *
 * A BVH joint has the world's axes at rest, so that with R_j the rotation of a bone from rest to pose the joint's own is
 * R_pᵀ R_j, whatever the bone's frame; its place in the parent is R_pᵀ (x_j − x_p), x the posed origins.
 */
import { linearPart, polarDecomposition, quaternionFromRotation, rotationFromQuaternion } from '@pelt/math';
import {
  type Bone,
  type Clip,
  type SkeletonJoint,
  type SkeletonMotion,
  TRANSFORM_SIZE,
  validateClip,
} from '@pelt/model';
import { FINGER_NAME } from '../motion/finger-name.ts';

/**
 * The motion of a capture skeleton as bones and a clip. The bones have the axes of the world; the rest pose is that of
 * the offsets.
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function clipFromSkeleton(motion: SkeletonMotion): { readonly bones: readonly Bone[]; readonly clip: Clip } {
  const S = motion.times.length;
  const J = motion.joints.length;
  const origins = restOrigins(motion.joints);
  const bones = motion.joints.map(({ name, parent }, j): Bone => {
    const [x, y, z] = origins.subarray(3 * j, 3 * j + 3);
    return { name, parent, rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z) };
  });
  const transforms = new Float64Array(S * J * TRANSFORM_SIZE);
  const rotations = new Float64Array(J * 9);
  const positions = new Float64Array(J * 3);
  for (let t = 0; t < S; t++) {
    poseSkeleton(motion, t, rotations, positions);
    for (let j = 0; j < J; j++) {
      for (let r = 0; r < 3; r++) {
        const row = (t * J + j) * TRANSFORM_SIZE + 4 * r;
        let moved = positions[3 * j + r];
        for (let c = 0; c < 3; c++) {
          transforms[row + c] = rotations[9 * j + 3 * r + c];
          moved -= rotations[9 * j + 3 * r + c] * origins[3 * j + c];
        }
        transforms[row + 3] = moved;
      }
    }
  }
  return { bones, clip: { name: motion.name, times: motion.times, transforms } };
}

/**
 * The motion of the bones of a rig as BVH can store it: scale and shear are lost, joints that slide are kept.
 *
 * @param bones  m bones, parents before children
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function skeletonFromClip(bones: readonly Bone[], clip: Clip): SkeletonMotion {
  validateClip(clip, bones.length);
  const S = clip.times.length;
  const J = bones.length;
  const origin = (j: number, c: number) => (j < 0 ? 0 : bones[j].rest[4 * c + 3]);
  const hasChild = new Uint8Array(J);
  for (const { parent } of bones) if (parent >= 0) hasChild[parent] = 1;
  // The last bone of a finger goes on as far as the one before it: without a tip, readers would not see it turn.
  const joints = bones.map(({ name, parent }, j): SkeletonJoint => {
    const [x, y, z] = [0, 1, 2].map((c) => origin(j, c) - origin(parent, c));
    const joint = { name, parent, offset: [x, y, z] as const };
    const isLast = hasChild[j] === 0 && parent >= 0 && FINGER_NAME.test(name);
    return isLast ? { ...joint, tip: joint.offset } : joint;
  });
  const rotations = new Float64Array(S * J * 4);
  const translations = new Float64Array(S * J * 3);
  const turns = new Float64Array(J * 9);
  const posed = new Float64Array(J * 3);
  const relative = new Float64Array(9);
  for (let t = 0; t < S; t++) {
    for (let j = 0; j < J; j++) {
      const at = (t * J + j) * TRANSFORM_SIZE;
      rigidPart(clip.transforms, at, turns, 9 * j);
      for (let r = 0; r < 3; r++) {
        let sum = clip.transforms[at + 4 * r + 3];
        for (let c = 0; c < 3; c++) sum += clip.transforms[at + 4 * r + c] * origin(j, c);
        posed[3 * j + r] = sum;
      }
      const p = bones[j].parent;
      for (let r = 0; r < 3; r++) {
        let place = 0;
        for (let k = 0; k < 3; k++)
          place += parentTurn(turns, p, k, r) * (posed[3 * j + k] - (p < 0 ? 0 : posed[3 * p + k]));
        translations[3 * (t * J + j) + r] = place;
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += parentTurn(turns, p, k, r) * turns[9 * j + 3 * k + c];
          relative[3 * r + c] = sum;
        }
      }
      quaternionFromRotation(relative, 0, rotations, 4 * (t * J + j));
    }
  }
  return { name: clip.name, joints, times: clip.times, rotations, translations };
}

/**
 * All joints of frame t in the world.
 *
 * @param rotations  J × 9, row-major, overwritten
 * @param positions  J × 3, overwritten
 */
export function poseSkeleton(
  motion: SkeletonMotion,
  t: number,
  rotations: Float64Array,
  positions: Float64Array,
): void {
  const J = motion.joints.length;
  const local = new Float64Array(9);
  for (let j = 0; j < J; j++) {
    const p = motion.joints[j].parent;
    const at = 3 * (t * J + j);
    rotationFromQuaternion(motion.rotations, 4 * (t * J + j), local, 0);
    for (let r = 0; r < 3; r++) {
      let place = p < 0 ? 0 : positions[3 * p + r];
      for (let k = 0; k < 3; k++) place += parentTurn(rotations, p, r, k) * motion.translations[at + k];
      positions[3 * j + r] = place;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += parentTurn(rotations, p, r, k) * local[3 * k + c];
        rotations[9 * j + 3 * r + c] = sum;
      }
    }
  }
}

/** Entry of the parent's rotation; of the identity for a root. */
function parentTurn(rotations: Float64Array, parent: number, r: number, c: number): number {
  return parent < 0 ? Number(r === c) : rotations[9 * parent + 3 * r + c];
}

function restOrigins(joints: readonly SkeletonJoint[]): Float64Array {
  const origins = new Float64Array(joints.length * 3);
  joints.forEach(({ parent, offset }, j) => {
    for (let c = 0; c < 3; c++) origins[3 * j + c] = offset[c] + (parent < 0 ? 0 : origins[3 * parent + c]);
  });
  return origins;
}

function rigidPart(transforms: Float64Array, at: number, out: Float64Array, outAt: number): void {
  const linear = new Float64Array(9);
  linearPart(transforms, at, linear, 0);
  polarDecomposition(linear, 0, out, outAt, new Float64Array(9), 0);
}
