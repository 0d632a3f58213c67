/**
 * Weight reduction by refitting: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij M_tj p̂_i‖² with at most K weights per vertex.
 *
 * The error is decided by which bones a vertex keeps, so supports are chosen on the examples: solve on all bones that the
 * vertex had, eliminate the bone whose removal costs least until K are left, then swap with any other bone. Afterwards
 * bones, rest pose and weights are solved alternately, because the remaining bones can compensate for much of the loss.
 */

import type { SkinningSystem } from '@pelt/kernels';
import type { RunContext } from '@pelt/model';
import { BoneMomentum } from '../../shared/bone-momentum.ts';
import { type Rounds, takeRounds } from '../../shared/rounds.ts';
import { Snapshot } from '../../shared/snapshot.ts';
import type { RefitOptions } from '../options.ts';
import type { ReductionProblem } from '../reduction-problem.ts';

/** Maximum swaps per vertex and round, and the relative gain that makes a swap worthwhile. */
const MOST_SWAPS = 3;
const LEAST_GAIN = 1e-4;
/** Maximum swaps when bones are fixed, where swaps continue until none helps. */
const MOST_SWAPS_ALONE = 16;
const BONE_SWEEPS = 4;
/** Rounds per period, and the relative progress of a period below which they end. */
const PERIOD = 6;
const PROGRESS = 0.004;

/** Leaves weights, and if requested bones and rest pose, in a system of K slots. Returns the number of rounds. */
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
  const rounds = new RefitRounds(system, options);
  return takeRounds(rounds, system, options.rounds, 'refitting bones and weights', context);
}

/** Alternates weights by swaps, rest pose and bones with momentum. */
class RefitRounds implements Rounds {
  readonly #system: SkinningSystem;
  readonly #options: RefitOptions;
  readonly #best: Snapshot;
  readonly #momentum: BoneMomentum;
  #reference = Number.POSITIVE_INFINITY;
  round = 0;

  constructor(system: SkinningSystem, options: RefitOptions) {
    this.#system = system;
    this.#options = options;
    this.#best = new Snapshot(system);
    this.#momentum = new BoneMomentum(system, true);
  }

  get bestError(): number {
    return this.#best.error;
  }

  step(): boolean {
    const system = this.#system;
    system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
    const error = system.totalError();
    this.round++;
    if (error < this.#best.error) this.#best.take(error);
    if (error === 0 || this.round >= this.#options.rounds) return false;
    if (this.#momentum.judge(error)) return true;
    if (this.round % PERIOD === 0) {
      if (Math.sqrt(this.#best.error) > (1 - PROGRESS) * Math.sqrt(this.#reference)) return false;
      this.#reference = this.#best.error;
    }
    system.correctRest(this.#options.restStiffness);
    system.solveRigidBones(BONE_SWEEPS);
    this.#momentum.stride();
    return true;
  }

  finish(): void {
    this.#best.restore();
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
