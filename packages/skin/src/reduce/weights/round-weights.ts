/**
 * Quantise weights to multiples of 1/L with an exact sum, chosen jointly per vertex by the error on the shapes instead of by
 * rounding each weight; then refit bones and weights alternately, because the bones can compensate for part of the loss.
 */
import { interruptible, type Run, resolveOptions, UsageError } from '@pelt/model';
import { loadWeights } from '../../shared/load-weights.ts';
import { ROUND_WEIGHTS_DEFAULTS, type RoundWeightsOptions } from '../options.ts';
import { REDUCE_PLAN } from '../plan.ts';
import { type ReducedRig, type ReductionInput, ReductionProblem } from '../reduction-problem.ts';

/** Weight of the rig's rest pose, counted in frames. */
const REST_STIFFNESS = 1;

/**
 * Quantises the weights of a rig, for instance to bytes, with as little change of what it plays as possible.
 *
 * @param input    a rig of n vertices and m bones with at least one clip
 * @param options  number of levels, and whether bones may move
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../../examples/round-weights.ts}
 */
export function roundWeights(input: ReductionInput, options: Partial<RoundWeightsOptions>, run: Run): ReducedRig {
  const { levels, bones, search } = resolveOptions('roundWeights', ROUND_WEIGHTS_DEFAULTS, options);
  const { roundingTurns, sweeps } = resolveOptions('search', REDUCE_PLAN, search);
  if (!Number.isInteger(levels) || levels < 1) {
    throw new UsageError(`roundWeights: levels is ${levels}; it must be an integer of at least 1`);
  }
  return interruptible(run, () => {
    const problem = new ReductionProblem(input, run);
    const system = problem.system(problem.rig.weights.slots);
    loadWeights(system, problem.rig.weights, false);
    system.roundWeights(levels);
    if (bones === 'refit' && problem.rigid) {
      for (let turn = 0; turn < roundingTurns; turn++) {
        system.correctRest(REST_STIFFNESS);
        system.solveRigidBones(2 * sweeps);
        system.roundWeights(levels);
      }
      system.correctRest(REST_STIFFNESS);
    }
    const solved = problem.solved(system);
    system.dispose();
    return problem.finished(solved);
  });
}
