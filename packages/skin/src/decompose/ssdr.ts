/**
 * Skinning decomposition in rounds: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij (R_tj p_i + T_tj)‖² over weights,
 * rotations, translations and the rest pose, with w ≥ 0, Σw = 1, at most K non-zeros a vertex and R ∈ SO(3), or with affine bones.
 *
 * Block coordinate descent. What decides the error is which bones a vertex may use, so the weight step alternates two
 * searches: candidates diffused along the mesh find coherent supports but move one ring a round; swaps by the gradient
 * over all bones find distant ones but get stuck alone. A short return to diffusion every few rounds (a kick) raises the
 * error for a moment and leads to a lower one. The rest pose is solved for as one more block; it counts as a frame of
 * its own, so that it stays where the input had it within the error of the fit.
 *
 * Tried and left out: clusters by doubling (error 4 % higher), twice as many candidates (same error, slower), ten bone
 * sweeps in place of four (same error), half as many clusters again and pruning (−6 to +5 %), growing bone by bone under
 * blended weights (10 % higher), moving the bone that matters least to where the error is largest (no gain).
 *
 * References: Le, Deng. Smooth skinning decomposition with rigid bones. 2012 (equations 2, 13–17). Le, Deng. Mesh
 * animation decomposition and compression. SIGGRAPH course 2014, section 1.
 */

import type { Block, Numerics, Scope, SkinningSystem } from '@pelt/math';
import { BoneMomentum } from '../shared/bone-momentum.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import { Snapshot } from '../shared/snapshot.ts';
import { SEED_VERTICES } from './cluster-start.ts';
import type { BoneKind, RoundOptions } from './options.ts';

/** Rounds of diffusion at the start, and of swaps and diffusion in every period after. */
export const OPENING = 10;
const SWAPPING = 5;
const KICK = 3;
/** Swaps that one vertex may make in one round, and the relative gain that makes a swap worth it. */
const MOST_SWAPS = 3;
const LEAST_GAIN = 1e-4;
/** Weight of a vertex itself beside the mean of its neighbours when candidates are diffused. */
const OWN_WEIGHT = 1;
/** Error, in radii, that a unit of smoothness is weighed against. */
const SMOOTH_ERROR = 0.1;
/** Rounds on a fixed support at the end. */
const SETTLING = 12;
/** Four sweeps over the rigid bones cost little beside a weight step; more bring nothing. */
const BONE_SWEEPS = 4;
/** Periods of little progress before the end: the first after a kick may come to nothing. */
const PATIENCE = 2;
/**
 * Periods without any before the end. Such a one says little: the kick has led to another valley, and the descent into it
 * may take two or three periods until it is below the last.
 */
const MOST_IDLE = 4;
/** A bone whose Σw² falls below this many vertices is used nowhere and starts again where the error is largest. */
const LEAST_SUPPORT = 3;
const MOST_RESTARTS = 8;

