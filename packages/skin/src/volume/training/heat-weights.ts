/**
 * Weights for the vertices of a body without anybody's help: each bone's weight is the heat that the body has where the
 * bone, and no other, keeps the places next to it warm: (L + M H) w_j = M H p_j, with p_j = 1 where bone j is nearest,
 * H = c/d² for the distance d to it, L the Laplacian and M the volumes of the body. Smooth, convex, 1 beside a bone.
 *
 * Reference: Baran, Popović. Automatic rigging and animation of 3D characters. 2007 (§4, there on the surface).
 */
import { type Numerics, SparseCholesky, tetrahedralLaplacian } from '@pelt/math';
import { checkCancelled, type RunContext, type SkinWeights, type TetMesh } from '@pelt/model';
import { packWeights } from '../../shared/pack-weights.ts';
import type { BoneSegment } from './bone-segments.ts';
import type { NearestSegments } from './nearest-segments.ts';

/** c: how far weights reach, 1/√c of the distance to the bone. */
const HEAT = 4;
/** Bones solved for at once. */
const TOGETHER = 4;
/** The nearest distance that counts, in mean edge lengths: beside the bone it would be arbitrary. */
const NEAREST = 0.5;
/** Smaller weights are left out. */
const SMALLEST = 1e-3;

/**
 * @param bones  m
 * @param slots  K, most weights a vertex
 */
export function heatWeights(
  numerics: Numerics,
  body: TetMesh,
  segments: readonly BoneSegment[],
  nearest: NearestSegments,
  bones: number,
  slots: number,
  context?: RunContext,
): SkinWeights {
  const v = body.positions.length / 3;
  const { matrix, volumes } = tetrahedralLaplacian(Float64Array.from(body.positions), body.tetrahedra);
  const least = NEAREST * meanEdge(body);
  const heat = nearest.distance.map((distance, i) => (HEAT * volumes[i]) / Math.max(distance, least) ** 2);
  const values = matrix.values.slice();
  for (let i = 0; i < v; i++) values[matrix.columnStarts[i]] += heat[i];
  const cholesky = new SparseCholesky(numerics, { ...matrix, values });
  const indices = new Int32Array(v * slots);
  const weights = new Float64Array(v * slots);
  const rhs = new Float64Array(v * TOGETHER);
  const warm = new Float64Array(v * TOGETHER);
  for (let first = 0; first < bones; first += TOGETHER) {
    checkCancelled(context);
    context?.onProgress?.({ stage: 'weights', fraction: first / bones });
    rhs.fill(0);
    for (let i = 0; i < v; i++) {
      const { bone } = segments[nearest.segment[i]];
      if (bone >= first && bone < first + TOGETHER) rhs[TOGETHER * i + bone - first] = heat[i];
    }
    cholesky.solve(rhs, TOGETHER, warm);
    for (let i = 0; i < v; i++) {
      for (let c = 0; c < TOGETHER && first + c < bones; c++) {
        keep(indices, weights, i * slots, slots, first + c, warm[TOGETHER * i + c]);
      }
    }
  }
  cholesky.dispose();
  return packWeights(indices, weights, slots, SMALLEST);
}

/** Puts a weight among the slots of a vertex, which fall. */
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
