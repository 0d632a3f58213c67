/**
 * Fewer bones: the bones whose removal costs least are removed, a few at a time, and the others are refitted. The cost of
 * a bone is the increase of the error when its vertices use their other bones and the best replacement.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { checkCancelled, interruptible, type Run, resolveOptions, UsageError } from '@pelt/model';
import { loadWeights } from '../shared/load-weights.ts';
import { REDUCE_BONES_DEFAULTS, type ReduceBonesOptions } from './options.ts';
import { type ReducedRig, type ReductionInput, ReductionProblem } from './reduction-problem.ts';

/** Fraction of the surplus bones that is removed at once. */
const SHARE = 0.34;
/** Rounds of weights and bones after each removal. */
const ROUNDS = 6;
const MOST_SWAPS = 3;
const LEAST_GAIN = 1e-4;
const BONE_SWEEPS = 4;
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
  const { count = input.rig.bones.length, bones } = resolveOptions('reduceBones', REDUCE_BONES_DEFAULTS, options);
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
      const remaining = withoutCheapest(system.removalCosts(), Math.max(1, Math.floor(SHARE * (kept.length - count))));
      const next = system.withBones(remaining, 0, Math.min(slots, remaining.length));
      system.dispose();
      system = next;
      kept = remaining.map((j) => kept[j]);
      settle(system, moving);
    }
    const solved = problem.solved(system, kept);
    system.dispose();
    return problem.finished(solved);
  });
}

/** All bones except the cheapest ones, in their order. */
function withoutCheapest(costs: Float64Array, count: number): number[] {
  const order = [...costs.keys()].sort((a, b) => costs[a] - costs[b] || a - b);
  const out = new Set(order.slice(0, count));
  return [...costs.keys()].filter((j) => !out.has(j));
}

/** Refits the weights, and the bones if they may move. */
function settle(system: SkinningSystem, moving: boolean): void {
  for (let round = 0; round < (moving ? ROUNDS : 1); round++) {
    system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
    if (!moving) return;
    system.correctRest(REST_STIFFNESS);
    system.solveRigidBones(BONE_SWEEPS);
  }
  system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
}
