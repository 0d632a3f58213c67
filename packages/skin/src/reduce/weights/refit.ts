/**
 * Weight reduction by refitting: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij M_tj p̂_i‖² with at most K weights per vertex.
 *
 * The error is decided by which bones a vertex keeps, so supports are chosen on the examples: solve on all bones that the
 * vertex had, eliminate the bone whose removal costs least until K are left, then swap with any other bone. Afterwards
 * bones, rest pose and weights are solved alternately, because the remaining bones can compensate for much of the loss.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { type RunContext, resolveOptions } from '@pelt/model';
import { stiffRest } from '../../shared/rest-pose.ts';
import { LooseBones } from '../../shared/search/loose-bones.ts';
import { SearchRounds, takeRounds } from '../../shared/search/rounds.ts';
import { slowPeriod } from '../../shared/search/stop-rules.ts';
import { swapThoroughly, WeightSteps } from '../../shared/search/weight-steps.ts';
import type { RefitOptions } from '../options.ts';
import { REDUCE_PLAN } from '../plan.ts';
import type { ReductionProblem } from '../reduction-problem.ts';

/** Leaves weights, and if requested bones and rest pose, in a system of K slots. Returns the number of rounds. */
export function solveRefit(
  problem: ReductionProblem,
  system: SkinningSystem,
  options: RefitOptions,
  context?: RunContext,
): number {
  const search = resolveOptions('search', REDUCE_PLAN, options.search);
  eliminate(problem, system);
  if (options.bones === 'keep' || !problem.rigid) {
    // Until hardly any helps.
    swapThoroughly(system, 4 * search.swaps);
    return 0;
  }
  const steps = new WeightSteps(problem.numerics, problem.graph, system.K);
  try {
    const rounds = new SearchRounds({
      system,
      steps,
      bones: new LooseBones(system, 'rigid', search.sweeps),
      rest: stiffRest(system, options.restStiffness),
      plan: { opening: '', periods: ['s'.repeat(search.rounds)] },
      stop: slowPeriod(search.progress),
      rounds: options.rounds,
      swaps: search.swaps,
      swapping: 'thorough',
      settling: 0,
    });
    return takeRounds(rounds, system, options.rounds, 'refitting bones and weights', context);
  } finally {
    steps.dispose();
  }
}

/** Backward elimination from the bones that each vertex had to K of them. */
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
