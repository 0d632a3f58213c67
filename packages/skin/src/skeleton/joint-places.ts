/**
 * Prior positions of joints: the centre of where two bones meet on the mesh, whether they blend there or one ends and the
 * other begins,
 *
 *   g_jk = Σ w_ij w_i'k (p_i + p_i')/2 / Σ w_ij w_i'k   over vertices i and their neighbours i', including i itself.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';

/**
 * @param parents  m, −1 for the root
 * @param places   m × 3, updated for bones that meet their parent
 */
export function updateJointPlaces(
  { n, m, K, rest, boneIndices, weights }: SkinningSystem,
  { starts, neighbours }: EdgeGraph,
  parents: Int32Array,
  places: Float64Array,
): void {
  const [p, bones, w] = [rest.view, boneIndices.view, weights.view];
  // Per bone and its parent: sum of weights, and of weighted points.
  const sums = new Float64Array(4 * m);
  const add = (i: number, other: number) => {
    for (let s = i * K; s < (i + 1) * K; s++) {
      const child = bones[s];
      const parent = parents[child];
      if (w[s] === 0 || parent < 0) continue;
      for (let u = other * K; u < (other + 1) * K; u++) {
        if (bones[u] !== parent) continue;
        const both = w[s] * w[u];
        sums[4 * child] += both;
        for (let d = 0; d < 3; d++) sums[4 * child + 1 + d] += 0.5 * both * (p[3 * i + d] + p[3 * other + d]);
      }
    }
  };
  for (let i = 0; i < n; i++) {
    add(i, i);
    for (let e = starts[i]; e < starts[i + 1]; e++) add(i, neighbours[e]);
  }
  for (let k = 0; k < m; k++) {
    if (!(sums[4 * k] > 0)) continue;
    for (let d = 0; d < 3; d++) places[3 * k + d] = sums[4 * k + 1 + d] / sums[4 * k];
  }
}
