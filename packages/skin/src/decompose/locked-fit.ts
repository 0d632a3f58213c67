/**
 * Decomposition with parts that stay: the bones of a rig with their motion (then the weights are solved, and further
 * bones where more are asked for), or its weights (then the bones are solved).
 */

import type { SkinningSystem } from '@pelt/math';
import { type Clip, checkCancelled, IDENTITY_TRANSFORM, type Rig, type RunContext, UsageError } from '@pelt/model';
import { loadWeights } from '../shared/load-weights.ts';
import type { CountedFit } from './bone-count.ts';
import type { FitProblem } from './fit-problem.ts';
import type { BoneKind, RoundOptions } from './options.ts';

export interface LockedRig {
  readonly part: 'bones' | 'weights';
  readonly rig: Rig;
  /** The motion of the bones, at the frames of the sequence; not needed where the weights are locked. */
  readonly clip?: Clip;
}

/** Sweeps over the bones between two looks at the progress, and the relative progress at which they end. */
const SWEEPS = 16;
const PROGRESS = 1e-4;
const MOST_TURNS = 40;

/** Gives the first bones of the system the motion of the rig's, for good. */
export function lockBones(problem: FitProblem, system: SkinningSystem, locked: LockedRig): void {
  const given = locked.rig.bones.length;
  const transforms = locked.clip?.transforms;
  if (!transforms || transforms.length !== problem.S * given * 12) {
    throw new UsageError(
      `locked bones: ${locked.clip?.times.length ?? 0} frames of motion for ${problem.S} frames; ` +
        'the rig must play the frames that are fitted',
    );
  }
  const known = problem.prepared.transformsToSolver(transforms, given);
  const out = system.editTransforms();
  for (let t = 0; t < problem.S; t++) {
    out.set(known.subarray(t * given * 12, (t + 1) * given * 12), t * system.m * 12);
  }
  system.locked.view.fill(1, 0, given);
}

/** Bones for the weights of a rig, whose vertices are those of the sequence. */
export function fitToLockedWeights(
  problem: FitProblem,
  locked: LockedRig,
  kind: BoneKind,
  options: RoundOptions,
  context: RunContext | undefined,
): CountedFit {
  const { weights, bones } = locked.rig;
  if (weights.bones.length !== problem.n * weights.slots) {
    const count = weights.bones.length / weights.slots;
    throw new UsageError(`locked weights: the rig has ${count} vertices, the sequence ${problem.n}`);
  }
  const system = problem.system(bones.length, weights.slots);
  loadWeights(system, weights, false);
  const transforms = system.editTransforms();
  for (let k = 0; k < transforms.length; k += 12) transforms.set(IDENTITY_TRANSFORM, k);
  let last = Number.POSITIVE_INFINITY;
  let turn = 0;
  for (; turn < MOST_TURNS; turn++) {
    checkCancelled(context);
    if (turn > 0 && options.restStiffness !== Number.POSITIVE_INFINITY) system.correctRest(options.restStiffness);
    if (kind === 'rigid') system.solveRigidBones(SWEEPS);
    else system.solveAffineBones();
    system.measureError();
    const error = Math.sqrt(system.totalError());
    context?.onProgress?.({
      stage: 'fitting bones to the weights',
      fraction: turn / MOST_TURNS,
      detail: `E_RMS ${problem.eRms(error ** 2).toFixed(3)}`,
    });
    if (error > (1 - PROGRESS) * last) break;
    last = error;
  }
  return { system, iterations: turn };
}
