/**
 * Weights that bytes can hold: whole steps of 1/L with an exact sum, chosen by the error on the shapes instead of by
 * each weight alone; then bones, and steps, once more, as the bones can make up for part of it.
 */
import type { Numerics } from '@pelt/math';
import { type RunContext, UsageError } from '@pelt/model';
import { unpackWeights } from '../../shared/pack-weights.ts';
import { type ReductionInput, ReductionProblem } from '../reduction-problem.ts';
import type { ReducedRig } from './reduce-weights.ts';

/** Turns of bones and weights, and sweeps over the bones in each. */
const TURNS = 10;
const BONE_SWEEPS = 8;
/** How much the rig's rest pose counts, in frames. */
const REST_STIFFNESS = 1;

/**
 * @param levels  L: 255 for bytes
 * @param bones   whether the bones may move
 */
export function roundWeights(
  input: ReductionInput,
  levels: number,
  bones: 'refit' | 'keep',
  numerics: Numerics,
  context?: RunContext,
): ReducedRig {
  if (!Number.isInteger(levels) || levels < 1) {
    throw new UsageError(`roundWeights: ${levels} levels; it must be a whole number from 1`);
  }
  numerics.signal = context?.signal;
  try {
    const problem = new ReductionProblem(input, numerics, context);
    const system = problem.system(input.rig.weights.slots);
    try {
      unpackWeights(input.rig.weights, false, system);
      system.roundWeights(levels);
      if (bones === 'refit' && problem.rigid) {
        for (let turn = 0; turn < TURNS; turn++) {
          system.correctRest(REST_STIFFNESS);
          system.solveRigidBones(BONE_SWEEPS);
          system.roundWeights(levels);
        }
        system.correctRest(REST_STIFFNESS);
      }
      const reduced = problem.result(system);
      return { ...reduced, error: problem.errors(reduced.rig, reduced.clips), iterations: 0 };
    } finally {
      system.dispose();
    }
  } finally {
    numerics.signal = undefined;
  }
}
