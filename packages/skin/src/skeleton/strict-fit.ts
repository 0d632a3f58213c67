/**
 * All rounds of a skeleton with exact joints, with progress and cancelling; then its joints are mirrored if requested, and
 * those outside of the mesh are moved inside.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { takeRounds } from '../shared/search/rounds.ts';
import type { WeightSteps } from '../shared/search/weight-steps.ts';
import { innerJoints } from './inner-joints.ts';
import { updateJointPlaces } from './joint-places.ts';
import type { JointedTree } from './joint-tree.ts';
import type { BodyShape } from './jointed-bones.ts';
import { mirrorBones } from './mirror-bones.ts';
import { mirrorJoints } from './mirror-joints.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { type StrictOptions, StrictRounds } from './strict-rounds.ts';
import { mirrorPoints } from './symmetric-tree.ts';

/** Refines a system with weights and transforms, and leaves the best iterate in it. */
export function fitStrictly(
  problem: FitProblem,
  steps: WeightSteps,
  system: SkinningSystem,
  hung: JointedTree,
  options: StrictOptions,
  shape: BodyShape,
  context: RunContext | undefined,
): SolvedSkeleton {
  const { mirror, winding } = shape;
  const rounds = new StrictRounds(problem.numerics, system, hung, steps, options, shape);
  takeRounds(rounds, system, options.rounds, 'fitting the skeleton', context, () => problem.roundDone(system));
  const { tree, places: expected } = hung;
  const partners = hung.partners ?? (mirror && mirrorBones(system, mirror));
  if (mirror && partners && !hung.partners && options.keepJoints === false)
    mirrorJoints(rounds, tree, partners, mirror, problem.S);
  if (winding && options.keepJoints === false) {
    const places = rounds.joints.slice();
    updateJointPlaces(system, problem.graph, tree.parents, places);
    const inner = innerJoints(winding, tree, rounds.joints, places);
    if (inner && mirror && hung.partners) mirrorPoints(inner, hung.partners, mirror, tree.parents);
    if (inner) bringInside(rounds, inner, options.search.outside, hung.partners);
  }
  rounds.dispose();
  const { joints, round: iterations } = rounds;
  return { system, tree, joints, partners, iterations, ...(expected && { places: expected }) };
}

/**
 * Moves joints inside where the error allows, and refines the rest.
 *
 * @param outside   fraction of the squared error that each may cost
 * @param partners  bones that move inside together
 */
function bringInside(rounds: StrictRounds, inner: Float64Array, outside: number, partners?: Int32Array): void {
  const joints = rounds.joints.slice();
  let error = rounds.bestError;
  for (let at = 0; at < inner.length; at += 3) {
    const place = inner.subarray(at, at + 3);
    if (place.every((value, d) => value === joints[at + d])) continue;
    const trial = joints.slice();
    trial.set(place, at);
    const image = 3 * (partners?.[at / 3] ?? -1);
    if (image >= 0) trial.set(inner.subarray(image, image + 3), image);
    const raised = rounds.errorWith(trial);
    if (raised > (1 + outside) * error) continue;
    joints.set(trial);
    error = raised;
  }
  rounds.finishWith(joints);
}
