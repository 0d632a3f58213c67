/**
 * Bones that hang together: every bone but the root turns about its joint with its parent, and joints hold exactly,
 *
 *   T_k = T_p + (R_p − R_k) o_k,   v_ti = T_t + Σ_k R_tk c_ik,   c_ik = w_ik p_i − W_ik o_k + Σ_{children a} W_ia o_a,
 *
 * W the weight of a whole subtree. The model is linear in all rotations of a frame and in all joints, and both are
 * solved from the moments of the weights that a SkinningSystem gathers; the vertices are not touched. Weights and rest
 * pose are solved by that system as ever, once the transforms are written to it.
 */
import { type Block, type Numerics, properRotation, ScopeOwner } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
import type { SkinningSystem } from '../skinning/skinning-system.ts';
import { JointEquations } from './joint-equations.ts';
import { RotationMoments } from './rotation-moments.ts';
import type { SkeletonTree } from './skeleton-tree.ts';

/**
 * Fits rotations and joint positions of a hierarchy of bones whose joints hold exactly, over the moments of a
 * `SkinningSystem`.
 * @example
 * {@includeCode ../../examples/decomposition.ts}
 */
export class SkeletonSystem extends ScopeOwner {
  readonly tree: SkeletonTree;
  /** m × 3, each bone's joint with its parent in the rest pose; the root's means nothing. Written by `setJoints`. */
  readonly joints: Float64Array;
  /** S × m × 9, row-major, rest → frame */
  readonly rotations: Block<Float64Array>;
  readonly #numerics: Numerics;
  readonly #system: SkinningSystem;
  readonly #moments: RotationMoments;
  readonly #equations: JointEquations;
  /** The moments for which rotations were last prepared; −1 after the joints changed. */
  #revision = -1;

  /** The system outlives this one, which takes its rotations to begin with. */
  constructor(numerics: Numerics, system: SkinningSystem, tree: SkeletonTree, joints: Float64Array) {
    super(numerics);
    this.tree = tree;
    this.joints = joints.slice();
    this.#numerics = numerics;
    this.#system = system;
    this.rotations = this.scope.f64(system.S * system.m * 9);
    this.#moments = new RotationMoments(numerics, this.scope, system);
    this.#equations = new JointEquations(numerics, system, tree);
    this.readTransforms();
  }

  /** Takes the rotations of the system's transforms, made orthonormal. */
  readTransforms(): void {
    const { S, m, transforms } = this.#system;
    const [from, to] = [transforms.view, this.rotations.view];
    for (let k = 0; k < S * m; k++) {
      for (let entry = 0; entry < 9; entry++) {
        const [row, column] = [Math.floor(entry / 3), entry % 3];
        // properRotation takes the transpose of the matrix to project.
        to[9 * k + 3 * column + row] = from[12 * k + 4 * row + column];
      }
      properRotation(to, 9 * k, to, 9 * k);
    }
  }

  setJoints(joints: Float64Array): void {
    this.joints.set(joints);
    this.#revision = -1;
  }

  /** Sweeps over single bones, then steps for all bones of a frame together. */
  solveRotations(sweeps: number, steps: number): void {
    const { m, S } = this.#system;
    this.#refresh();
    const { C, Y, stride } = this.#moments;
    const fields = { rotations: this.rotations, C, Y, m, stride, sweeps, steps };
    kernels.skeletonRotations(this.#numerics, S, 1, fields);
    this.#carryIdleBones();
  }

  /**
   * All joints, with a pull λ‖o − prior‖² towards given places.
   *
   * @param prior   m × 3
   * @param lambda  of all joints, or m of each
   */
  solveJoints(prior: Float64Array, lambda: number | Float64Array): void {
    const each = typeof lambda === 'number' ? new Float64Array(this.#system.m).fill(lambda) : lambda;
    this.#equations.solve(this.rotations, prior, each, this.joints);
    this.#revision = -1;
  }

  /** Writes the transforms of all bones to the system, the root's translation being the best there is. */
  writeTransforms(): void {
    const { m, n, S } = this.#system;
    const { basis, r } = this.#system.trajectoryBasis;
    const { parents, order } = this.tree;
    this.#refresh();
    const { sums, moved } = this.#moments;
    const [R, B, out] = [this.rotations.view, basis.view, this.#system.editTransforms()];
    for (let t = 0; t < S; t++) {
      for (const k of order) {
        const p = parents[k];
        const [own, above] = [(t * m + k) * 9, (t * m + p) * 9];
        for (let d = 0; d < 3; d++) {
          let T = 0;
          if (p < 0) {
            for (let c = 0; c < r; c++) T += B[c * 3 * S + 3 * t + d] * moved[c];
            for (let l = 0; l < 3 * m; l++) T -= R[(t * m + Math.floor(l / 3)) * 9 + 3 * d + (l % 3)] * sums[l];
            T /= n;
          } else {
            T = out[(t * m + p) * 12 + 4 * d + 3];
            for (let e = 0; e < 3; e++) T += (R[above + 3 * d + e] - R[own + 3 * d + e]) * this.joints[3 * k + e];
          }
          const at = (t * m + k) * 12 + 4 * d;
          for (let e = 0; e < 3; e++) out[at + e] = R[own + 3 * d + e];
          out[at + 3] = T;
        }
      }
    }
  }

  override dispose(): void {
    this.#equations.dispose();
    super.dispose();
  }

  #refresh(): void {
    const { momentsRevision } = this.#system;
    if (this.#revision !== momentsRevision) this.#moments.gather(this.tree, this.joints);
    this.#revision = momentsRevision;
  }

  /** A bone that moves nothing goes along with its parent. */
  #carryIdleBones(): void {
    const { m, S } = this.#system;
    const { C, stride } = this.#moments;
    const R = this.rotations.view;
    for (const k of this.tree.order.subarray(1)) {
      let trace = 0;
      for (let d = 0; d < 3; d++) trace += C.view[(3 * k + d) * stride + 3 * k + d];
      if (trace > 0) continue;
      const p = this.tree.parents[k];
      for (let t = 0; t < S; t++) R.copyWithin((t * m + k) * 9, (t * m + p) * 9, (t * m + p) * 9 + 9);
    }
  }
}
