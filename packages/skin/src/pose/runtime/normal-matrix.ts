/**
 * The normal matrix of the proxies' gradients: G is a sparse matrix of 4 × 3 blocks that is the same for x, y and z, so
 * that one 4m × 4m matrix serves all three.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 3.3).
 */
import type { SkinWeights } from '@pelt/model';
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
 * H += weight · cᵀc, where c is the row that gives the position of vertex i.
 *
 * @param x  n × 3 rest positions, relative
 * @param h  N × N; added to
 */
export function addPosition(
  { slots, bones, weights }: SkinWeights,
  x: Float64Array,
  i: number,
  weight: number,
  h: Float64Array,
  N: number,
): void {
  for (let s = i * slots; s < (i + 1) * slots; s++) {
    for (let t = i * slots; t < (i + 1) * slots; t++) {
      const both = weight * weights[s] * weights[t];
      if (both === 0) continue;
      for (let k = 0; k < 4; k++) {
        const left = both * (k < 3 ? x[3 * i + k] : 1);
        const row = (4 * bones[s] + k) * N + 4 * bones[t];
        for (let l = 0; l < 4; l++) h[row + l] += left * (l < 3 ? x[3 * i + l] : 1);
      }
    }
  }
}
