/**
 * Fewer bones: the bones whose removal costs least are removed, a few at a time, and the others are refitted. The cost of
 * a bone is the increase of the error when its vertices use their other bones and the best replacement.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { checkCancelled, interruptible, type Run, resolveOptions, UsageError } from '@pelt/model';
import { loadWeights } from '../shared/load-weights.ts';
import { cheapestFirst, withoutBones } from '../shared/search/moves.ts';
import { swapThoroughly } from '../shared/search/weight-steps.ts';
import { REDUCE_BONES_DEFAULTS, type ReduceBonesOptions } from './options.ts';
import { REDUCE_PLAN, type ReducePlan } from './plan.ts';
import { type ReducedRig, type ReductionInput, ReductionProblem } from './reduction-problem.ts';

/** Weight of the rig's rest pose, counted in frames. */
const REST_STIFFNESS = 1;

/**
 * Removes the bones that matter least to what a rig plays, and refits the others.
 *
 * @param input    a rig of n vertices and m bones with at least one clip
 * @param options  number of bones to keep, and whether they may move
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../examples/reduce-bones.ts}
 */
export function reduceBones(input: ReductionInput, options: Partial<ReduceBonesOptions>, run: Run): ReducedRig {
  const chosen = resolveOptions('reduceBones', REDUCE_BONES_DEFAULTS, options);
  const { count = input.rig.bones.length, bones } = chosen;
  const search = resolveOptions('search', REDUCE_PLAN, chosen.search);
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`reduceBones: count is ${count}; it must be an integer of at least 1`);
  }
  return interruptible(run, () => {
    const problem = new ReductionProblem(input, run);
    const { slots } = problem.rig.weights;
    let system = problem.system(slots);
    loadWeights(system, problem.rig.weights, false);
    system.measureError();
    const moving = bones === 'refit' && problem.rigid;
    let kept = problem.rig.bones.map((_, j) => j);
    while (kept.length > count) {
      checkCancelled(run);
      const done = (problem.m - kept.length) / (problem.m - count);
      run.onProgress?.({ stage: 'removing bones', fraction: done, detail: `${kept.length} left` });
      const most = Math.max(1, Math.floor(search.share * (kept.length - count)));
      const gone = cheapestFirst(system.removalCosts()).slice(0, most);
      const next = withoutBones(system, gone, slots);
      system.dispose();
      system = next;
      kept = kept.filter((_, j) => !gone.includes(j));
      settle(system, moving, search);
    }
    const solved = problem.solved(system, kept);
    system.dispose();
    return problem.finished(solved);
  });
}

/** Refits the weights, and the bones if they may move. */
function settle(system: SkinningSystem, moving: boolean, { rounds, swaps, sweeps }: ReducePlan): void {
  for (let round = 0; round < (moving ? rounds : 1); round++) {
    swapThoroughly(system, swaps);
    if (!moving) return;
    system.correctRest(REST_STIFFNESS);
    system.solveRigidBones(sweeps);
  }
  swapThoroughly(system, swaps);
}
