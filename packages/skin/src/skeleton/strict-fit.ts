/** The rounds of a skeleton from a start to the end, watched and cancellable; then its joints mirrored, if asked for. */
import type { SkinningSystem } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import type { JointedTree } from './joint-tree.ts';
import { mirrorBones } from './mirror-bones.ts';
import { mirrorJoints } from './mirror-joints.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { SolvedSkeleton } from './skeleton-rig.ts';
import { type StrictOptions, StrictRounds } from './strict-rounds.ts';
import type { WeightSteps } from './weight-steps.ts';

/** Leaves the best iterate in the system, which holds weights and transforms. */
export function fitStrictly(
  problem: FitProblem,
  steps: WeightSteps,
  system: SkinningSystem,
  hung: JointedTree,
  options: StrictOptions,
  mirror: MirrorPlane | undefined,
  context: RunContext | undefined,
): SolvedSkeleton {
  const rounds = new StrictRounds(problem.numerics, system, hung, steps, options);
  try {
    let going = true;
    while (going) {
      checkCancelled(context);
      going = rounds.step();
      context?.onProgress?.({
        stage: 'fitting the skeleton',
        fraction: rounds.round / options.rounds,
        detail: `${system.m} bones, round ${rounds.round}, E_RMS ${problem.eRms(rounds.bestError).toFixed(3)}`,
      });
    }
    rounds.finish();
    const { tree } = hung;
    const partners = mirror && mirrorBones(system, mirror);
    if (mirror && partners && !options.keepJoints) mirrorJoints(rounds, tree, partners, mirror, problem.S);
    return { system, tree, joints: rounds.joints, partners, iterations: rounds.round };
  } finally {
    rounds.dispose();
  }
}
