/**
 * Decomposition with parts of an existing rig held fixed: its bones with their motion, for which weights (and further
 * bones, if more are requested) are solved, or its weights, for which bones are solved.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { type Clip, checkCancelled, IDENTITY_TRANSFORM, type Rig, type RunContext, UsageError } from '@pelt/model';
import { loadWeights } from '../shared/load-weights.ts';
import { RestPoseStep } from '../shared/rest-pose.ts';
import { solveLooseBones } from '../shared/search/loose-bones.ts';
import type { CountedFit } from './bone-count.ts';
import type { FitProblem } from './fit-problem.ts';
import type { BoneKind, RoundOptions } from './options.ts';

/** Sweeps over the bones for fixed weights, relative to those of a round: nothing else takes time. */
export const LOCKED_SWEEPS = 4;
/** Relative progress of such sweeps below which they end. */
const LEAST_PROGRESS = 1e-4;

/** A rig of which `decompose` keeps one part. */
export interface LockedRig {
  /** What is kept. */
  readonly part: 'bones' | 'weights';
  readonly rig: Rig;
  /** Motion of the bones at the frames of the sequence; not needed if the weights are locked. */
  readonly clip?: Clip;
}

/** Gives the first bones of the system the motion of the rig's bones and fixes them. */
export function lockBones(problem: FitProblem, system: SkinningSystem, locked: LockedRig): void {
  const given = locked.rig.bones.length;
  const transforms = locked.clip?.transforms;
  if (!transforms || transforms.length !== problem.S * given * 12) {
    throw new UsageError(
      `locked bones: the clip has ${locked.clip?.times.length ?? 0} frames, the sequence ${problem.S}; ` +
        'give a clip that plays the frames being fitted',
    );
  }
  const known = problem.prepared.transformsToSolver(transforms, given);
  const out = system.editTransforms();
  for (let t = 0; t < problem.S; t++) {
    out.set(known.subarray(t * given * 12, (t + 1) * given * 12), t * system.m * 12);
  }
  system.locked.view.fill(1, 0, given);
}

/** Bones for the weights of a rig on the vertices of the sequence. The caller disposes the system. */
export function fitToLockedWeights(
  problem: FitProblem,
  locked: LockedRig,
  kind: BoneKind,
  options: RoundOptions,
  context: RunContext | undefined,
): CountedFit {
  const { weights, bones } = locked.rig;
  const system = problem.system(bones.length, weights.slots);
  loadWeights(system, weights, false);
  const transforms = system.editTransforms();
  for (let k = 0; k < transforms.length; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
  const restPose = new RestPoseStep(system, options.restPose);
  let last = Number.POSITIVE_INFINITY;
  let turn = 0;
  for (; turn < options.rounds; turn++) {
    checkCancelled(context);
    if (turn > 0) restPose.correct();
    solveLooseBones(system, kind, LOCKED_SWEEPS * problem.plan.sweeps);
    system.measureError();
    const error = Math.sqrt(restPose.merit(system.totalError()));
    context?.onProgress?.({
      stage: 'fitting bones to the weights',
      fraction: turn / options.rounds,
      detail: `E_RMS ${problem.eRms(error ** 2).toFixed(3)}`,
    });
    if (error > (1 - LEAST_PROGRESS) * last) break;
    last = error;
  }
  restPose.enforce();
  return { system, iterations: turn };
}
