import type { SliderSystem } from './slider-system.ts';

/** Normal equations of the maps for fixed weights: one matrix for all rows, a right-hand side for each. */
export interface MapMoments {
  /** D × D: Σ_i w_ij w_ik p̂_ij p̂_ikᵀ */
  readonly gram: Float64Array;
  /** R × D: Σ_i w_ij δ_i p̂_ijᵀ */
  readonly sides: Float64Array;
}

/** Sums over the vertices from which all maps are solved without looking at a vertex again (the matrix of FSD). */
export function mapMoments(system: SliderSystem): MapMoments {
  const { n, K, R, D, bones, weights, deltas } = system;
  const gram = new Float64Array(D * D);
  const sides = new Float64Array(R * D);
  const places = new Float64Array(4 * K);
  const columns = new Int32Array(K);
  for (let i = 0; i < n; i++) {
    let used = 0;
    for (let s = i * K; s < (i + 1) * K; s++) {
      const w = weights[s];
      if (w === 0) continue;
      system.local(i, bones[s], places, 4 * used);
      for (let c = 4 * used; c < 4 * used + 4; c++) places[c] *= w;
      columns[used++] = 4 * bones[s];
    }
    for (let a = 0; a < used; a++) {
      for (let b = 0; b < used; b++) addOuter(gram, D, columns[a], columns[b], places, 4 * a, 4 * b);
      const [x, y, z, w] = [places[4 * a], places[4 * a + 1], places[4 * a + 2], places[4 * a + 3]];
      for (let r = 0, at = columns[a]; r < R; r++, at += D) {
        const d = deltas[i * R + r];
        if (d === 0) continue;
        sides[at] += d * x;
        sides[at + 1] += d * y;
        sides[at + 2] += d * z;
        sides[at + 3] += d * w;
      }
    }
  }
  return { gram, sides };
}

function addOuter(gram: Float64Array, D: number, j: number, k: number, p: Float64Array, a: number, b: number): void {
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) gram[(j + r) * D + k + c] += p[a + r] * p[b + c];
  }
}
