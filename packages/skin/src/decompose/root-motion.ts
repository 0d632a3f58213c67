/**
 * Root motion as a track of its own: a bone without weights that carries the rigid motion of the whole mesh, with all
 * loose bones under it. The deformation does not change; an engine can now move the character itself, and blend what is
 * left.
 *
 * The motion of the whole is Kabsch's: R, T minimise Σ_i ‖R p_i + T − v_ti‖². On the ground it is the turn about the up
 * axis and the way along the plane that fit best.
 */
import { properRotation } from '@pelt/math';
import {
  type Clip,
  frameAt,
  frameCount,
  IDENTITY_TRANSFORM,
  type Rig,
  resolveOptions,
  TRANSFORM_SIZE,
} from '@pelt/model';
import type { PlayedSequence } from '../shared/sequence-errors.ts';
import { ROOT_MOTION_DEFAULTS, type RootMotion, type RootMotionOptions } from './options.ts';

export function splitRootMotion(
  { sequence, rig, clip }: PlayedSequence,
  options: Partial<RootMotionOptions> = {},
): { readonly rig: Rig; readonly clip: Clip } {
  const { motion } = resolveOptions('splitRootMotion', ROOT_MOTION_DEFAULTS, options);
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
  // An unused slot has bone 0, here as everywhere.
  const shifted = weights.bones.map((bone, k) => (weights.weights[k] > 0 ? bone + 1 : 0));
  return { rig: { ...rig, bones, weights: { ...weights, bones: shifted } }, clip: { ...clip, transforms } };
}

/** 12 numbers, row-major [R | T] */
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
    // max tr(R H) over turns about y
    const angle = Math.atan2(H[6] - H[2], H[0] + H[8]);
    R.set([Math.cos(angle), 0, Math.sin(angle), 0, 1, 0, -Math.sin(angle), 0, Math.cos(angle)]);
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