/** The rounds of a decomposition over a system that holds a start. The caller disposes it. */
export class DecompositionRounds {
  readonly #system: SkinningSystem;
  readonly #graph: EdgeGraph;
  readonly #options: RoundOptions;
  readonly #kind: BoneKind;
  readonly #opening: number;
  readonly #scope: Scope;
  readonly #starts: Block<Int32Array>;
  readonly #neighbours: Block<Int32Array>;
  readonly #candidates: Block<Int32Array>;
  readonly #count: number;
  /** Whether every vertex may use every bone: then there are no supports to search for, and kicks bring nothing. */
  readonly #dense: boolean;
  readonly #prior: { readonly means: Block<Float64Array>; readonly lambda: number } | undefined;
  readonly #best: Snapshot;
  readonly #momentum: BoneMomentum;
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
    opening: number,
  ) {
    this.#system = system;
    this.#graph = graph;
    this.#options = options;
    this.#kind = kind;
    this.#opening = opening;
    this.#dense = system.K >= system.m;
    this.#scope = numerics.scope();
    this.#starts = this.#scope.i32From(graph.starts);
    this.#neighbours = this.#scope.i32From(graph.neighbours);
    this.#count = Math.min(options.smooth > 0 ? 2 * system.K : system.K, system.m);
    if (options.smooth > 0) {
      const lambda = options.smooth * system.S * SMOOTH_ERROR ** 2;
      this.#prior = { means: this.#scope.f64(system.n * this.#count), lambda };
    }
    this.#candidates = this.#scope.i32(system.n * this.#count);
    this.#best = new Snapshot(system);
    this.#momentum = new BoneMomentum(system, kind === 'rigid');
  }

  /** Rounds done. */
  get round(): number {
    return this.#round;
  }

  /** Σ of squared errors of the best iterate. */
  get bestError(): number {
    return this.#best.error;
  }

  /** One round of weights, rest pose and bones. False when it was the last. */
  step(): boolean {
    const { rounds, tolerance, restStiffness } = this.#options;
    const system = this.#system;
    const phase = this.#phase();
    // Swaps know nothing of neighbours: with a prior for smooth weights all rounds are diffusion.
    const swapping = (phase < SWAPPING || (this.#dense && this.#round >= this.#opening)) && !this.#prior;
    if (swapping) system.solveWeightsBySwaps(MOST_SWAPS, LEAST_GAIN);
    else {
      // A kick is no descent: where the bones came from says nothing any more.
      this.#momentum.reset();
      this.#diffuse();
    }
    const error = system.totalError();
    // The prior trades error for smoothness, so that with it the latest iterate is the one to keep.
    if (error < this.#best.error || this.#prior) this.#best.take(error);
    this.#round++;
    const takenBack = swapping && this.#momentum.judge(error);
    if (this.#round >= rounds || error === 0) return false;
    if (phase === SWAPPING - 1 && this.#converged(tolerance)) return false;
    if (takenBack) return true;
    if (restStiffness !== Number.POSITIVE_INFINITY && this.#round > this.#opening) system.correctRest(restStiffness);
    this.#restartIdleBones();
    this.#solveBones();
    if (swapping) this.#momentum.stride();
    return true;
  }

  /** Puts the best iterate back and settles it: the support stays, and only what lowers the error is kept. */
  finish(): void {
    const { restStiffness } = this.#options;
    const system = this.#system;
    this.#best.restore();
    this.#momentum.reset();
    // Without the prior these would undo it.
    if (this.#prior) return;
    for (let turn = 0; turn < SETTLING; turn++) {
      if (restStiffness !== Number.POSITIVE_INFINITY) system.correctRest(restStiffness);
      this.#solveBones();
      this.#momentum.stride();
      if (this.#dense) system.solveWeightsOverAll();
      else {
        this.#keepSupports();
        system.solveWeightsAmong(this.#candidates, this.#count);
      }
      const error = system.totalError();
      if (error < this.#best.error) this.#best.take(error);
      this.#momentum.judge(error);
    }
    this.#best.restore();
  }

  dispose(): void {
    this.#scope.dispose();
  }

  /** Position in the period: swaps come first, then diffusion. The opening is diffusion alone. */
  #phase(): number {
    return this.#round < this.#opening ? SWAPPING : (this.#round - this.#opening) % (SWAPPING + KICK);
  }

  /** At the end of a period. */
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

  #solveBones(): void {
    if (this.#kind === 'rigid') this.#system.solveRigidBones(BONE_SWEEPS);
    else this.#system.solveAffineBones();
  }

  #diffuse(): void {
    const graph = { starts: this.#starts, neighbours: this.#neighbours };
    this.#system.diffuse(graph, OWN_WEIGHT, this.#candidates, this.#count, this.#prior?.means);
    this.#system.solveWeightsAmong(this.#candidates, this.#count, this.#prior);
  }

  #keepSupports(): void {
    const { boneIndices, weights } = this.#system;
    const [bones, w, candidates] = [boneIndices.view, weights.view, this.#candidates.view];
    for (let i = 0; i < this.#system.n; i++) {
      let used = 0;
      for (let s = 0; s < this.#system.K; s++) {
        const k = i * this.#system.K + s;
        if (w[k] > 0) candidates[i * this.#count + used++] = bones[k];
      }
      if (used < this.#count) candidates[i * this.#count + used] = -1;
    }
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
