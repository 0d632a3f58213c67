/**
 * Root motion as a separate track: a bone without weights carries the rigid motion of the whole mesh, with all other bones
 * below it. The deformation does not change, but an engine can now move the character itself.
 *
 * The rigid motion is Kabsch's: R, T minimise Σ_i ‖R p_i + T − v_ti‖². With `ground` it is restricted to a rotation about
 * the up axis and a translation in the ground plane.
 *
 * Reference: Kabsch. A discussion of the solution for the best rotation to relate two sets of vectors. 1978.
 */
import { atan2, cos, properRotation, sin } from '@pelt/math';
import {
  type Clip,
  frameAt,
  frameCount,
  IDENTITY_TRANSFORM,
  type Rig,
  resolveOptions,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { type PlayedSequence, requirePlayed } from '../shared/sequence-errors.ts';
import { ROOT_MOTION_DEFAULTS, type RootMotion, type RootMotionOptions } from './options.ts';

/**
 * Adds a root bone that carries the rigid motion of the whole mesh, above all other bones. What the rig plays does not
 * change.
 *
 * @param data     S frames of n vertices, and a rig of n vertices with a clip of S frames
 * @param options  which part of the rigid motion the root carries
 *
 * @example
 * {@includeCode ../../examples/split-root-motion.ts}
 */
export function splitRootMotion(
  data: PlayedSequence,
  options: Partial<RootMotionOptions> = {},
): { readonly rig: Rig; readonly clip: Clip } {
  const { motion } = resolveOptions('splitRootMotion', ROOT_MOTION_DEFAULTS, options);
  requirePlayed('splitRootMotion', data);
  const { sequence, rig, clip } = data;
  const m = rig.bones.length;
  const S = frameCount(sequence);
  const transforms = new Float64Array(S * (m + 1) * TRANSFORM_SIZE);
  for (let t = 0; t < S; t++) {
    const at = t * (m + 1) * TRANSFORM_SIZE;
    transforms.set(rigidMotion(sequence.rest.positions, frameAt(sequence, t), motion), at);
    const own = clip.transforms.subarray(t * m * TRANSFORM_SIZE, (t + 1) * m * TRANSFORM_SIZE);
    transforms.set(own, at + TRANSFORM_SIZE);
  }
  const root = { name: 'root', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) };
  const bones = [root, ...rig.bones.map((bone) => ({ ...bone, parent: bone.parent + 1 }))];
  const { weights } = rig;
  // By convention an unused slot refers to bone 0.
  const shifted = weights.bones.map((bone, k) => (weights.weights[k] > 0 ? bone + 1 : 0));
  return { rig: { ...rig, bones, weights: { ...weights, bones: shifted } }, clip: { ...clip, transforms } };
}

/** The best rigid motion from rest to frame: 12 numbers, row-major [R | T]. */
function rigidMotion(rest: Float32Array, frame: Float32Array, motion: RootMotion): Float64Array {
  const [p, q] = [centroid(rest), centroid(frame)];
  const H = new Float64Array(9);
  for (let i = 0; i < rest.length; i += 3) {
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) H[3 * a + b] += (rest[i + a] - p[a]) * (frame[i + b] - q[b]);
    }
  }
  const R = new Float64Array(9);
  if (motion === 'full') properRotation(H, 0, R, 0);
  else {
    // maximise tr(R H) over rotations about y
    const angle = atan2(H[6] - H[2], H[0] + H[8]);
    R.set([cos(angle), 0, sin(angle), 0, 1, 0, -sin(angle), 0, cos(angle)]);
  }
  const out = new Float64Array(TRANSFORM_SIZE);
  for (let d = 0; d < 3; d++) {
    const turned = R[3 * d] * p[0] + R[3 * d + 1] * p[1] + R[3 * d + 2] * p[2];
    const height = motion === 'ground' && d === 1;
    out.set([R[3 * d], R[3 * d + 1], R[3 * d + 2], height ? 0 : q[d] - turned], 4 * d);
  }
  return out;
}

function centroid(positions: Float32Array): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) sum[k % 3] += positions[k];
  const count = Math.max(positions.length / 3, 1);
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}
