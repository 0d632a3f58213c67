/**
 * Fewer bones: those that can be spared at the least cost go, a few at a time, and what is left is fitted again. The cost
 * of a bone is what the error rises by when its vertices do with their other bones and the one that then helps most.
 */
import type { SkinningSystem } from '@pelt/math';
import { checkCancelled, interruptible, type Run, resolveOptions, UsageError } from '@pelt/model';
import { loadWeights } from '../shared/load-weights.ts';
import { REDUCE_BONES_DEFAULTS, type ReduceBonesOptions } from './options.ts';
import { type ReducedRig, type ReductionInput, ReductionProblem } from './reduction-problem.ts';

/** Of the bones that are too many, this share goes at once. */
const SHARE = 0.34;
/** Rounds of weights and bones after each removal. */
const ROUNDS = 6;
const MOST_SWAPS = 3;
const LEAST_GAIN = 1e-4;
const BONE_SWEEPS = 4;
const REST_STIFFNESS = 1;

export function reduceBones(input: ReductionInput, options: Partial<ReduceBonesOptions>, run: Run): ReducedRig {
  const { count = input.rig.bones.length, bones } = resolveOptions('reduceBones', REDUCE_BONES_DEFAULTS, options);
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`reduceBones: count is ${count}; it must be a whole number from 1`);
  }
  return interruptible(run, () => {
    const problem = new ReductionProblem(input, run);
    const { slots } = problem.rig.weights;
    let system = problem.system(slots);
    try {
      loadWeights(system, problem.rig.weights, false);
      system.measureError();
      const moving = bones === 'refit' && problem.rigid;
      let kept = problem.rig.bones.map((_, j) => j);
      while (kept.length > count) {
        checkCancelled(run);
        const done = (problem.m - kept.length) / (problem.m - count);
        run.onProgress?.({ stage: 'removing bones', fraction: done, detail: `${kept.length} left` });
        const stay = cheapestOut(system.removalCosts(), Math.max(1, Math.floor(SHARE * (kept.length - count))));
        const next = system.withBones(stay, 0, Math.min(slots, stay.length));
        system.dispose();
        system = next;
        kept = stay.map((j) => kept[j]);
        settle(system, moving);
      }
      return problem.finished(problem.solved(system, kept));
    } finally {
      system.dispose();
    }
  });
}

/** All bones but the cheapest ones, in their order. */
function cheapestOut(costs: Float64Array, count: number): number[] {
  const order = [...costs.keys()].sort((a, b) => costs[a] - costs[b] || a - b);
  const out = new Set(order.slice(0, count));
  return [...costs.keys()].filter((j) => !out.has(j));
}

function settle(system: SkinningSystem, moving: boolean): void {
  for (let round = 0; round < (moving ? ROUNDS : 1); round++) {
    system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
    if (!moving) return;
    system.correctRest(REST_STIFFNESS);
    system.solveRigidBones(BONE_SWEEPS);
  }
  system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
}
