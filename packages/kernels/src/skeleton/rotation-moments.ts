/**
 * What a skeleton's rotations are solved from: the centred moments of c_ik, the vectors that they turn,
 *
 *   C_kl = Σ_i c_ik c_ilᵀ − s_k s_lᵀ/n,   Y_k = Σ_i v_i c_ikᵀ − v s_kᵀ/n,   s_k = Σ_i c_ik,   v = Σ_i v_i,
 *
 * from the moments of the weights, without a look at the vertices. Centred, because the root's translation is eliminated.
 */
import { type Block, gemm, matrixOf, type Numerics, partOf, type Scope, transposed } from '@pelt/math';
import type { SkinningSystem } from '../skinning/skinning-system.ts';
import { type SkeletonTree, throughJoints } from './skeleton-tree.ts';

/** Where the 4 × 4 entries of a symmetric matrix stand among its ten coefficients. */
const TEN = [0, 1, 2, 3, 1, 4, 5, 6, 2, 5, 7, 8, 3, 6, 8, 9];

export class RotationMoments {
  /** Numbers in one row of C and Y: 3m, made even. */
  readonly stride: number;
  /** 3m × stride */
  readonly C: Block<Float64Array>;
  /** 3S × stride */
  readonly Y: Block<Float64Array>;
  /** 3m, s */
  readonly sums: Float64Array;
  /** R, v in the basis of the trajectories */
  readonly moved: Float64Array;
  readonly #numerics: Numerics;
  readonly #system: SkinningSystem;
  readonly #turned: Block<Float64Array>;
  readonly #full: Float64Array;
  readonly #half: Float64Array;
  readonly #halfTransposed: Float64Array;
  readonly #scratch: Float64Array;

  constructor(numerics: Numerics, scope: Scope, system: SkinningSystem) {
    const { m, S } = system;
    const { R } = system.trajectoryBasis;
    this.#numerics = numerics;
    this.#system = system;
    this.stride = 3 * m + (m % 2);
    this.C = scope.f64(3 * m * this.stride);
    this.Y = scope.f64(3 * S * this.stride);
    this.sums = new Float64Array(3 * m);
    this.moved = new Float64Array(R);
    this.#turned = scope.f64(this.stride * R);
    this.#full = new Float64Array(16 * m * m);
    this.#half = new Float64Array(12 * m * m);
    this.#halfTransposed = new Float64Array(12 * m * m);
    this.#scratch = new Float64Array(m * Math.max(4 * m, R));
  }

  gather(tree: SkeletonTree, joints: Float64Array): void {
    this.#gatherC(tree, joints);
    this.#gatherY(tree, joints);
  }

  /** C = L P Lᵀ, with P the 4m × 4m moments of w p̂ and L what `throughJoints` does. */
  #gatherC(tree: SkeletonTree, joints: Float64Array): void {
    const { m, n } = this.#system;
    const { stride, sums } = this;
    const [full, half, transpose, C] = [this.#full, this.#half, this.#halfTransposed, this.C.view];
    const P = this.#system.moments;
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < m; k++) {
        for (let entry = 0; entry < 16; entry++) {
          full[(4 * j + (entry >> 2)) * 4 * m + 4 * k + (entry & 3)] = P[(j * m + k) * 10 + TEN[entry]];
        }
      }
    }
    throughJoints(tree, joints, full, 4 * m, half, 4 * m, 4 * m, this.#scratch);
    sums.fill(0);
    for (let row = 0; row < 3 * m; row++) {
      for (let c = 0; c < 4 * m; c++) transpose[c * 3 * m + row] = half[row * 4 * m + c];
      // The weights of a vertex sum to 1, so that these columns sum to Σ_i c_ik.
      for (let k = 0; k < m; k++) sums[row] += half[row * 4 * m + 4 * k + 3];
    }
    throughJoints(tree, joints, transpose, 3 * m, C, stride, 3 * m, this.#scratch);
    for (let row = 0; row < 3 * m; row++) {
      for (let c = 0; c < 3 * m; c++) C[row * stride + c] -= (sums[row] * sums[c]) / n;
    }
  }

  #gatherY(tree: SkeletonTree, joints: Float64Array): void {
    const { m, n, S } = this.#system;
    const { basis, r, R } = this.#system.trajectoryBasis;
    const { stride, sums, moved } = this;
    const [Q, turned] = [this.#system.trajectoryMoments.view, this.#turned.view];
    throughJoints(tree, joints, Q, R, turned, R, R, this.#scratch);
    moved.fill(0);
    for (let k = 0; k < m; k++) for (let c = 0; c < R; c++) moved[c] += Q[(4 * k + 3) * R + c];
    for (let row = 0; row < 3 * m; row++) {
      for (let c = 0; c < R; c++) turned[row * R + c] -= (sums[row] * moved[c]) / n;
    }
    const rows = partOf(matrixOf(this.#turned, stride, R), 0, 0, stride, r);
    const frames = transposed(matrixOf(basis, r, 3 * S));
    gemm(this.#numerics, 1, frames, transposed(rows), 0, matrixOf(this.Y, 3 * S, stride));
  }
}
