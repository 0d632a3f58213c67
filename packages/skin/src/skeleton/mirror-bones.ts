/**
 * Pairs of mirrored bones: j and k are a pair if each is the other's best match by the overlap of their weights when one is
 * mirrored, Σ_i w_ij w_i'k/(‖w_j‖‖w_k‖), where i' is the mirror image of i. A bone may be its own mirror image.
 */
import type { SkinningSystem } from '@pelt/kernels';
import type { MirrorPlane } from './mirror-plane.ts';

/** Minimum overlap of a pair. */
const LEAST_OVERLAP = 0.3;

/** @returns m, mirror image of each bone: itself for one on the plane, −1 for none */
export function mirrorBones(
  { n, m, K, boneIndices, weights }: SkinningSystem,
  { images }: Pick<MirrorPlane, 'images'>,
): Int32Array {
  const [bones, w] = [boneIndices.view, weights.view];
  const overlap = new Float64Array(m * m);
  const own = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    for (let s = i * K; s < (i + 1) * K; s++) {
      own[bones[s]] += w[s] * w[s];
      for (let u = images[i] * K; u < (images[i] + 1) * K; u++) overlap[bones[s] * m + bones[u]] += w[s] * w[u];
    }
  }
  // A vertex may be the image of several vertices or of none, so both directions count.
  const score = (j: number, k: number) => {
    const norm = Math.sqrt(own[j] * own[k]);
    return norm > 0 ? (0.5 * (overlap[j * m + k] + overlap[k * m + j])) / norm : 0;
  };
  const best = Int32Array.from({ length: m }, (_, j) => {
    let at = 0;
    for (let k = 1; k < m; k++) if (score(j, k) > score(j, at)) at = k;
    return score(j, at) >= LEAST_OVERLAP ? at : -1;
  });
  return best.map((k, j) => (k >= 0 && best[k] === j ? k : -1));
}
