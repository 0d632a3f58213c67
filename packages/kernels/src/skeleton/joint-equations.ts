/**
 * All joints of a skeleton at once, for fixed rotations and weights: minimise
 *
 *   Σ_t Σ_i ‖v_ti − T_t − Σ_k R_tk c_ik‖² + Σ_a λ_a ‖o_a − prior_a‖²   over the joints o_a, T_t eliminated.
 *
 * The model is linear in the joints: c = w p plus terms in o (assembly/skeleton/joint-rows.ts). A hinge leaves its axis
 * free; there the prior decides, however small λ is.
 */

import { type Block, DenseCholesky, gemm, matrixOf, type Numerics, partOf, ScopeOwner, transposed } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
import type { SkinningSystem } from '../skinning/skinning-system.ts';
import { type SkeletonTree, sumOverSubtrees } from './skeleton-tree.ts';

/** Least λ, relative to the mean diagonal of the equations: keeps their factor defined. */
const RIDGE = 1e-12;
/** Coefficients of w_j w_k p̂ among the ten of a bone pair: x, y, z, 1. */
const WEIGHTED = [3, 6, 8, 9];

export class JointEquations extends ScopeOwner {
  readonly #numerics: Numerics;
  readonly #system: SkinningSystem;
  readonly #tree: SkeletonTree;
  readonly #bones: Block<Int32Array>;
  readonly #parents: Block<Int32Array>;
  readonly #pairs: Block<Float64Array>;
  readonly #trajectories: Block<Float64Array>;
  readonly #moved: Block<Float64Array>;
  readonly #rest: Block<Float64Array>;
  readonly #A: Block<Float64Array>;
  readonly #b: Block<Float64Array>;
  readonly #cholesky: DenseCholesky;
  readonly #subtrees: Float64Array;
  readonly #below: Float64Array;

  constructor(numerics: Numerics, system: SkinningSystem, tree: SkeletonTree) {
    super(numerics);
    const { scope } = this;
    const { m, S } = system;
    const { R } = system.trajectoryBasis;
    const q = m - 1;
    const bones = tree.order.subarray(1);
    this.#numerics = numerics;
    this.#system = system;
    this.#tree = tree;
    this.#bones = scope.i32From(bones);
    this.#parents = scope.i32From(bones.map((k) => tree.parents[k]));
    this.#pairs = scope.f64(q * q);
    this.#trajectories = scope.f64(q * R);
    this.#moved = scope.f64(3 * S * q);
    this.#rest = scope.f64(q * m * 3);
    this.#A = scope.f64(9 * q * q);
    this.#b = scope.f64(3 * q);
    this.#cholesky = new DenseCholesky(numerics, 3 * q);
    this.#subtrees = new Float64Array(m * Math.max(4 * m, R));
    this.#below = new Float64Array(m * m);
  }

  /**
   * @param rotations  S × m × 9
   * @param prior      m × 3
   * @param lambda     m, of each joint
   * @param joints     m × 3, overwritten but for the root's
   */
  solve(rotations: Block<Float64Array>, prior: Float64Array, lambda: Float64Array, joints: Float64Array): void {
    const { m, S } = this.#system;
    const q = m - 1;
    if (q === 0) return;
    this.#gatherWeights();
    this.#gatherTrajectories();
    kernels.jointRows(this.#numerics, q, 1, {
      rotations,
      bones: this.#bones,
      parents: this.#parents,
      pairs: this.#pairs,
      moved: this.#moved,
      rest: this.#rest,
      A: this.#A,
      b: this.#b,
      m,
      S,
      q,
    });
    const [A, b] = [this.#A.view, this.#b.view.slice()];
    let trace = 0;
    for (let k = 0; k < 3 * q; k++) trace += A[k * (3 * q + 1)];
    const least = (RIDGE * trace) / (3 * q);
    const bones = this.#bones.view;
    for (let k = 0; k < 3 * q; k++) {
      const pull = Math.max(lambda[bones[Math.floor(k / 3)]], least) || 1;
      A[k * (3 * q + 1)] += pull;
      b[k] += pull * prior[3 * bones[Math.floor(k / 3)] + (k % 3)];
    }
    this.#cholesky.factor(A).solveInPlace(b);
    for (let k = 0; k < 3 * q; k++) joints[3 * bones[Math.floor(k / 3)] + (k % 3)] = b[k];
  }

  override dispose(): void {
    this.#cholesky.dispose();
    super.dispose();
  }

  /** Σ_i W_ia W_ib and Σ_i W_ia w_il p_i, W centred. */
  #gatherWeights(): void {
    const { m, n } = this.#system;
    const root = this.#tree.order[0];
    const P = this.#system.moments;
    // Σ_i W_ia w_il p̂_i, m × m × 4
    const sums = this.#subtrees;
    for (let pair = 0; pair < m * m; pair++) {
      for (let d = 0; d < 4; d++) sums[4 * pair + d] = P[10 * pair + WEIGHTED[d]];
    }
    sumOverSubtrees(this.#tree, sums, 4 * m);
    // Transposed, so that the second sum runs over rows as well: Σ_i W_ia W_ib, m × m.
    const below = this.#below;
    for (let a = 0; a < m; a++) for (let l = 0; l < m; l++) below[l * m + a] = sums[(a * m + l) * 4 + 3];
    sumOverSubtrees(this.#tree, below, m);
    const [pairs, rest, bones] = [this.#pairs.view, this.#rest.view, this.#bones.view];
    const total = (a: number) => below[root * m + a];
    bones.forEach((a, row) => {
      bones.forEach((b, column) => {
        pairs[row * bones.length + column] = below[a * m + b] - (total(a) * total(b)) / n;
      });
      for (let l = 0; l < m; l++) {
        for (let d = 0; d < 3; d++) {
          // The root's subtree is everything: Σ_i w_il p_i.
          const all = sums[(root * m + l) * 4 + d];
          rest[(row * m + l) * 3 + d] = sums[(a * m + l) * 4 + d] - (total(a) * all) / n;
        }
      }
    });
  }

  /** Σ_i W_ia v_ti for all frames, W centred. */
  #gatherTrajectories(): void {
    const { m, n, S } = this.#system;
    const { basis, r, R } = this.#system.trajectoryBasis;
    const Q = this.#system.trajectoryMoments.view;
    const root = this.#tree.order[0];
    const sums = this.#subtrees;
    for (let k = 0; k < m; k++) for (let c = 0; c < R; c++) sums[k * R + c] = Q[(4 * k + 3) * R + c];
    sumOverSubtrees(this.#tree, sums, R);
    const [out, bones] = [this.#trajectories.view, this.#bones.view];
    bones.forEach((a, row) => {
      const share = this.#below[root * m + a] / n;
      for (let c = 0; c < R; c++) out[row * R + c] = sums[a * R + c] - share * sums[root * R + c];
    });
    const q = bones.length;
    const rows = partOf(matrixOf(this.#trajectories, q, R), 0, 0, q, r);
    const frames = transposed(matrixOf(basis, r, 3 * S));
    gemm(this.#numerics, 1, frames, transposed(rows), 0, matrixOf(this.#moved, 3 * S, q));
  }
}
