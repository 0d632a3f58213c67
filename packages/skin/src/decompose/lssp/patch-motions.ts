/**
 * Local rigid motions of a mesh: landmarks by farthest point sampling, and for each the optimal rigid motion of the
 * vertices around it in every frame.
 *
 * References: Gonzalez. Clustering to minimize the maximum intercluster distance. 1985 (farthest points). Kabsch. A
 * discussion of the solution for the best rotation to relate two sets of vectors. 1978.
 */
import type { Trajectories } from '@pelt/kernels';
import { properRotation } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { patchAround } from '../../shared/mesh/patch.ts';

/** Patch size relative to the mean number of vertices per landmark, so that patches overlap. */
const OVERLAP = 2;
/** Minimum number of vertices for a rotation that extrapolates. */
const LEAST_PATCH = 12;

/** Up to `count` vertices, each the farthest at rest from all previous ones; the first is vertex 0. */
export function farthestVertices(rest: Float64Array, count: number): Int32Array {
  const n = rest.length / 3;
  const chosen = new Int32Array(Math.min(count, n));
  const distance = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  for (let k = 0, last = 0; k < chosen.length; k++) {
    chosen[k] = last;
    let farthest = -1;
    let next = 0;
    for (let i = 0; i < n; i++) {
      const x = rest[3 * i] - rest[3 * last];
      const y = rest[3 * i + 1] - rest[3 * last + 1];
      const z = rest[3 * i + 2] - rest[3 * last + 2];
      distance[i] = Math.min(distance[i], x * x + y * y + z * z);
      if (i === last) distance[i] = -1;
      if (distance[i] > farthest) {
        farthest = distance[i];
        next = i;
      }
    }
    last = next;
  }
  return chosen;
}

/**
 * @param landmarks  q vertices
 * @returns S × q × 12 rigid motions, in the coordinates of the trajectories
 */
export function patchMotions(
  trajectories: Trajectories,
  graph: EdgeGraph,
  landmarks: Int32Array,
  context?: RunContext,
): Float64Array {
  const { rest, coefficients, basis } = trajectories;
  const n = rest.length / 3;
  const q = landmarks.length;
  const r = coefficients.length / n;
  const rows = basis.length / r;
  const size = Math.max(Math.ceil((OVERLAP * n) / q), LEAST_PATCH);
  const out = new Float64Array(4 * rows * q);
  const sums = new Float64Array(4 * r);
  const H = new Float64Array(9);
  const R = new Float64Array(9);
  landmarks.forEach((landmark, j) => {
    checkCancelled(context);
    const patch = patchAround(graph, landmark, size);
    const centre = [0, 1, 2].map((c) => patch.reduce((sum, i) => sum + rest[3 * i + c], 0) / patch.length);
    // Rows 0–2: Σ p̄ cᵀ; row 3: mean of c.
    sums.fill(0);
    for (const i of patch) {
      for (let a = 0; a < 4; a++) {
        const factor = a < 3 ? rest[3 * i + a] - centre[a] : 1 / patch.length;
        for (let k = 0; k < r; k++) sums[a * r + k] += factor * coefficients[i * r + k];
      }
    }
    for (let t = 0; 3 * t < rows; t++) {
      const at = (t * q + j) * 12;
      for (let d = 0; d < 3; d++) {
        for (let a = 0; a < 4; a++) {
          let sum = 0;
          for (let k = 0; k < r; k++) sum += sums[a * r + k] * basis[k * rows + 3 * t + d];
          if (a < 3) H[3 * a + d] = sum;
          else out[at + 4 * d + 3] = sum;
        }
      }
      properRotation(H, 0, R, 0);
      for (let d = 0; d < 3; d++) {
        for (let a = 0; a < 3; a++) {
          out[at + 4 * d + a] = R[3 * d + a];
          out[at + 4 * d + 3] -= R[3 * d + a] * centre[a];
        }
      }
    }
  });
  return out;
}
