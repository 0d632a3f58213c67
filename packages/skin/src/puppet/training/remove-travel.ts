/**
 * Removes global motion from a pose of a clip: the horizontal translation and the heading of the first root are removed
 * from all bones, as they are from the performer's poses; what remains (bob, sway, lean) belongs to the pose.
 *
 * The heading is the twist about +Y of the root's rotation (swing-twist decomposition).
 */
import { atan2, linearPart, polarDecomposition, quaternionFromRotation } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { posedOrigin } from '../runtime/local-pose.ts';
import { axisRotation, turnInPlace } from '../runtime/subtree.ts';

/** Norm of the twist quaternion below which the heading is undetermined, as for a root that lies on its back. */
const NO_TWIST = 1e-3;

/** @param transforms  m × 12, rest → pose */
export function removeTravel(bones: readonly Bone[], transforms: Float64Array): Float64Array {
  const linear = new Float64Array(9);
  linearPart(transforms, 0, linear, 0);
  const rotation = new Float64Array(9);
  polarDecomposition(linear, 0, rotation, 0, new Float64Array(9), 0);
  const q = new Float64Array(4);
  quaternionFromRotation(rotation, 0, q, 0);
  const heading = Math.hypot(q[1], q[3]) > NO_TWIST ? 2 * atan2(q[1], q[3]) : 0;

  const origin = new Float64Array(3);
  posedOrigin(bones[0], transforms, 0, origin);
  const { rest } = bones[0];
  const shift = Float64Array.of(rest[3] - origin[0], 0, rest[11] - origin[2]);
  axisRotation(0, 1, 0, -heading, rotation);
  const out = Float64Array.from(transforms);
  turnInPlace(out, Int32Array.from(bones.keys()), rotation, origin, 0, shift);
  return out;
}
