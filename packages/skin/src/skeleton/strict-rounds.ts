/**
 * A skeleton in rounds: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij (R_tj p_i + T_tj)‖² over weights, rotations, joints, the root's
 * translations and the rest pose, where every bone but the root turns about its joint and joints hold exactly.
 *
 * The joints are no soft constraint: rotations and joints are the unknowns, translations follow (SkeletonSystem). Each
 * round: weights (diffusion in the opening and as a kick in every period, swaps else), rest pose, rotations, joints,
 * rotations again. The best iterate is kept.
 *
 * A joint whose bones turn about one axis may slide along it, and where the skin slides over the bones error and joint
 * trade places, until joints lie outside the body. Each joint is therefore pulled to where its bones meet, by κE/nS for
 * each vertex and frame: a joint one radius off costs the share κ of the error, whatever the error is. Exact data are
 * followed exactly but where they leave a joint free: E counts as PRECISION² at least, which is far above rounding, so
 * that the place along a hinge's axis is decided by the pull and not by the last bits of the input.
 *
 * Tried and left out: joints as a soft term first (equation 24a; the same result), κ = 0.3 (joints outside the body,
 * error lower by 8 %), ten times as many inner steps (the same result), momentum on rotations and joints (errors within
 * 1 %, times within 3 %).
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.3.
 */
import { type Numerics, SkeletonSystem, type SkinningSystem } from '@pelt/math';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { Snapshot } from '../shared/snapshot.ts';
import { updateJointPlaces } from './joint-places.ts';
import type { JointedTree } from './joint-tree.ts';
import type { WeightSteps } from './weight-steps.ts';

export interface StrictOptions {
  /** Most rounds of weights and bones. */
  readonly rounds: number;
  /** Stop when a period of rounds lowers the error by less than this share. */
  readonly tolerance: number;
  /** How much the input's rest pose counts, in frames; 0 lets it float, Infinity keeps it. */
  readonly restStiffness: number;
  /** κ, the share of the error that a joint may cost for each squared radius from where its bones meet. */
  readonly jointPull: number;
  /** Joints stay where they are. */
  readonly keepJoints: boolean;
}

/** Rounds of diffusion at the start, and of swaps and diffusion in every period after. */
const OPENING = 10;
const SWAPPING = 9;
const KICK = 3;
const MOST_SWAPS = 3;
/** Sweeps and Gauss–Newton steps for the rotations at the start and in a round; turns of joints and rotations in it. */
const FIRST_SWEEPS = 3;
const FIRST_STEPS = 3;
const JOINT_TURNS = 2;
/** Root mean square error, in radii, below which a joint's pull falls no further. */
const PRECISION = 1e-5;
/** Rounds on a fixed support at the end. */
const SETTLING = 8;

export class StrictRounds {
  readonly #system: SkinningSystem;
  readonly #skeleton: SkeletonSystem;
  readonly #steps: WeightSteps;
  readonly #graph: EdgeGraph;
  readonly #options: StrictOptions;
  readonly #best: Snapshot;
  readonly #bestJoints: Float64Array;
  readonly #prior: Float64Array;
  #jointsStay: boolean;
  #periodError = Number.POSITIVE_INFINITY;
  #round = 0;

  /** The system holds weights and transforms. */
  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    { tree, joints }: JointedTree,
    steps: WeightSteps,
    options: StrictOptions,
  ) {
    this.#system = system;
    this.#steps = steps;
    this.#graph = steps.graph;
    this.#options = options;
    this.#jointsStay = options.keepJoints;
    this.#skeleton = new SkeletonSystem(numerics, system, tree, joints);
    this.#best = new Snapshot(system);
    this.#bestJoints = this.#skeleton.joints.slice();
    this.#prior = joints.slice();
    system.measureError();
    this.#solveBones(FIRST_SWEEPS, FIRST_STEPS);
  }

  /** Rounds done. */
  get round(): number {
    return this.#round;
  }

  /** Σ of squared errors of the best iterate. */
  get bestError(): number {
    return this.#best.error;
  }

  /** m × 3, the joints of the best iterate. */
  get joints(): Float64Array {
    return this.#bestJoints;
  }

  /** One round. False when it was the last. */
  step(): boolean {
    const { rounds, tolerance } = this.#options;
    const phase = this.#round < OPENING ? SWAPPING : (this.#round - OPENING) % (SWAPPING + KICK);
    if (phase < SWAPPING) this.#steps.swap(this.#system, MOST_SWAPS);
    else this.#steps.diffuse(this.#system);
    this.#judge();
    this.#round++;
    if (this.#round >= rounds || this.#best.error === 0) return false;
    if (phase === SWAPPING - 1) {
      if (Math.sqrt(this.#best.error) > (1 - tolerance) * Math.sqrt(this.#periodError)) return false;
      this.#periodError = this.#best.error;
    }
    this.#solveRest();
    this.#solveBones(1, 1);
    return true;
  }

  /** Puts the best iterate back and settles it on its supports. */
  finish(): void {
    this.#restore();
    for (let turn = 0; turn < SETTLING; turn++) {
      this.#solveRest();
      this.#solveBones(1, 1);
      this.#steps.settle(this.#system);
      this.#judge();
    }
    this.#restore();
  }

  /** Σ of squared errors of the best iterate with other joints, rotations being solved again; the iterate stays. */
  errorWith(joints: Float64Array): number {
    this.#restore();
    this.#placeJoints(joints);
    this.#system.measureError();
    return this.#system.totalError();
  }

  /** Settles the best iterate with joints that stay where they are put. */
  finishWith(joints: Float64Array): void {
    this.#restore();
    this.#placeJoints(joints);
    this.#best.error = Number.POSITIVE_INFINITY;
    this.#jointsStay = true;
    this.#steps.settle(this.#system);
    this.#judge();
    this.finish();
  }

  dispose(): void {
    this.#skeleton.dispose();
  }

  #judge(): void {
    const error = this.#system.totalError();
    if (!(error < this.#best.error)) return;
    this.#best.take(error);
    this.#bestJoints.set(this.#skeleton.joints);
  }

  #restore(): void {
    this.#best.restore();
    this.#skeleton.setJoints(this.#bestJoints);
    this.#skeleton.readTransforms();
  }

  #placeJoints(joints: Float64Array): void {
    this.#skeleton.setJoints(joints);
    this.#skeleton.solveRotations(0, FIRST_STEPS);
    this.#skeleton.writeTransforms();
  }

  #solveRest(): void {
    const { restStiffness } = this.#options;
    if (restStiffness !== Number.POSITIVE_INFINITY) this.#system.correctRest(restStiffness);
  }

  /** Rotations and joints for the weights at hand, and the transforms they make. */
  #solveBones(sweeps: number, steps: number): void {
    const skeleton = this.#skeleton;
    skeleton.solveRotations(sweeps, steps);
    if (!this.#jointsStay) {
      updateJointPlaces(this.#system, this.#graph, skeleton.tree.parents, this.#prior);
      const { n, S } = this.#system;
      const pull = this.#options.jointPull * Math.max(this.#system.totalError(), n * S * PRECISION ** 2);
      for (let turn = 0; turn < JOINT_TURNS; turn++) {
        skeleton.solveJoints(this.#prior, pull);
        skeleton.solveRotations(0, 1);
      }
    }
    skeleton.writeTransforms();
  }
}
