/**
 * Surface gradients, two numbers per coordinate and triangle: the derivatives of a function given at the vertices along
 * two orthogonal directions in each rest triangle. One symmetric matrix, the cotangent Laplacian, is the normal matrix
 * of x, y and z.
 *
 * Reference: Sumner, Zwicker, Gotsman, Popović. Mesh-based inverse kinematics. 2005, with gradients in the planes of the
 * triangles instead of a fourth vertex.
 */
import { type SparseSymmetric, sparseFromTriplets } from '@pelt/math';

/** Weight of the regulariser towards the rest pose, which determines the global translation. */
const STAY = 1e-5;

export interface SurfaceGradients {
  /** f × 6: two orthonormal directions in each triangle; zero for a degenerate triangle */
  readonly tangents: Float64Array;
  /** f × 6: derivatives of each corner's hat function along both directions */
  readonly slopes: Float64Array;
  /** f fractions of the surface area */
  readonly weights: Float64Array;
  /** GᵀWG plus the regulariser */
  readonly normalMatrix: SparseSymmetric;
}

/**
 * @param x          n × 3 rest positions, relative
 * @param triangles  f × 3
 */
export function surfaceGradients(x: Float64Array, triangles: Uint32Array): SurfaceGradients {
  const f = triangles.length / 3;
  const n = x.length / 3;
  const tangents = new Float64Array(6 * f);
  const slopes = new Float64Array(6 * f);
  const weights = new Float64Array(f);
  for (let t = 0; t < f; t++) weights[t] = addTriangle(x, triangles, t, tangents, slopes);
  const total = weights.reduce((sum, area) => sum + area, 0);
  const scale = total > 0 ? 1 / total : 0;
  const size = 9 * f + n;
  const [rows, columns] = [new Int32Array(size), new Int32Array(size)];
  const values = new Float64Array(size);
  let at = 0;
  for (let t = 0; t < f; t++) {
    weights[t] *= scale;
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        // Only the lower triangle is stored, and each pair of corners occurs twice: half of the entry from either.
        const [i, j] = [triangles[3 * t + a], triangles[3 * t + b]];
        rows[at] = Math.max(i, j);
        columns[at] = Math.min(i, j);
        const product =
          slopes[6 * t + 2 * a] * slopes[6 * t + 2 * b] + slopes[6 * t + 2 * a + 1] * slopes[6 * t + 2 * b + 1];
        values[at++] = (i === j ? 1 : 0.5) * weights[t] * product;
      }
    }
  }
  for (let i = 0; i < n; i++) {
    rows[at] = columns[at] = i;
    values[at++] = STAY / n;
  }
  return { tangents, slopes, weights, normalMatrix: sparseFromTriplets(n, rows, columns, values) };
}

/** Fills the directions and slopes of one triangle; returns its area, 0 for a degenerate one. */
function addTriangle(
  x: Float64Array,
  triangles: Uint32Array,
  t: number,
  tangents: Float64Array,
  slopes: Float64Array,
): number {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
  const e = [0, 1, 2].map((k) => x[b + k] - x[a + k]);
  const d = [0, 1, 2].map((k) => x[c + k] - x[a + k]);
  const length = Math.hypot(...e);
  if (!(length > 0)) return 0;
  const along = (e[0] * d[0] + e[1] * d[1] + e[2] * d[2]) / length;
  const across = d.map((value, k) => value - (along * e[k]) / length);
  const height = Math.hypot(...across);
  if (!(height > 1e-10 * length)) return 0;
  for (let k = 0; k < 3; k++) {
    tangents[6 * t + k] = e[k] / length;
    tangents[6 * t + 3 + k] = across[k] / height;
  }
  // In the plane the corners are (0, 0), (length, 0), (along, height).
  const second = [1 / length, -along / (length * height)];
  const third = [0, 1 / height];
  slopes.set([-second[0] - third[0], -second[1] - third[1], ...second, ...third], 6 * t);
  return 0.5 * length * height;
}
