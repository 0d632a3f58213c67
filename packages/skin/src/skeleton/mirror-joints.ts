/**
 * Mirrors the joints of paired bones where the motion allows: the joint of a bone and the mirror image of its partner's
 * joint are replaced by their mean, and joints of bones that are their own image are moved into the plane, if that raises
 * the error by no more than a small fraction. Rotations and weights are solved again.
 */
import type { SkeletonTree } from '@pelt/kernels';
import { type MirrorPlane, mirrored } from './mirror-plane.ts';
import type { StrictRounds } from './strict-rounds.ts';

/** Fraction by which a pair of joints may raise the squared error, which counts as at least NEGLIGIBLE² per sample. */
const ALLOWED = 0.02;
const NEGLIGIBLE = 1e-3;

export function mirrorJoints(
  rounds: StrictRounds,
  { parents, order }: SkeletonTree,
  partners: Int32Array,
  plane: MirrorPlane,
  frames: number,
): void {
  const joints = rounds.joints.slice();
  const before = rounds.errorWith(joints);
  const most = before + ALLOWED * Math.max(before, plane.images.length * frames * NEGLIGIBLE ** 2);
  for (const j of order.subarray(1)) {
    const k = partners[j];
    // Each pair once, and only if the parents are mirror images too.
    if (k < j || parents[k] < 0 || partners[parents[j]] !== parents[k]) continue;
    const image = mirrored(plane, joints.subarray(3 * k, 3 * k + 3));
    const middle = image.map((value, d) => 0.5 * (value + joints[3 * j + d]));
    const trial = joints.slice();
    trial.set(middle, 3 * j);
    trial.set(mirrored(plane, middle), 3 * k);
    if (rounds.errorWith(trial) <= most) joints.set(trial);
  }
  rounds.finishWith(joints);
}
