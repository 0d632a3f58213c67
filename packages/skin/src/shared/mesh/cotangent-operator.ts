/**
 * The cotangent Laplacian of a mesh as a symmetric operator: (Lx)_i = Σ_k c_ik (x_k − x_i),
 * c_ik = ½(cot α + cot β) over the triangles at edge ik.
 *
 * Reference: Pinkall, Polthier. Computing discrete minimal surfaces and their conjugates. 1993.
 */
import { enclosingBall, tan } from '@pelt/math';
import type { EdgeGraph } from './edge-graph.ts';

export interface CotangentOperator extends EdgeGraph {
  /** one per entry of `neighbours` */
  readonly values: Float64Array;
  /** n, negative sum of each row */
  readonly diagonal: Float64Array;
}

/** Bound for the cotangents of slivers: that of half a degree. */
const MOST_COTANGENT = 1 / tan(Math.PI / 360);

/**
 * @param positions  n × 3
 * @param triangles  f × 3
 */
export function cotangentOperator(
  positions: Float32Array,
  triangles: Uint32Array,
  graph: EdgeGraph,
): CotangentOperator {
  const n = positions.length / 3;
  const values = new Float64Array(graph.neighbours.length);
  const diagonal = new Float64Array(n);
  const scale = enclosingBall(positions).radius || 1;
  for (let k = 0; k < triangles.length; k += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const o = triangles[k + corner];
      const a = triangles[k + ((corner + 1) % 3)];
      const b = triangles[k + ((corner + 2) % 3)];
      if (a === b || o === a || o === b) continue;
      const half = 0.5 * cotangent(positions, o, a, b, scale);
      values[entry(graph, a, b)] += half;
      values[entry(graph, b, a)] += half;
      diagonal[a] -= half;
      diagonal[b] -= half;
    }
  }
  return { ...graph, values, diagonal };
}

/** Cotangent of the angle at o between a and b. */
function cotangent(positions: Float32Array, o: number, a: number, b: number, scale: number): number {
  const u = [0, 1, 2].map((c) => (positions[3 * a + c] - positions[3 * o + c]) / scale);
  const v = [0, 1, 2].map((c) => (positions[3 * b + c] - positions[3 * o + c]) / scale);
  const dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const cross = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  if (cross === 0) return 0;
  return Math.max(Math.min(dot / cross, MOST_COTANGENT), -MOST_COTANGENT);
}

function entry({ starts, neighbours }: EdgeGraph, i: number, k: number): number {
  let [low, high] = [starts[i], starts[i + 1]];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (neighbours[middle] < k) low = middle + 1;
    else high = middle;
  }
  return low;
}
