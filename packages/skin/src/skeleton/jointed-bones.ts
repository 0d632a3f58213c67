/**
 * Bones of a skeleton as a block of a descent: rotations, joints and the root's translations, where every bone but the root
 * rotates about its joint and joints are exact. Joints are not a soft constraint: rotations and joints are the unknowns, and
 * translations follow from them (SkeletonSystem). A step solves rotations one bone at a time, then joints, then the
 * rotations of all bones together.
 *
 * A joint whose bones rotate about one axis can slide along it; and where skin slides over the bones, error can be traded
 * for joint position until joints lie outside the body. A regulariser therefore pulls each joint towards where its bones
 * meet, with weight κE/nS per vertex and frame: a joint one radius off costs the fraction κ of the error, whatever the
 * error. Exact data are reproduced exactly except where they leave a joint free: E is at least PRECISION², well above
 * rounding, so that the position along a hinge axis is decided by the regulariser and not by the last bits of the input.
 *
 * The pull on a joint outside of the mesh grows in every round until it is inside, unless the place where its bones meet is
 * outside as well, and iterates are compared by the error times 1 + `outside` per joint outside. (Moving joints inside after
 * the last round instead costs up to 40 % of the error where skin is elastic: weights and other joints have settled then.)
 */
import { SkeletonSystem, type SkinningSystem } from '@pelt/kernels';
import { DISPOSE, type Numerics } from '@pelt/math';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import type { WindingNumber } from '../shared/mesh/winding-number.ts';
import type { BoneBlock } from '../shared/search/rounds.ts';
import { updateJointPlaces } from './joint-places.ts';
import type { JointedTree } from './joint-tree.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { SkeletonPlan } from './plan.ts';
import { mirrorPoints } from './symmetric-tree.ts';

/** What is known of the rest pose as a body. */
export interface BodyShape {
  readonly mirror?: MirrorPlane;
  readonly winding?: WindingNumber;
}

export interface JointOptions {
  readonly search: SkeletonPlan;
  /** Alternations of joints and rotations per round: one lowers the error as fast per round, two find joints sooner. */
  readonly jointTurns: number;
  /** κ, cost of a joint per squared radius from where its bones meet, relative to the error. */
  readonly jointPull: number;
  /** Whether joints are fixed: all of them, none, or those of these bones. */
  readonly keepJoints: boolean | ReadonlySet<number>;
}

/** Factor of the pull on a joint that stays, whose neighbours are solved for together with it. */
const STAYING = 1e6;

/** Root mean square error, in radii, below which the pull on joints no longer decreases. */
const PRECISION = 1e-5;

export class JointedBones implements BoneBlock, Disposable {
  readonly #system: SkinningSystem;
  readonly #skeleton: SkeletonSystem;
  readonly #graph: EdgeGraph;
  readonly #options: JointOptions;
  readonly #kept: Float64Array;
  readonly #prior: Float64Array;
  /** Whether joints are pulled to given places instead of where their bones meet. */
  readonly #anchored: boolean;
  readonly #winding: WindingNumber | undefined;
  readonly #mirrored: { readonly plane: MirrorPlane; readonly partners: Int32Array } | undefined;
  /** Bones whose joints stay while others move, and m × 3 where those are */
  readonly #staying: ReadonlySet<number>;
  readonly #first: Float64Array;
  /** m, factor of the pull on each joint */
  readonly #pulls: Float64Array;
  /** Joints outside of the mesh now. */
  #outside = 0;
  #fixed: boolean;

