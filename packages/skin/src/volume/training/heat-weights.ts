/**
 * Automatic skinning weights by heat diffusion: the weight of a bone is the equilibrium temperature of a body that is
 * heated by this bone only, (L + M H) w_j = M H p_j, with p_j = 1 where bone j is nearest, H = c/d² for the distance d to
 * it, L the Laplacian and M the lumped volumes of the body. The weights are smooth and convex, and 1 near a bone.
 *
 * Reference: Baran, Popović. Automatic rigging and animation of 3D characters. 2007 (§4, there on the surface).
 */
import { tetrahedralLaplacian } from '@pelt/kernels';
import { SparseCholesky } from '@pelt/math';
import { checkCancelled, type Run, type SkinWeights, type TetMesh } from '@pelt/model';
import { packWeights } from '../../shared/pack-weights.ts';
import type { BoneSegment } from './bone-segments.ts';
import type { NearestSegments } from './nearest-segments.ts';

/** c: the transition between weights is 1/√c of the distance to the bone wide. */
const HEAT = 4;
/** Right-hand sides per solve. */
const TOGETHER = 4;
/** Lower bound of the distance, in mean edge lengths, since the one next to a bone is arbitrary. */
const NEAREST = 0.5;
/** Smaller weights are dropped. */
const SMALLEST = 1e-3;

/**
 * @param counts  m bones, and K, most weights per vertex
 */
export function heatWeights(
  body: TetMesh,
  segments: readonly BoneSegment[],
  nearest: NearestSegments,
  { bones, slots }: { readonly bones: number; readonly slots: number },
  run: Run,
): SkinWeights {
  const v = body.positions.length / 3;
  const { matrix, volumes } = tetrahedralLaplacian(Float64Array.from(body.positions), body.tetrahedra);
  const least = NEAREST * meanEdge(body);
  const heat = nearest.distance.map((distance, i) => (HEAT * volumes[i]) / Math.max(distance, least) ** 2);
  const values = matrix.values.slice();
  for (let i = 0; i < v; i++) values[matrix.columnStarts[i]] += heat[i];
  const indices = new Int32Array(v * slots);
  const weights = new Float64Array(v * slots);
  const rhs = new Float64Array(v * TOGETHER);
  const temperatures = new Float64Array(v * TOGETHER);
  const cholesky = new SparseCholesky(run.numerics, { ...matrix, values });
  try {
    for (let first = 0; first < bones; first += TOGETHER) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'weights', fraction: first / bones });
      rhs.fill(0);
      for (let i = 0; i < v; i++) {
        const { bone } = segments[nearest.segment[i]];
        if (bone >= first && bone < first + TOGETHER) rhs[TOGETHER * i + bone - first] = heat[i];
      }
      cholesky.solve(rhs, TOGETHER, temperatures);
      for (let i = 0; i < v; i++) {
        for (let c = 0; c < TOGETHER && first + c < bones; c++) {
          keep(indices, weights, i * slots, slots, first + c, temperatures[TOGETHER * i + c]);
        }
      }
    }
  } finally {
    cholesky.dispose();
  }
  return packWeights(indices, weights, slots, SMALLEST);
}

/** Inserts a weight into the slots of a vertex, which are sorted in decreasing order. */
function keep(
  indices: Int32Array,
  weights: Float64Array,
  row: number,
  slots: number,
  bone: number,
  weight: number,
): void {
  let s = slots;
  while (s > 0 && weight > weights[row + s - 1]) s--;
  if (s === slots) return;
  for (let r = slots - 1; r > s; r--) {
    indices[row + r] = indices[row + r - 1];
    weights[row + r] = weights[row + r - 1];
  }
  indices[row + s] = bone;
  weights[row + s] = weight;
}

function meanEdge({ positions, tetrahedra }: TetMesh): number {
  let sum = 0;
  for (let k = 0; k < tetrahedra.length; k += 4) {
    const [a, b] = [3 * tetrahedra[k], 3 * tetrahedra[k + 1]];
    sum += Math.hypot(
      positions[a] - positions[b],
      positions[a + 1] - positions[b + 1],
      positions[a + 2] - positions[b + 2],
    );
  }
  return (4 * sum) / tetrahedra.length;
}
