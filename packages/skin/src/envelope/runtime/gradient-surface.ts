/**
 * Poisson reconstruction: the surface that fits given deformation gradients best,
 *
 *   min Σ_k Σ_edges ‖D_k ê − (y_b − y_a)‖² / ‖ê‖² + κ' Σ_i ‖y_i − g_i‖²,   y_i = given for fixed vertices,
 *
 * whose matrix depends on the rest pose alone: it is factored once, and each pose takes two triangular solves. Weights
 * of 1/length² give the edges of a sliver triangle equal influence. κ' is κ times the mean diagonal, so that κ has no
 * unit.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (equation 7). Sumner, Popović.
 * Deformation transfer for triangle meshes. 2004.
 */
import { type Numerics, SparseCholesky, sparseFromTriplets } from '@pelt/math';

/** Edges shorter than this fraction of the mean edge are weighted as if they had that length. */
const SHORTEST_EDGE = 1e-3;

export class GradientSurface {
  readonly #rest: Float32Array;
  readonly #triangles: Uint32Array;
  /** f × 3, weights of the edges ab, bc, ca */
  readonly edgeWeights: Float64Array;
  /** n: row of the system, −1 for a fixed vertex */
  readonly #rows: Int32Array;
  readonly #factor: SparseCholesky | undefined;
  readonly #pull: number;
  readonly #rhs: Float64Array;

  /**
   * @param rest   n × 3
   * @param fixed  n: 1 for a vertex whose position is given; without a pull every connected component needs one
   * @param pull   κ, weight of the regulariser towards given positions
   */
  constructor(numerics: Numerics, rest: Float32Array, triangles: Uint32Array, fixed: Uint8Array, pull: number) {
    this.#rest = rest;
    this.#triangles = triangles;
    this.edgeWeights = edgeWeights(rest, triangles);
    this.#rows = new Int32Array(fixed.length).fill(-1);
    let free = 0;
    for (let i = 0; i < fixed.length; i++) if (!fixed[i]) this.#rows[i] = free++;
    const [rows, columns, values]: number[][] = [[], [], []];
    const diagonal = new Float64Array(free);
    this.#eachEdge((a, b, w) => {
      const [ra, rb] = [this.#rows[a], this.#rows[b]];
      if (ra >= 0) diagonal[ra] += w;
      if (rb >= 0) diagonal[rb] += w;
      if (ra < 0 || rb < 0) return;
      rows.push(ra);
      columns.push(rb);
      values.push(-w);
    });
    const mean = free > 0 ? diagonal.reduce((sum, value) => sum + value, 0) / free : 0;
    this.#pull = pull * mean;
    diagonal.forEach((value, row) => {
      rows.push(row);
      columns.push(row);
      values.push(value + this.#pull);
    });
    this.#rhs = new Float64Array(3 * free);
    this.#factor = free > 0 ? new SparseCholesky(numerics, sparseFromTriplets(free, rows, columns, values)) : undefined;
  }

  /**
   * @param gradients  f × 9
   * @param given      n × 3: positions of the fixed vertices, and those that the free ones are pulled towards
   * @param out        n × 3; overwritten; may be `given`
   */
  solve(gradients: Float64Array, given: Float64Array, out: Float64Array): Float64Array {
    const rhs = this.#rhs;
    const rows = this.#rows;
    const p = this.#rest;
    for (let i = 0; i < rows.length; i++) {
      if (rows[i] < 0) continue;
      for (let c = 0; c < 3; c++) rhs[3 * rows[i] + c] = this.#pull * given[3 * i + c];
    }
    this.#eachEdge((a, b, w, k) => {
      const [ra, rb] = [rows[a], rows[b]];
      if (ra < 0 && rb < 0) return;
      const x = p[3 * b] - p[3 * a];
      const y = p[3 * b + 1] - p[3 * a + 1];
      const z = p[3 * b + 2] - p[3 * a + 2];
      for (let c = 0; c < 3; c++) {
        const D = 9 * k + 3 * c;
        const edge = w * (gradients[D] * x + gradients[D + 1] * y + gradients[D + 2] * z);
        if (rb >= 0) rhs[3 * rb + c] += ra < 0 ? edge + w * given[3 * a + c] : edge;
        if (ra >= 0) rhs[3 * ra + c] -= rb < 0 ? edge - w * given[3 * b + c] : edge;
      }
    });
    this.#factor?.solve(rhs, 3, rhs);
    for (let i = 0; i < rows.length; i++) {
      for (let c = 0; c < 3; c++) out[3 * i + c] = rows[i] < 0 ? given[3 * i + c] : rhs[3 * rows[i] + c];
    }
    return out;
  }

  dispose(): void {
    this.#factor?.dispose();
  }

  #eachEdge(visit: (a: number, b: number, weight: number, triangle: number) => void): void {
    const triangles = this.#triangles;
    for (let e = 0; e < triangles.length; e++) {
      const next = e % 3 === 2 ? e - 2 : e + 1;
      if (triangles[e] !== triangles[next])
        visit(triangles[e], triangles[next], this.edgeWeights[e], Math.floor(e / 3));
    }
  }
}

/** f × 3: 1/length² of the edges of every triangle. */
export function edgeWeights(rest: Float32Array, triangles: Uint32Array): Float64Array {
  const weights = new Float64Array(triangles.length);
  for (let e = 0; e < triangles.length; e++) {
    const [a, b] = [3 * triangles[e], 3 * triangles[e % 3 === 2 ? e - 2 : e + 1]];
    weights[e] = Math.hypot(rest[b] - rest[a], rest[b + 1] - rest[a + 1], rest[b + 2] - rest[a + 2]);
  }
  const mean = weights.reduce((sum, length) => sum + length, 0) / Math.max(1, weights.length);
  const shortest = SHORTEST_EDGE * mean || 1;
  return weights.map((length) => 1 / Math.max(length, shortest) ** 2);
}
