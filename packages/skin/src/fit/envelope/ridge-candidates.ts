/**
 * Which joints a triangle listens to, and how strongly the fit is held back, judged by leaving poses out.
 *
 * For features X (S × d, rows of poses) the ridge solution of Xβ ≈ ρ is β = (XᵀX + λI)⁻¹Xᵀρ, its prediction Hρ, and the
 * error at a pose left out is e_t/(1 − h_tt): no refit. H does not depend on the triangle, so every candidate is
 * prepared once a reference bone, and the error of all triangles is ⟨N, ρρᵀ⟩ with N = MᵀM, M = diag(1 − h)⁻¹(I − H).
 *
 * Reference: Allen. The relationship between variable selection and data augmentation and a method for prediction. 1974.
 */
import { BunchKaufman } from '@pelt/math';

export interface RidgeCandidate {
  /** Blocks of three coordinates each; none for a triangle that follows the bone rigidly. */
  readonly blocks: readonly number[];
  /** d × S, takes the targets to β */
  readonly operator: Float64Array;
  /** S × S, N */
  readonly leaveOneOut: Float64Array;
}

/** (XᵀX + λI)⁻¹Xᵀ, d × S. */
export function ridgeOperator(features: Float64Array, S: number, lambda: number): Float64Array {
  const d = features.length / S;
  const gram = new Float64Array(d * d);
  const transposed = new Float64Array(d * S);
  for (let a = 0; a < d; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = a === b ? lambda : 0;
      for (let t = 0; t < S; t++) sum += features[t * d + a] * features[t * d + b];
      gram[a * d + b] = gram[b * d + a] = sum;
    }
    for (let t = 0; t < S; t++) transposed[a * S + t] = features[t * d + a];
  }
  return new BunchKaufman(gram, d).solve(transposed, S);
}

/**
 * @param sets    the sets of blocks to try
 * @param values  S × blocks × 3, coordinates of all blocks at the poses
 * @param ridges  λ to try, radians² squared sums like those of the features
 */
export function ridgeCandidates(
  sets: readonly (readonly number[])[],
  values: readonly Float64Array[],
  ridges: readonly number[],
): RidgeCandidate[] {
  const S = values.length;
  const identity = new Float64Array(S * S);
  for (let t = 0; t < S; t++) identity[t * S + t] = 1;
  const candidates: RidgeCandidate[] = [{ blocks: [], operator: new Float64Array(0), leaveOneOut: identity }];
  for (const blocks of sets) {
    const d = 3 * blocks.length;
    const features = new Float64Array(S * d);
    for (let t = 0; t < S; t++) {
      blocks.forEach((block, s) => {
        features.set(values[t].subarray(3 * block, 3 * block + 3), t * d + 3 * s);
      });
    }
    // A joint that never moves explains nothing.
    if (features.every((value) => Math.abs(value) < STILL)) continue;
    for (const lambda of ridges) {
      const operator = ridgeOperator(features, S, lambda);
      candidates.push({ blocks, operator, leaveOneOut: leaveOneOut(features, operator, S) });
    }
  }
  return candidates;
}

/** Radians below which a joint counts as still. */
const STILL = 1e-6;
/** A pose that alone decides its own prediction has 1 − h = 0; its error is then taken as this much larger. */
const LEAST_FREEDOM = 1e-6;

function leaveOneOut(features: Float64Array, operator: Float64Array, S: number): Float64Array {
  const d = features.length / S;
  const M = new Float64Array(S * S);
  for (let t = 0; t < S; t++) {
    for (let u = 0; u < S; u++) {
      let h = 0;
      for (let a = 0; a < d; a++) h += features[t * d + a] * operator[a * S + u];
      M[t * S + u] = (t === u ? 1 : 0) - h;
    }
    const freedom = Math.max(M[t * S + t], LEAST_FREEDOM);
    for (let u = 0; u < S; u++) M[t * S + u] /= freedom;
  }
  const N = new Float64Array(S * S);
  for (let u = 0; u < S; u++) {
    for (let v = 0; v <= u; v++) {
      let sum = 0;
      for (let t = 0; t < S; t++) sum += M[t * S + u] * M[t * S + v];
      N[u * S + v] = N[v * S + u] = sum;
    }
  }
  return N;
}
