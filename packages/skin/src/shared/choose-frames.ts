/**
 * Frames that add most: the first is the one farthest from the rest pose, each further one the one farthest from the rest
 * pose and from all that were chosen, in root mean square distance of the vertices. Seconds of idling add as little as they show, and a gesture of
 * a few frames is in.
 *
 * Distances come from the basis of the trajectories: with v_ti = Σ_k c_ik b_kt and C the n × r coefficients,
 * Σ_i ‖v_ti − v_si‖² = Σ_d (b_t − b_s)ᵀ CᵀC (b_t − b_s).
 *
 * Reference: Gonzalez. Clustering to minimize the maximum intercluster distance. 1985 (farthest-point traversal).
 */
import type { Trajectories } from '@pelt/kernels';
import { symmetricEigen } from '@pelt/math';

/** Up to `count` frames, increasing. */
export function chooseFrames({ rest, basis, coefficients, squaredNorms }: Trajectories, count: number): Int32Array {
  const n = squaredNorms.length;
  const r = n > 0 ? coefficients.length / n : 0;
  const S = r > 0 ? basis.length / (3 * r) : 0;
  if (S <= count) return Int32Array.from({ length: S }, (_, t) => t);
  const { places, start } = framePlaces(rest, basis, coefficients, n, r, S);
  const width = 3 * r;
  const distance = (t: number, other: Float64Array, at: number) => {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += (places[t * width + k] - other[at + k]) ** 2;
    return sum;
  };
  const left = Float64Array.from({ length: S }, (_, t) => distance(t, start, 0));
  const chosen: number[] = [];
  while (chosen.length < count) {
    let farthest = 0;
    for (let t = 1; t < S; t++) if (left[t] > left[farthest]) farthest = t;
    // Whatever is left is equal to a frame that was chosen.
    if (chosen.length > 0 && !(left[farthest] > 0)) break;
    chosen.push(farthest);
    for (let t = 0; t < S; t++) left[t] = Math.min(left[t], distance(t, places, farthest * width));
    left[farthest] = -1;
  }
  return Int32Array.from(chosen).sort();
}

/** S × 3r coordinates of the frames, whose Euclidean distances are those of the shapes; and those of the rest pose. */
function framePlaces(
  rest: Float64Array,
  basis: Float64Array,
  coefficients: Float64Array,
  n: number,
  r: number,
  S: number,
): { readonly places: Float64Array; readonly start: Float64Array } {
  const gram = new Float64Array(r * r);
  // r × 3, Σ_i c_ik p_i
  const products = new Float64Array(3 * r);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < r; k++) {
      const own = coefficients[i * r + k];
      for (let l = 0; l <= k; l++) gram[k * r + l] += own * coefficients[i * r + l];
      for (let d = 0; d < 3; d++) products[3 * k + d] += own * rest[3 * i + d];
    }
  }
  const { values, vectors } = symmetricEigen(gram, r);
  const places = new Float64Array(S * 3 * r);
  const start = new Float64Array(3 * r);
  for (let k = 0; k < r; k++) {
    const scale = Math.sqrt(Math.max(values[k], 0));
    for (let l = 0; l < r; l++) {
      const factor = vectors[l * r + k];
      for (let t = 0; t < S; t++) {
        for (let d = 0; d < 3; d++) places[(t * r + k) * 3 + d] += scale * factor * basis[l * 3 * S + 3 * t + d];
      }
      if (scale > 0) for (let d = 0; d < 3; d++) start[3 * k + d] += (factor / scale) * products[3 * l + d];
    }
  }
  return { places, start };
}
