/**
 * Refinement of a skeleton: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij (R_tj p_i + T_tj)‖² over weights, rotations, joints, the
 * root's translations and the rest pose, where every bone but the root rotates about its joint and joints are exact.
 *
 * Joints are not a soft constraint: rotations and joints are the unknowns, and translations follow from them
 * (SkeletonSystem). Each round solves weights (weight-plan.ts), rest pose, rotations one bone at a time, joints, and the
 * rotations of all bones together. The best iterate is kept.
 *
 * A joint whose bones rotate about one axis can slide along it; and where skin slides over the bones, error can be traded
 * for joint position until joints lie outside the body. A regulariser therefore pulls each joint towards where its bones
 * meet, with weight κE/nS per vertex and frame: a joint one radius off costs the fraction κ of the error, whatever the
 * error. Exact data are reproduced exactly except where they leave a joint free: E is at least PRECISION², well above
 * rounding, so that the position along a hinge axis is decided by the regulariser and not by the last bits of the input.
 *
 * The pull on a joint outside of the mesh grows in every round until it is inside, unless the place where its bones meet is
 * outside as well, and iterates are compared by the error times 1 + OUTSIDE per joint outside. (Moving joints inside after
 * the last round instead costs up to 40 % of the error where skin is elastic: weights and other joints have settled then.)
 *
 * Tried and left out: a soft joint term first (equation 24a; same result), κ = 0.3 (joints outside the body, error 8 %
 * lower), three Gauss–Newton steps per round or ten times as many inner steps (same result for half as much time again),
 * thorough swaps (the same), momentum on rotations and joints (errors within 1 %, times within 3 %).
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.3.
 */
import { SkeletonSystem, type SkinningSystem } from '@pelt/kernels';
import { DISPOSE, type Numerics } from '@pelt/math';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';
import type { Rounds } from '../shared/rounds.ts';
import { Snapshot } from '../shared/snapshot.ts';
import type { WeightSteps } from '../shared/weight-steps.ts';
import { updateJointPlaces } from './joint-places.ts';
import type { JointedTree } from './joint-tree.ts';
import { roundOf, type WeightPlan } from './weight-plan.ts';

export interface StrictOptions {
  /** Maximum number of rounds of weights and bones. */
  readonly rounds: number;
  /** Which search for supports each round uses. */
  readonly plan: WeightPlan;
  /** Alternations of joints and rotations per round: one lowers the error as fast per round, two find joints sooner. */
  readonly jointTurns: number;
  /** Stop when a period of rounds lowers the error by less than this fraction. */
  readonly tolerance: number;
  /** Weight of the input's rest pose, counted in frames; 0 lets it float, Infinity fixes it. */
  readonly restStiffness: number;
  /** κ, cost of a joint per squared radius from where its bones meet, relative to the error. */
  readonly jointPull: number;
  /** Whether joints are fixed. */
  readonly keepJoints: boolean;
}

const MOST_SWAPS = 3;
/** Initial sweeps and Gauss–Newton steps for the rotations. */
const FIRST_SWEEPS = 3;
const FIRST_STEPS = 3;
/** Root mean square error, in radii, below which the pull on joints no longer decreases. */
const PRECISION = 1e-5;
/** The pull to places that are given, relative to that to where bones meet, which is a rougher estimate. */
const ANCHORED = 10;
/** Growth of the pull on a joint outside of the mesh, per round, and its limit. */
const [PULL_GROWTH, MOST_PULL] = [3, 1e4];
/** Fraction of the squared error that a joint inside the mesh may cost. */
export const OUTSIDE = 0.1;
/** Final rounds on fixed supports. */
const SETTLING = 8;

/** The rounds of a skeleton over an initialised system. */
export class StrictRounds implements Rounds, Disposable {
  readonly #system: SkinningSystem;
  readonly #skeleton: SkeletonSystem;
  readonly #steps: WeightSteps;
  readonly #graph: EdgeGraph;
  readonly #options: StrictOptions;
  readonly #best: Snapshot;
  readonly #bestJoints: Float64Array;
  readonly #prior: Float64Array;
  /** Whether joints are pulled to given places instead of where their bones meet. */
  readonly #anchored: boolean;
  readonly #winding: WindingNumber | undefined;
  /** m, factor of the pull on each joint */
  readonly #pulls: Float64Array;
  /** Joints outside of the mesh now. */
  #outside = 0;
  #bestCost = Number.POSITIVE_INFINITY;
  #jointsStay: boolean;
  #periodCost = Number.POSITIVE_INFINITY;
  #round = 0;

