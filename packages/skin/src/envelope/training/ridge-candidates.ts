/**
 * Ridge regression with leave-one-out cross-validation: which joints a triangle depends on, and how strong the ridge is.
 *
 * For features X (S × d, one row per pose) the ridge solution of Xβ ≈ ρ is β = (XᵀX + λI)⁻¹Xᵀρ, its prediction is Hρ, and
 * the leave-one-out residual is e_t/(1 − h_tt) without refitting (PRESS). H does not depend on the triangle, so every
 * candidate is prepared once per reference bone, and the error of a triangle is ⟨N, ρρᵀ⟩ with N = MᵀM,
 * M = diag(1 − h)⁻¹(I − H): one matrix product for all triangles and candidates.
 *
 * Reference: Allen. The relationship between variable selection and data augmentation and a method for prediction. 1974.
 */
import { BunchKaufman, gemm, matrixOf, transposed } from '@pelt/math';
import { checkCancelled, type Run } from '@pelt/model';

export interface RidgeCandidate {
  /** Coordinate blocks of three numbers each; none where the triangle follows the bone rigidly. */
  readonly blocks: readonly number[];
  /** d × S: takes the targets to β */
  readonly operator: Float64Array;
  /** N, S × S */
  readonly leaveOneOut: Float64Array;
  /** (I − H)ᵀ(I − H), S × S: the training error */
  readonly training: Float64Array;
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
 * @param sets    candidate sets of blocks
 * @param values  S × blocks × 3, coordinates of all blocks at the poses
 * @param ridges  candidate λ, in the unit of summed squared features
 */
export function ridgeCandidates(
  sets: readonly (readonly number[])[],
  values: readonly Float64Array[],
  ridges: readonly number[],
): RidgeCandidate[] {
  const S = values.length;
  const identity = new Float64Array(S * S);
  for (let t = 0; t < S; t++) identity[t * S + t] = 1;
  const candidates: RidgeCandidate[] = [
    { blocks: [], operator: new Float64Array(0), leaveOneOut: identity, training: identity },
  ];
  for (const blocks of sets) {
    const d = 3 * blocks.length;
    const features = new Float64Array(S * d);
    for (let t = 0; t < S; t++) {
      blocks.forEach((block, s) => {
        features.set(values[t].subarray(3 * block, 3 * block + 3), t * d + 3 * s);
      });
    }
    // A joint that never moves cannot explain anything.
    if (features.every((value) => Math.abs(value) < STILL)) continue;
    for (const lambda of ridges) {
      const operator = ridgeOperator(features, S, lambda);
      candidates.push({ blocks, operator, ...errorForms(features, operator, S) });
    }
  }
  return candidates;
}

/** Numbers of ρρᵀ that are stored at a time. */
const BATCH = 1 << 19;

/**
 * Weight of the training error beside the leave-one-out error. With a single pose besides rest the leave-one-out error
 * cannot distinguish the candidates, and the one that fits the pose is right.
 */
const TRAINING_SHARE = 0.05;

/**
 * The squared errors of all candidates: leave-one-out, plus a fraction of the training error.
 *
 * @param logs  S × count × 3, targets of `count` triangles
 * @returns count × candidates
 */
export function leaveOneOutErrors(
  candidates: readonly RidgeCandidate[],
  logs: Float64Array,
  S: number,
  run: Run,
): Float64Array {
  const count = logs.length / (3 * S);
  const C = candidates.length;
  // Both are symmetric: the lower triangle is stored, with off-diagonal entries of N doubled.
  const packed = (S * (S + 1)) / 2;
  const rows = Math.max(1, Math.min(count, Math.floor(BATCH / packed)));
  const out = new Float64Array(count * C);
  const scope = run.numerics.scope();
  try {
    const [norms, products, errors] = [scope.f64(C * packed), scope.f64(rows * packed), scope.f64(rows * C)];
    candidates.forEach(({ leaveOneOut: N, training }, c) => {
      for (let t = 0, at = c * packed; t < S; t++) {
        for (let u = 0; u <= t; u++) {
          norms.view[at++] = (u < t ? 2 : 1) * (N[t * S + u] + TRAINING_SHARE * training[t * S + u]);
        }
      }
    });
    for (let from = 0; from < count; from += rows) {
      checkCancelled(run);
      const size = Math.min(rows, count - from);
      const view = products.view;
      for (let a = 0, at = 0; a < size; a++) {
        for (let t = 0; t < S; t++) {
          const p = 3 * (t * count + from + a);
          for (let u = 0, q = 3 * (from + a); u <= t; u++, q += 3 * count) {
            view[at++] = logs[p] * logs[q] + logs[p + 1] * logs[q + 1] + logs[p + 2] * logs[q + 2];
          }
        }
      }
      const [P, N] = [matrixOf(products, size, packed), transposed(matrixOf(norms, C, packed))];
      gemm(run.numerics, 1, P, N, 0, matrixOf(errors, size, C));
      out.set(errors.view.subarray(0, size * C), from * C);
    }
    return out;
  } finally {
    scope.dispose();
  }
}

/** Angle in radians below which a joint counts as still. */
const STILL = 1e-6;
/** Lower bound of 1 − h, which is 0 for a pose that alone determines its own prediction. */
const LEAST_FREEDOM = 1e-6;

/** The quadratic forms of the leave-one-out error and of the training error of a ridge solution. */
export function errorForms(
  features: Float64Array,
  operator: Float64Array,
  S: number,
): { leaveOneOut: Float64Array; training: Float64Array } {
  const d = features.length / S;
  const residual = new Float64Array(S * S);
  const M = new Float64Array(S * S);
  for (let t = 0; t < S; t++) {
    for (let u = 0; u < S; u++) {
      let h = 0;
      for (let a = 0; a < d; a++) h += features[t * d + a] * operator[a * S + u];
      residual[t * S + u] = (t === u ? 1 : 0) - h;
    }
    const freedom = Math.max(residual[t * S + t], LEAST_FREEDOM);
    for (let u = 0; u < S; u++) M[t * S + u] = residual[t * S + u] / freedom;
  }
  return { leaveOneOut: squareOf(M, S), training: squareOf(residual, S) };
}

/** MᵀM. */
function squareOf(M: Float64Array, S: number): Float64Array {
  const out = new Float64Array(S * S);
  for (let u = 0; u < S; u++) {
    for (let v = 0; v <= u; v++) {
      let sum = 0;
      for (let t = 0; t < S; t++) sum += M[t * S + u] * M[t * S + v];
      out[u * S + v] = out[v * S + u] = sum;
    }
  }
  return out;
}
