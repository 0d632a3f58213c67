/**
 * Linear blend skinning over a skeleton with added joints, with weights fitted to examples: the strongest rival of a
 * learnt skin that every engine can play.
 *
 * Reference: Mohr, Gleicher. Building efficient, accurate character skins from examples. 2003.
 */
import {
  interruptible,
  type Rig,
  type Run,
  resolveOptions,
  type SkinWeights,
  TRANSFORM_SIZE,
  unweldRig,
} from '@pelt/model';
import { ADDED_JOINTS_DEFAULTS, type AddedJointsOptions } from '../options.ts';
import { AddedJoints } from '../runtime/added-joints.ts';
import { jointCentres } from '../runtime/pose-coordinates.ts';
import { fitBlendWeights, requireSlots } from './blend-weights.ts';
import { type Examples, examplesOf, type RigExamples } from './examples.ts';

/** A rig with added joints, and how they follow the given skeleton. */
export interface AddedJointsRig {
  /** The given mesh, the given bones followed by the added joints, and the fitted weights. */
  readonly rig: Rig;
  /** Extends poses of the given skeleton to the bones of `rig`. */
  readonly joints: AddedJoints;
}

/**
 * Fits skinning weights over a skeleton with added joints (Mohr and Gleicher 2003). Seams of the mesh are welded for
 * the fit and restored in the result.
 *
 * @param data  n vertices, m bones, S frames
 *
 * @example
 * {@includeCode ../../../examples/train-added-joints.ts}
 */
export function trainAddedJoints(
  data: RigExamples,
  options: Partial<AddedJointsOptions> | undefined,
  run: Run,
): AddedJointsRig {
  const { frames, weights: slots } = resolveOptions('trainAddedJoints', ADDED_JOINTS_DEFAULTS, options);
  requireSlots('trainAddedJoints', slots);
  const examples = examplesOf('trainAddedJoints', data, frames);
  return interruptible(run, () => {
    const joints = new AddedJoints(data.rig.bones, jointCentres(data.rig.bones, examples.poses));
    const weights = fitAddedBlend(examples, joints, slots, run);
    const rig = { ...data.rig, mesh: examples.mesh, bones: joints.bones, weights };
    return { rig: examples.map ? unweldRig(rig, examples.map, data.sequence.rest) : rig, joints };
  });
}

/** Weights over the skeleton's bones, then its added joints, fitted to the examples. */
export function fitAddedBlend(examples: Examples, joints: AddedJoints, slots: number, run: Run): SkinWeights {
  const size = TRANSFORM_SIZE * joints.bones.length;
  const poses = examples.poses.map((pose) => joints.extend(pose, new Float64Array(size)));
  return fitBlendWeights({ ...examples, bones: joints.bones, poses }, slots, run);
}
