/**
 * Weight reduction by fitting anew: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij M_tj p̂_i‖² with at most K weights a vertex.
 *
 * Which bones a vertex keeps decides the error, so the support is found on the examples: weights on all bones that the
 * vertex had, then backward elimination, each time of the bone that costs least, down to K; then swaps over all bones.
 * After that bones, rest pose and weights take turns, as the remaining bones can make up for much of what was dropped.
 */

import type { SkinningSystem } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import { BoneMomentum } from '../../shared/bone-momentum.ts';
import { Snapshot } from '../../shared/snapshot.ts';
import type { RefitOptions } from '../options.ts';
import type { ReductionProblem } from '../reduction-problem.ts';

/** Swaps that a vertex may make in one round, and the relative gain that makes one worth it. */
const MOST_SWAPS = 3;
const LEAST_GAIN = 1e-4;
/** With the bones fixed swaps go on until none helps: this bounds them. */
const MOST_SWAPS_ALONE = 16;
const BONE_SWEEPS = 4;
/** Rounds over which progress is judged, and the relative progress below which they end. */
const PERIOD = 6;
const PROGRESS = 0.004;

/** Leaves weights, and where asked for bones and rest pose, in a system of K slots. Returns the rounds. */
export function solveRefit(
  problem: ReductionProblem,
  system: SkinningSystem,
  options: RefitOptions,
  context?: RunContext,
): number {
  eliminate(problem, system);
  if (options.bones === 'keep' || !problem.rigid) {
    system.solveWeightsBySwaps(MOST_SWAPS_ALONE, LEAST_GAIN);
    return 0;
  }
  const best = new Snapshot(system);
  const momentum = new BoneMomentum(system, true);
  let reference = Number.POSITIVE_INFINITY;
  let round = 0;
  while (round < options.rounds) {
    checkCancelled(context);
    system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
    const error = system.totalError();
    round++;
    if (error < best.error) best.take(error);
    context?.onProgress?.({
      stage: 'refitting bones and weights',
      fraction: round / options.rounds,
      detail: `round ${round}, E_RMS ${(1000 * Math.sqrt(best.error / (3 * problem.n * problem.S))).toFixed(3)}`,
    });
    if (error === 0) break;
    if (momentum.judge(error)) continue;
    if (round % PERIOD === 0) {
      if (Math.sqrt(best.error) > (1 - PROGRESS) * Math.sqrt(reference)) break;
      reference = best.error;
    }
    if (options.restStiffness !== Number.POSITIVE_INFINITY) system.correctRest(options.restStiffness);
    system.solveRigidBones(BONE_SWEEPS);
    momentum.stride();
  }
  best.restore();
  return round;
}

/** From the bones that each vertex had down to K of them. */
function eliminate(problem: ReductionProblem, system: SkinningSystem): void {
  const { slots, bones, weights } = problem.rig.weights;
  const scope = problem.numerics.scope();
  const candidates = scope.i32(problem.n * slots);
  const view = candidates.view.fill(-1);
  for (let i = 0; i < problem.n; i++) {
    let used = i * slots;
    for (let k = i * slots; k < (i + 1) * slots; k++) if (weights[k] > 0) view[used++] = bones[k];
  }
  system.solveWeightsAmong(candidates, slots);
  scope.dispose();
}
