/**
 * Affine bones for fixed weights, all at once: the normal equations of min ‖v − Σ_j w_j M_j p̂‖² are the same 4m × 4m
 * matrix for every frame and every coordinate,
 *
 *   Σ_k P_jk X_k = Q_j,
 *
 * with X_k (4 × r) the columns of bone k's transforms in the basis of the trajectories. Solved for the change from the
 * transforms at hand, with a small ridge: a bone that moves too few vertices to be determined stays as it is where it is
 * undetermined.
 *
 * Reference: Kavan, Sloan, O'Sullivan. Fast and efficient skinning of animated meshes. 2010, section 3.
 */

import { type Block, DenseCholesky, gemm, matrixOf, type Numerics, transposed } from '@pelt/math';

/** Relative to the mean diagonal of the normal matrix. */
const RIDGE = 1e-8;
/** Where the 4 × 4 entries of a symmetric matrix stand among its ten coefficients. */
const TEN = [0, 1, 2, 3, 1, 4, 5, 6, 2, 5, 7, 8, 3, 6, 8, 9];

export interface AffineProblem {
  readonly m: number;
  readonly S: number;
  /** Rank of the basis, and its padded row length. */
  readonly r: number;
  readonly R: number;
  /** r × 3S */
  readonly basis: Block<Float64Array>;
  /** m × m × 10 */
  readonly moments: Block<Float64Array>;
  /** m × 4 × R */
  readonly trajectoryMoments: Block<Float64Array>;
  /** m × 4 × R, the transforms at hand in the basis */
  readonly projected: Block<Float64Array>;
  /** S × m × 12, out */
  readonly transforms: Block<Float64Array>;
}

export function solveAffineBones(numerics: Numerics, problem: AffineProblem): void {
  const { m, S, r, R } = problem;
  const size = 4 * m;
  const scope = numerics.scope();
  const cholesky = new DenseCholesky(numerics, size);
  try {
    const normal = scope.f64(size * size);
    const mean = fillNormal(problem.moments.view, m, normal.view);
    // Right-hand side Q − P X, as size × r.
    const change = scope.f64(size * r);
    copyRows(problem.trajectoryMoments.view, R, change.view, r, size);
    const current = matrixOf(problem.projected, size, r, R);
    gemm(numerics, -1, matrixOf(normal, size, size), current, 1, matrixOf(change, size, r));
    const ridge = RIDGE * mean || 1;
    for (let k = 0; k < size; k++) normal.view[k * size + k] += ridge;
    cholesky.factor(normal.view);
    const solved = change.view.slice();
    cholesky.solveInPlace(solved, r);
    // X + change, then every frame: M = Bᵀ Xᵀ.
    const projected = problem.projected.view;
    for (let row = 0; row < size; row++) {
      for (let k = 0; k < r; k++) solved[row * r + k] += projected[row * R + k];
    }
    change.view.set(solved);
    const frames = scope.f64(3 * S * size);
    const expanded = matrixOf(frames, 3 * S, size);
    gemm(
      numerics,
      1,
      transposed(matrixOf(problem.basis, r, 3 * S)),
      transposed(matrixOf(change, size, r)),
      0,
      expanded,
    );
    const [from, to] = [frames.view, problem.transforms.view];
    for (let t = 0; t < S; t++) {
      for (let d = 0; d < 3; d++) {
        for (let j = 0; j < m; j++) {
          const at = (3 * t + d) * size + 4 * j;
          to.set(from.subarray(at, at + 4), (t * m + j) * 12 + 4 * d);
        }
      }
    }
  } finally {
    cholesky.dispose();
    scope.dispose();
  }
}

/** The 4m × 4m normal matrix from its coefficients; returns the mean of its diagonal. */
function fillNormal(moments: Float64Array, m: number, out: Float64Array): number {
  const size = 4 * m;
  let trace = 0;
  for (let j = 0; j < m; j++) {
    for (let k = 0; k < m; k++) {
      const pair = (j * m + k) * 10;
      for (let a = 0; a < 4; a++) {
        for (let b = 0; b < 4; b++) out[(4 * j + a) * size + 4 * k + b] = moments[pair + TEN[4 * a + b]];
      }
    }
    for (let a = 0; a < 4; a++) trace += out[(4 * j + a) * (size + 1)];
  }
  return trace / size;
}

function copyRows(from: Float64Array, fromStride: number, to: Float64Array, toStride: number, rows: number): void {
  for (let row = 0; row < rows; row++) {
    to.set(from.subarray(row * fromStride, row * fromStride + toStride), row * toStride);
  }
}
