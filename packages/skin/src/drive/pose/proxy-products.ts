/**
 * Products with the matrix G of the proxies' gradients, a sparse matrix of 4 × 3 blocks that acts on x, y and z alike,
 * so that one 4m × 4m normal matrix serves all three. Plain loops over arrays that are kept: no allocation.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 3.3).
 */
import type { GradientRows } from './weight-gradients.ts';

/**
 * H += GᵀWG.
 *
 * @param weights  p
 * @param h        N × N, N = 4m; added to
 */
export function addNormalMatrix(rows: GradientRows, weights: Float64Array, h: Float64Array, N: number): void {
  const { starts, controls, blocks } = rows;
  for (let p = 0; p < weights.length; p++) {
    for (let a = starts[p]; a < starts[p + 1]; a++) {
      for (let b = starts[p]; b < starts[p + 1]; b++) {
        for (let k = 0; k < 4; k++) {
          const u = 12 * a + 3 * k;
          for (let l = 0; l < 4; l++) {
            const v = 12 * b + 3 * l;
            const dot = blocks[u] * blocks[v] + blocks[u + 1] * blocks[v + 1] + blocks[u + 2] * blocks[v + 2];
            h[(4 * controls[a] + k) * N + 4 * controls[b] + l] += weights[p] * dot;
          }
        }
      }
    }
  }
}

/**
 * out = GᵀW X.
 *
 * @param x        3p × columns within rows of `stride`
 * @param columns  how many of a row count
 * @param out      N × columns, rows of `columns`; overwritten
 */
export function transposedProduct(
  rows: GradientRows,
  weights: Float64Array,
  x: Float64Array,
  stride: number,
  columns: number,
  out: Float64Array,
): void {
  const { starts, controls, blocks } = rows;
  out.fill(0);
  for (let p = 0; p < weights.length; p++) {
    const w = weights[p];
    const x0 = 3 * p * stride;
    const x1 = x0 + stride;
    const x2 = x1 + stride;
    for (let b = starts[p]; b < starts[p + 1]; b++) {
      for (let k = 0; k < 4; k++) {
        const at = 12 * b + 3 * k;
        const g0 = w * blocks[at];
        const g1 = w * blocks[at + 1];
        const g2 = w * blocks[at + 2];
        const to = (4 * controls[b] + k) * columns;
        for (let c = 0; c < columns; c++) out[to + c] += g0 * x[x0 + c] + g1 * x[x1 + c] + g2 * x[x2 + c];
      }
    }
  }
}

/**
 * XᵀWX summed over x, y and z: entry (e, f) is the product of two derivatives of m over all proxies.
 *
 * @param x      3p × 3E within rows of `stride`, columns 3e + r
 * @param out    E × E, lower triangle; overwritten
 */
export function gramOfShapes(
  weights: Float64Array,
  x: Float64Array,
  stride: number,
  E: number,
  out: Float64Array,
): void {
  out.fill(0);
  for (let row = 0; row < 3 * weights.length; row++) {
    const w = weights[(row / 3) | 0];
    const at = row * stride;
    for (let e = 0; e < E; e++) {
      const x0 = w * x[at + 3 * e];
      const x1 = w * x[at + 3 * e + 1];
      const x2 = w * x[at + 3 * e + 2];
      for (let f = 0; f <= e; f++)
        out[e * E + f] += x0 * x[at + 3 * f] + x1 * x[at + 3 * f + 1] + x2 * x[at + 3 * f + 2];
    }
  }
}

/**
 * out = A X.
 *
 * @param a    N × N
 * @param x    N × columns
 * @param out  N × columns; overwritten
 */
export function squareProduct(a: Float64Array, N: number, x: Float64Array, columns: number, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < N; i++) {
    const to = i * columns;
    for (let k = 0; k < N; k++) {
      const factor = a[i * N + k];
      const from = k * columns;
      for (let c = 0; c < columns; c++) out[to + c] += factor * x[from + c];
    }
  }
}