  /**
   * @param system   contains initial weights and transforms
   * @param winding  of the mesh, if joints should be inside
   */
  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    { tree, joints, places }: JointedTree,
    steps: WeightSteps,
    options: StrictOptions,
    winding?: WindingNumber,
  ) {
    this.#system = system;
    this.#steps = steps;
    this.#graph = steps.graph;
    this.#options = options;
    this.#jointsStay = options.keepJoints;
    this.#winding = winding;
    this.#pulls = new Float64Array(system.m).fill(1);
    this.#skeleton = new SkeletonSystem(numerics, system, tree, joints);
    this.#best = new Snapshot(system);
    this.#bestJoints = this.#skeleton.joints.slice();
    this.#prior = (places ?? joints).slice();
    this.#anchored = places !== undefined;
    system.measureError();
    this.#solveBones(FIRST_SWEEPS, FIRST_STEPS);
    steps.settle(system);
    this.#judge();
    this.#periodCost = this.#bestCost;
  }

  get round(): number {
    return this.#round;
  }

  get bestError(): number {
    return this.#best.error;
  }

  /** Squared error of the best iterate, more for joints outside of the mesh: what iterates are compared by. */
  get bestCost(): number {
    return this.#bestCost;
  }

  /** m × 3, the joints of the best iterate. */
  get joints(): Float64Array {
    return this.#bestJoints;
  }

  step(): boolean {
    const { rounds, tolerance, plan, restStiffness } = this.#options;
    if (this.#best.error === 0) return false;
    const { step, ends } = roundOf(plan, this.#round++);
    this.#system.correctRest(restStiffness);
    this.#solveBones(1);
    if (step === 's') this.#steps.swapQuickly(this.#system, MOST_SWAPS);
    else if (step === 'w') this.#steps.widen(this.#system);
    else this.#steps.diffuse(this.#system);
    this.#judge();
    if (this.#round >= rounds) return false;
    if (ends) {
      if (Math.sqrt(this.#bestCost) > (1 - tolerance) * Math.sqrt(this.#periodCost)) return false;
      this.#periodCost = this.#bestCost;
    }
    return true;
  }

  /** Restores the best iterate and refines it on fixed supports. */
  finish(): void {
    this.restore();
    for (let turn = 0; turn < SETTLING; turn++) {
      this.#system.correctRest(this.#options.restStiffness);
      this.#solveBones(1);
      this.#steps.settle(this.#system);
      this.#judge();
    }
    this.restore();
  }

  /** Sum of squared errors of the best iterate with other joints and re-solved rotations; the best iterate is kept. */
  errorWith(joints: Float64Array): number {
    this.restore();
    this.#placeJoints(joints);
    this.#system.measureError();
    return this.#system.totalError();
  }

  /** Refines the best iterate with the given joints, which stay fixed. */
  finishWith(joints: Float64Array): void {
    this.restore();
    this.#placeJoints(joints);
    this.#best.error = Number.POSITIVE_INFINITY;
    this.#jointsStay = true;
    this.#bestCost = Number.POSITIVE_INFINITY;
    this.#outside = 0;
    this.#steps.settle(this.#system);
    this.#judge();
    this.finish();
  }

  dispose(): void {
    this.#skeleton.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #judge(): void {
    const error = this.#system.totalError();
    const cost = error * (1 + OUTSIDE * this.#outside);
    if (!(cost < this.#bestCost)) return;
    this.#bestCost = cost;
    this.#best.take(error);
    this.#bestJoints.set(this.#skeleton.joints);
  }

  /** Writes the best iterate to the system. */
  restore(): void {
    this.#best.restore();
    this.#skeleton.setJoints(this.#bestJoints);
    this.#skeleton.readTransforms();
  }

  #placeJoints(joints: Float64Array): void {
    this.#skeleton.setJoints(joints);
    this.#skeleton.solveRotations(0, FIRST_STEPS);
    this.#skeleton.writeTransforms();
  }

  /** Solves rotations and joints for the current weights and writes the transforms. */
  #solveBones(sweeps: number, steps = this.#options.jointTurns - 1): void {
    const skeleton = this.#skeleton;
    skeleton.solveRotations(sweeps, steps);
    if (!this.#jointsStay) {
      if (!this.#anchored) updateJointPlaces(this.#system, this.#graph, skeleton.tree.parents, this.#prior);
      const { n, S } = this.#system;
      const factor = this.#options.jointPull * (this.#anchored ? ANCHORED : 1);
      const pull = factor * Math.max(this.#system.totalError(), n * S * PRECISION ** 2);
      const pulls = this.#pulls.map((own) => own * pull);
      for (let turn = 0; turn < this.#options.jointTurns; turn++) {
        skeleton.solveJoints(this.#prior, pulls);
        skeleton.solveRotations(0, 1);
      }
      this.#outside = this.#pullInside();
    } else skeleton.solveRotations(0, 1);
    skeleton.writeTransforms();
  }

  /** Raises the pull on joints outside of the mesh whose places are inside, and returns their number. */
  #pullInside(): number {
    const { joints, tree } = this.#skeleton;
    let outside = 0;
    for (const k of tree.order.subarray(1)) {
      if (this.#isInside(joints, k) || !this.#isInside(this.#prior, k)) continue;
      outside++;
      this.#pulls[k] = Math.min(PULL_GROWTH * this.#pulls[k], MOST_PULL);
    }
    return outside;
  }

  #isInside(points: Float64Array, k: number): boolean {
    return !this.#winding || this.#winding.at(points[3 * k], points[3 * k + 1], points[3 * k + 2]) > 0.5;
  }
}
