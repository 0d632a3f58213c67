/**
 * Key gradients: a few triangles whose gradients span all others, D_k ≈ Σ_l β_kl D_l over L keys, Σ_l β_kl = 1.
 *
 * The keys are chosen greedily, each the triangle that the previous ones explain worst (Gram–Schmidt with pivoting over
 * the gradients at sample poses). β is dense and of any sign, since it is absorbed by a constant matrix; convex β would
 * need twice as many keys. A ridge keeps β small; the sum of 1 preserves the rest pose.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5.2).
 */
import { DenseCholesky, gemm, matrixOf, transposed } from '@pelt/math';
import { checkCancelled, type Run } from '@pelt/model';

export interface KeyGradients {
  /** L triangles */
  readonly keys: Int32Array;
  /** f × L */
  readonly shares: Float64Array;
}

/** Ridge of β, relative to the mean square of the keys' gradients. */
const RIDGE = 1e-6;
/** Most triangles that keys are chosen from, evenly spaced. */
const MOST_ASKED = 2000;
/** A key must explain at least this fraction of the largest squared gradient; below is rounding. */
const LEAST_NEWS = 1e-12;
/** Triangles whose products are computed at a time. */
const BATCH = 512;

/**
 * @param gradients  f × 9S, the gradients of each triangle at S sample poses
 * @param count      L, at most; fewer where fewer span all gradients
 */
export function chooseKeys(gradients: Float32Array, f: number, count: number, run: Run): KeyGradients {
  const L = gradients.length / f;
  const keys = pivots(gradients, f, L, count, run);
  const P = keys.length;
  const products = productsWith(keys, gradients, f, run);
  const gram = new Float64Array(P * P);
  let trace = 0;
  for (let a = 0; a < P; a++) {
    for (let b = 0; b < P; b++) gram[a * P + b] = products[a * f + keys[b]];
    trace += gram[a * P + a];
  }
  for (let a = 0; a < P; a++) gram[a * P + a] += (RIDGE * trace) / P;
  const ones = new Float64Array(P).fill(1);
  const cholesky = new DenseCholesky(run.numerics, P);
  try {
    cholesky.factor(gram).solveInPlace(ones, 1);
    cholesky.solveInPlace(products, f);
  } finally {
    cholesky.dispose();
  }
  const sumOfOnes = ones.reduce((sum, value) => sum + value, 0);
  const shares = new Float64Array(f * P);
  for (let k = 0; k < f; k++) {
    let missing = 1;
    for (let a = 0; a < P; a++) missing -= products[a * f + k];
    for (let a = 0; a < P; a++) shares[k * P + a] = products[a * f + k] + (missing / sumOfOnes) * ones[a];
  }
  return { keys, shares };
}

/** P × f inner products of the gradients of the keys with all. */
function productsWith(keys: Int32Array, gradients: Float32Array, f: number, run: Run): Float64Array {
  const P = keys.length;
  const L = gradients.length / f;
  const out = new Float64Array(P * f);
  const scope = run.numerics.scope();
  try {
    const [A, B, C] = [scope.f64(P * L), scope.f64(BATCH * L), scope.f64(P * BATCH)];
    keys.forEach((key, a) => {
      A.view.set(gradients.subarray(key * L, (key + 1) * L), a * L);
    });
    for (let from = 0; from < f; from += BATCH) {
      checkCancelled(run);
      const size = Math.min(BATCH, f - from);
      B.view.set(gradients.subarray(from * L, (from + size) * L));
      gemm(run.numerics, 1, matrixOf(A, P, L), transposed(matrixOf(B, size, L)), 0, matrixOf(C, P, size));
      for (let a = 0; a < P; a++) out.set(C.view.subarray(a * size, (a + 1) * size), a * f + from);
    }
    return out;
  } finally {
    scope.dispose();
  }
}

/**
 * Cholesky factorisation of the Gram matrix with pivoting, column by column: what of a triangle's gradients is left after
 * the keys so far is a number, and the gradients themselves are read only.
 */
function pivots(all: Float32Array, total: number, L: number, count: number, run: Run): Int32Array {
  // Neighbours have nearly the same gradients: a part of the triangles is enough to choose from.
  const step = Math.max(1, Math.floor(total / MOST_ASKED));
  const f = Math.ceil(total / step);
  const squares = Float64Array.from({ length: f }, (_, k) => dot(all, k * step * L, k * step * L, L));
  const least = LEAST_NEWS * squares.reduce((most, value) => Math.max(most, value), 0);
  const keys: number[] = [];
  const most = Math.min(count, f);
  // f × most, the columns of the factor side by side
  const factor = new Float64Array(f * most);
  while (keys.length < most) {
    checkCancelled(run);
    const l = keys.length;
    run.onProgress?.({ stage: 'choosing key gradients', fraction: l / count });
    let key = 0;
    for (let k = 1; k < f; k++) if (squares[k] > squares[key]) key = k;
    if (!(squares[key] > least)) break;
    keys.push(key);
    const length = Math.sqrt(squares[key]);
    for (let k = 0; k < f; k++) {
      let left = dot(all, key * step * L, k * step * L, L);
      for (let a = 0; a < l; a++) left -= factor[key * most + a] * factor[k * most + a];
      left /= length;
      factor[k * most + l] = left;
      squares[k] -= left * left;
    }
    squares[key] = 0;
  }
  return Int32Array.from(keys, (key) => key * step);
}

function dot(values: Float32Array, a: number, b: number, length: number): number {
  let sum = 0;
  for (let l = 0; l < length; l++) sum += values[a + l] * values[b + l];
  return sum;
}
