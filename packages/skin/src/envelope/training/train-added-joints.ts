/**
 * Linear blending over a skeleton with added joints, weights fitted to examples: the strongest rival of a learnt skin
 * that any engine plays as it is.
 *
 * Reference: Mohr, Gleicher. Building efficient, accurate character skins from examples. 2003.
 */
import type { Numerics } from '@pelt/math';
import type { Clip, MeshSequence, Rig } from '@pelt/model';
import { AddedJoints } from '../runtime/added-joints.ts';
import { jointCentres } from '../runtime/pose-coordinates.ts';
import { fitBlendWeights } from './blend-weights.ts';
import { examplesOf } from './examples.ts';

export interface AddedJointsRig {
  /** The rig with the added joints among its bones. */
  readonly rig: Rig;
  /** Poses of the given skeleton → poses of the rig. */
  readonly joints: AddedJoints;
}

/**
 * @param frames  numbers of the frames that train; all where absent
 * @param slots   bones a vertex
 */
export function trainAddedJoints(
  rig: Rig,
  clip: Clip,
  sequence: MeshSequence,
  numerics: Numerics,
  frames?: readonly number[],
  slots = 4,
): AddedJointsRig {
  const examples = examplesOf(rig, clip, sequence, frames);
  const joints = new AddedJoints(rig.bones, jointCentres(rig.bones, examples.poses));
  const extended = { ...examples, bones: joints.bones, poses: examples.poses.map((pose) => joints.extend(pose)) };
  const weights = fitBlendWeights(numerics, extended, slots);
  return { rig: { ...rig, mesh: examples.mesh, bones: joints.bones, weights }, joints };
}
