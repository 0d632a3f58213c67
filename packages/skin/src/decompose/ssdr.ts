/**
 * Smooth skinning decomposition with rigid bones (SSDR), and with affine ones: minimise
 * Σ_t Σ_i ‖v_ti − Σ_j w_ij (R_tj p_i + T_tj)‖² over weights, rotations, translations and the rest pose, subject to w ≥ 0,
 * Σw = 1, at most K non-zero weights per vertex, and R ∈ SO(3) for rigid bones.
 *
 * Block coordinate descent. The error is decided by which bones each vertex may use, so the weight step alternates two
 * searches: candidates diffused along the mesh find coherent supports but move by one ring per round; gradient-based
 * swaps over all bones find distant supports but stall alone. A short return to diffusion every few rounds (a kick)
 * raises the error temporarily and leads to a lower one. The rest pose is one more block, see `RestPoseStep`; weights far
 * from the rest of their bone have a price, see `IslandPrices`.
 *
 * Tried and left out: clusters by doubling (error 4 % higher), twice as many candidates (same error, slower), ten bone
 * sweeps instead of four (same error), half as many clusters again and pruning (−6 to +5 %), growing bone by bone under
 * blended weights (10 % higher), moving the least important bone to where the error is largest (no gain).
 *
 * References: Le, Deng. Smooth skinning decomposition with rigid bones. 2012 (equations 2, 13–17). Le, Deng. Mesh
 * animation decomposition and compression. SIGGRAPH course 2014, section 1.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { DISPOSE, type Numerics } from '@pelt/math';
import { BoneMomentum } from '../shared/bone-momentum.ts';
import { IslandPrices } from '../shared/island-prices.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { RestPoseStep } from '../shared/rest-pose.ts';
import { type Rounds, SearchSchedule } from '../shared/rounds.ts';
import { Snapshot } from '../shared/snapshot.ts';
import { WeightSteps } from '../shared/weight-steps.ts';
import { SEED_VERTICES } from './cluster-start.ts';
import type { BoneKind, RoundOptions } from './options.ts';

/** Rounds of diffusion at the start, and of swaps and of diffusion in each following period. */
export const OPENING = 10;
const SWAPPING = 5;
const KICK = 3;
/** Maximum swaps per vertex and round. */
const MOST_SWAPS = 3;
/** Error, in radii, that corresponds to one unit of smoothness. */
const SMOOTH_ERROR = 0.1;
/** Final rounds on fixed supports. */
const SETTLING = 12;
/** Sweeps over the rigid bones per round: four cost little compared to a weight step, and more gain nothing. */
const BONE_SWEEPS = 4;
/** Periods of slow progress before stopping: the first one after a kick may gain nothing. */
const PATIENCE = 2;
/**
 * Periods without any progress before stopping. One alone is not conclusive: after a kick, descent into another basin may
 * take two or three periods to fall below the previous minimum.
 */
const MOST_IDLE = 4;
/** A bone whose Σw² falls below this is unused and is restarted where the error is largest. */
const LEAST_SUPPORT = 3;
const MOST_RESTARTS = 8;

/** Share of the rounds after which the price of islands is at its end: the others converge with it. */
const PRICED = 0.8;

/** How the rounds begin and end. */
export interface Descent {
  /** Rounds that diffuse the initial weights along the mesh; 0 if they are spread already. */
  readonly opening: number;
  /** Whether the best iterate is refined on its supports; not worth it if more rounds follow. */
  readonly settle: boolean;
  /** Shares of the price of islands in the first and in the last rounds. */
  readonly prices: readonly [number, number];
}

export const DESCENT_DEFAULTS: Descent = { opening: OPENING, settle: true, prices: [0, 0] };

