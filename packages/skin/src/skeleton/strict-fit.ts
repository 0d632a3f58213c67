/**
 * All rounds of a skeleton with exact joints, with progress and cancelling; then its joints are mirrored if requested, and
 * those outside of the mesh are moved inside.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';
import { takeRounds } from '../shared/search/rounds.ts';
import type { WeightSteps } from '../shared/search/weight-steps.ts';
import { innerJoints } from './inner-joints.ts';
import { updateJointPlaces } from './joint-places.ts';
import type { JointedTree } from './joint-tree.ts';
import { mirrorBones } from './mirror-bones.ts';
import { mirrorJoints } from './mirror-joints.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { type StrictOptions, StrictRounds } from './strict-rounds.ts';

/** What is known of the rest pose as a body. */
export interface BodyShape {
  readonly mirror?: MirrorPlane;
  readonly winding?: WindingNumber;
}

/** Refines a system with weights and transforms, and leaves the best iterate in it. */
export function fitStrictly(
  problem: FitProblem,
  steps: WeightSteps,
  system: SkinningSystem,
  hung: JointedTree,
  options: StrictOptions,
  { mirror, winding }: BodyShape,
  context: RunContext | undefined,
): SolvedSkeleton {
  const rounds = new StrictRounds(problem.numerics, system, hung, steps, options, winding);
  takeRounds(rounds, system, options.rounds, 'fitting the skeleton', context, () => problem.roundDone(system));
  const { tree, places: expected } = hung;
  const partners = mirror && mirrorBones(system, mirror);
  if (mirror && partners && options.keepJoints === false) mirrorJoints(rounds, tree, partners, mirror, problem.S);
  if (winding && options.keepJoints === false) {
    const places = rounds.joints.slice();
    updateJointPlaces(system, problem.graph, tree.parents, places);
    const inner = innerJoints(winding, tree, rounds.joints, places);
    if (inner) bringInside(rounds, inner, options.search.outside);
  }
  rounds.dispose();
  const { joints, round: iterations } = rounds;
  return { system, tree, joints, partners, iterations, ...(expected && { places: expected }) };
}

/**
 * Moves joints inside where the error allows, and refines the rest.
 *
 * @param outside  fraction of the squared error that each may cost
 */
function bringInside(rounds: StrictRounds, inner: Float64Array, outside: number): void {
  const joints = rounds.joints.slice();
  let error = rounds.bestError;
  for (let at = 0; at < inner.length; at += 3) {
    const place = inner.subarray(at, at + 3);
    if (place.every((value, d) => value === joints[at + d])) continue;
    const trial = joints.slice();
    trial.set(place, at);
    const raised = rounds.errorWith(trial);
    if (raised > (1 + outside) * error) continue;
    joints.set(trial);
    error = raised;
  }
  rounds.finishWith(joints);
}
