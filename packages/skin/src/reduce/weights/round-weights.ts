/**
 * Weights that bytes can hold: whole steps of 1/L with an exact sum, chosen by the error on the shapes instead of by
 * each weight alone; then bones, and steps, once more, as the bones can make up for part of it.
 */
import { interruptible, type Run, resolveOptions, UsageError } from '@pelt/model';
import { loadWeights } from '../../shared/load-weights.ts';
import { ROUND_WEIGHTS_DEFAULTS, type RoundWeightsOptions } from '../options.ts';
import { type ReducedRig, type ReductionInput, ReductionProblem } from '../reduction-problem.ts';

/** Turns of bones and weights, and sweeps over the bones in each. */
const TURNS = 10;
const BONE_SWEEPS = 8;
/** How much the rig's rest pose counts, in frames. */
const REST_STIFFNESS = 1;

export function roundWeights(input: ReductionInput, options: Partial<RoundWeightsOptions>, run: Run): ReducedRig {
  const { levels, bones } = resolveOptions('roundWeights', ROUND_WEIGHTS_DEFAULTS, options);
  if (!Number.isInteger(levels) || levels < 1) {
    throw new UsageError(`roundWeights: levels is ${levels}; it must be a whole number from 1`);
  }
  return interruptible(run, () => {
    const problem = new ReductionProblem(input, run);
    const system = problem.system(problem.rig.weights.slots);
    try {
      loadWeights(system, problem.rig.weights, false);
      system.roundWeights(levels);
      if (bones === 'refit' && problem.rigid) {
        for (let turn = 0; turn < TURNS; turn++) {
          system.correctRest(REST_STIFFNESS);
          system.solveRigidBones(BONE_SWEEPS);
          system.roundWeights(levels);
        }
        system.correctRest(REST_STIFFNESS);
      }
      return problem.finished(problem.solved(system));
    } finally {
      system.dispose();
    }
  });
}