/** The rounds of a decomposition over an initialised system. */
export class DecompositionRounds implements Rounds, Disposable {
  readonly #system: SkinningSystem;
  readonly #graph: EdgeGraph;
  readonly #options: RoundOptions;
  readonly #kind: BoneKind;
  readonly #descent: Descent;
  readonly #schedule: SearchSchedule;
  readonly #steps: WeightSteps;
  /** Whether every vertex may use every bone, so that there are no supports to search for and kicks gain nothing. */
  readonly #dense: boolean;
  readonly #best: Snapshot;
  readonly #momentum: BoneMomentum;
  readonly #restPose: RestPoseStep;
  readonly #islands: IslandPrices | undefined;
  /** Full price of a weight on an island. */
  #islandPrice = 0;
  /** Sum of squared errors of the best iterate, without prices. */
  #bestError = Number.POSITIVE_INFINITY;
  #periodError = Number.POSITIVE_INFINITY;
  #slowPeriods = 0;
  #idlePeriods = 0;
  #restarts = 0;
  #round = 0;

  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    graph: EdgeGraph,
    kind: BoneKind,
    options: RoundOptions,
    descent: Descent,
  ) {
    this.#system = system;
    this.#graph = graph;
    this.#options = options;
    this.#kind = kind;
    this.#descent = descent;
    this.#schedule = new SearchSchedule(descent.opening, SWAPPING, KICK);
    this.#dense = system.K >= system.m;
    this.#steps = new WeightSteps(numerics, graph, system.K, options.smooth * system.S * SMOOTH_ERROR ** 2);
    this.#best = new Snapshot(system);
    this.#momentum = new BoneMomentum(system, kind === 'rigid');
    this.#restPose = new RestPoseStep(system, options.restPose);
    // The regulariser for smooth weights has no islands to remove, and dense weights no supports to choose.
    const priced = options.islandPrice > 0 && descent.prices[1] > 0 && !this.#steps.smooth && !this.#dense;
    if (priced) this.#islands = new IslandPrices(numerics, system, graph);
  }

  get round(): number {
    return this.#round;
  }

  get bestError(): number {
    return this.#bestError;
  }

  /** One round of weights, rest pose and bones. */
  step(): boolean {
    const { rounds, tolerance } = this.#options;
    const system = this.#system;
    const round = this.#round++;
    const opened = round >= this.#schedule.opening;
    // Swaps ignore neighbours, so with a smoothness prior every round is diffusion.
    const swapping = (this.#schedule.swapsIn(round) || (this.#dense && opened)) && !this.#steps.smooth;
    this.#priceIslands(round);
    if (swapping) this.#steps.swapBest(system, MOST_SWAPS, this.#islands);
    else {
      // A kick is not a descent step, so the bones' previous direction is meaningless after it.
      this.#momentum.reset();
      this.#steps.diffuse(system, this.#islands);
    }
    const error = system.totalError();
    if (round === 0) this.#islandPrice = (this.#options.islandPrice * error) / system.n;
    // The prior trades error for smoothness, so with it the latest iterate is kept.
    const islands = this.#islands?.count() ?? 0;
    const merit = this.#merit(error, islands);
    if (merit < this.#best.error || this.#steps.smooth) {
      this.#best.take(merit);
      this.#bestError = error;
    }
    const takenBack = swapping && this.#momentum.judge(error + islands * (this.#islands?.price ?? 0));
    if (this.#round >= rounds || error === 0) return false;
    if (this.#schedule.endsPeriod(round) && this.#converged(tolerance)) return false;
    if (takenBack) return true;
    if (opened) this.#restPose.correct();
    this.#restartIdleBones();
    this.#solveBones();
    if (swapping) this.#momentum.stride();
    return true;
  }

  /** Restores the best iterate and refines it on fixed supports, keeping only what lowers the error. */
  finish(): void {
    const system = this.#system;
    this.#best.restore();
    this.#momentum.reset();
    // These rounds have no prior and would undo its effect.
    for (let turn = 0; this.#descent.settle && turn < SETTLING && !this.#steps.smooth; turn++) {
      this.#restPose.correct();
      this.#solveBones();
      this.#momentum.stride();
      if (this.#dense) system.solveWeightsOverAll();
      else {
        this.#islands?.update();
        this.#steps.settle(system, this.#islands);
      }
      const error = system.totalError();
      const islands = this.#islands?.count() ?? 0;
      const merit = this.#merit(error, islands);
      if (merit < this.#best.error) this.#best.take(merit);
      this.#momentum.judge(error + islands * this.#islandPrice);
    }
    this.#best.restore();
    this.#restPose.enforce();
  }

  dispose(): void {
    this.#islands?.dispose();
    this.#steps.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** Called at the end of a period. */
  #converged(tolerance: number): boolean {
    const [before, now] = [Math.sqrt(this.#periodError), Math.sqrt(this.#best.error)];
    this.#periodError = this.#best.error;
    if (now >= before) this.#idlePeriods++;
    else {
      this.#idlePeriods = 0;
      this.#slowPeriods = now > (1 - tolerance) * before ? this.#slowPeriods + 1 : 0;
    }
    return this.#slowPeriods === PATIENCE || this.#idlePeriods === MOST_IDLE;
  }

  /** What iterates are compared by, at the price of the last rounds. */
  #merit(error: number, islands: number): number {
    return this.#restPose.merit(error) + islands * this.#descent.prices[1] * this.#islandPrice;
  }

  #priceIslands(round: number): void {
    if (!this.#islands) return;
    const [from, to] = this.#descent.prices;
    const done = Math.min(round / (PRICED * this.#options.rounds), 1);
    this.#islands.price = (from + (to - from) * done) * this.#islandPrice;
    // Regions change slowly, and finding them costs as much as a tenth of a round.
    if (round % 2 === 0) this.#islands.update();
  }

  #solveBones(): void {
    if (this.#kind === 'rigid') this.#system.solveRigidBones(BONE_SWEEPS);
    else this.#system.solveAffineBones();
  }

  #restartIdleBones(): void {
    const system = this.#system;
    const { m, n, K } = system;
    if (n < LEAST_SUPPORT * m) return;
    for (let j = 0; j < m && this.#restarts < MOST_RESTARTS; j++) {
      if (system.mass(j, j) >= LEAST_SUPPORT || system.locked.view[j] !== 0) continue;
      this.#restarts++;
      const error = system.error.view;
      const worst = error.indexOf(error.reduce((a, b) => Math.max(a, b), 0));
      const { bones, weights } = system.editWeights();
      for (const i of patchAround(this.#graph, worst, SEED_VERTICES)) {
        weights.fill(0, i * K, (i + 1) * K);
        weights[i * K] = 1;
        bones[i * K] = j;
        error[i] = 0;
      }
    }
  }
}