  /** @param shape  the mesh, if joints should be inside, and its mirror plane, if bones that are known to be pairs have mirrored joints */
  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    graph: EdgeGraph,
    { tree, joints, places, partners }: JointedTree,
    options: JointOptions,
    { winding, mirror }: BodyShape = {},
  ) {
    this.#system = system;
    this.#graph = graph;
    this.#options = options;
    this.#fixed = options.keepJoints === true;
    this.#staying = typeof options.keepJoints === 'boolean' ? new Set() : options.keepJoints;
    this.#first = joints.slice();
    this.#winding = winding;
    this.#mirrored = mirror && partners && options.keepJoints === false ? { plane: mirror, partners } : undefined;
    this.#pulls = Float64Array.from({ length: system.m }, (_, k) => (this.#staying.has(k) ? STAYING : 1));
    this.#skeleton = new SkeletonSystem(numerics, system, tree, joints);
    this.#kept = this.#skeleton.joints.slice();
    this.#prior = (places ?? joints).slice();
    this.#anchored = places !== undefined;
    system.measureError();
    const { firstTurns } = options.search;
    this.#solve(firstTurns, firstTurns);
  }

  get penalty(): number {
    return 1 + this.#options.search.outside * this.#outside;
  }

  /** m × 3, the joints that were kept last. */
  get joints(): Float64Array {
    return this.#kept;
  }

  solve(): void {
    this.#solve(1, this.#options.jointTurns - 1);
  }

  judge(): boolean {
    return false;
  }

  forget(): void {}

  keep(): void {
    this.#kept.set(this.#skeleton.joints);
  }

  restore(): void {
    this.#skeleton.setJoints(this.#kept);
    this.#skeleton.readTransforms();
  }

  /** Other joints, with rotations that suit them. */
  place(joints: Float64Array): void {
    this.#skeleton.setJoints(joints);
    this.#skeleton.solveRotations(0, this.#options.search.firstTurns);
    this.#skeleton.writeTransforms();
  }

  /** Joints stay where they are from now on. */
  fix(): void {
    this.#fixed = true;
    this.#outside = 0;
  }

  dispose(): void {
    this.#skeleton.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** Solves rotations and joints for the current weights and writes the transforms. */
  #solve(sweeps: number, steps: number): void {
    const skeleton = this.#skeleton;
    skeleton.solveRotations(sweeps, steps);
    if (!this.#fixed) {
      if (!this.#anchored) updateJointPlaces(this.#system, this.#graph, skeleton.tree.parents, this.#prior);
      const { n, S } = this.#system;
      const { jointPull, jointTurns, search } = this.#options;
      const factor = jointPull * (this.#anchored ? search.anchored : 1);
      const pull = factor * Math.max(this.#system.totalError(), n * S * PRECISION ** 2);
      const pulls = this.#pulls.map((own) => own * pull);
      for (let turn = 0; turn < jointTurns; turn++) {
        skeleton.solveJoints(this.#prior, pulls);
        this.#putBack();
        this.#mirror();
        skeleton.solveRotations(0, 1);
      }
      this.#outside = this.#pullInside();
    } else skeleton.solveRotations(0, 1);
    skeleton.writeTransforms();
  }

  /** Joints that stay, exactly where they were. */
  #putBack(): void {
    if (this.#staying.size === 0) return;
    const joints = this.#skeleton.joints.slice();
    for (const k of this.#staying) joints.set(this.#first.subarray(3 * k, 3 * k + 3), 3 * k);
    this.#skeleton.setJoints(joints);
  }

  /** Pairs of bones get joints that are mirror images. */
  #mirror(): void {
    if (!this.#mirrored) return;
    const { plane, partners } = this.#mirrored;
    const joints = this.#skeleton.joints.slice();
    mirrorPoints(joints, partners, plane, this.#skeleton.tree.parents);
    this.#skeleton.setJoints(joints);
  }

  /** Raises the pull on joints outside of the mesh whose places are inside, and returns their number. */
  #pullInside(): number {
    const { joints, tree } = this.#skeleton;
    const { pullGrowth } = this.#options.search;
    let outside = 0;
    for (const k of tree.order.subarray(1)) {
      if (this.#isInside(joints, k) || !this.#isInside(this.#prior, k)) continue;
      outside++;
      this.#pulls[k] = Math.min(pullGrowth * this.#pulls[k], pullGrowth ** 8);
    }
    return outside;
  }

  #isInside(points: Float64Array, k: number): boolean {
    return !this.#winding || this.#winding.at(points[3 * k], points[3 * k + 1], points[3 * k + 2]) > 0.5;
  }
}
