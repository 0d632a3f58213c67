/**
 * Key gradients: a few triangles whose gradients span all others, D_k ≈ Σ_l β_kl D_l over L keys, Σ_l β_kl = 1.
 *
 * The keys are chosen greedily, each the triangle that the previous ones explain worst (Gram–Schmidt with pivoting over
 * the gradients at sample poses). β is dense and of any sign, since it is absorbed by a constant matrix; convex β would
 * need twice as many keys. A ridge keeps β small; the sum of 1 preserves the rest pose.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5.2).
 */
import { DenseCholesky } from '@pelt/math';
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
const MOST_ASKED = 4000;
/** A key must explain at least this fraction of the largest squared gradient. */
const LEAST_NEWS = 1e-12;

/**
 * @param gradients  f × 9S, the gradients of each triangle at S sample poses
 * @param count      L, at most; fewer where fewer span all gradients
 */
export function chooseKeys(gradients: Float32Array, f: number, count: number, run: Run): KeyGradients {
  const L = gradients.length / f;
  const keys = pivots(gradients, f, L, count, run);
  const P = keys.length;
  const gram = new Float64Array(P * P);
  let trace = 0;
  for (let a = 0; a < P; a++) {
    for (let b = 0; b <= a; b++) gram[a * P + b] = gram[b * P + a] = dot(gradients, keys[a] * L, keys[b] * L, L);
    trace += gram[a * P + a];
  }
  for (let a = 0; a < P; a++) gram[a * P + a] += (RIDGE * trace) / P;
  const products = new Float64Array(P * f);
  for (let a = 0; a < P; a++) {
    checkCancelled(run);
    for (let k = 0; k < f; k++) products[a * f + k] = dot(gradients, keys[a] * L, k * L, L);
  }
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

function pivots(all: Float32Array, total: number, L: number, count: number, run: Run): Int32Array {
  // Neighbours have nearly the same gradients: a part of the triangles is enough to choose from.
  const step = Math.max(1, Math.floor(total / MOST_ASKED));
  const f = Math.ceil(total / step);
  const left = new Float64Array(f * L);
  for (let k = 0; k < f; k++) left.set(all.subarray(k * step * L, (k * step + 1) * L), k * L);
  const squares = Float64Array.from({ length: f }, (_, k) => dot(left, k * L, k * L, L));
  const least = LEAST_NEWS * squares.reduce((most, value) => Math.max(most, value), 0);
  const direction = new Float64Array(L);
  const keys: number[] = [];
  while (keys.length < Math.min(count, f)) {
    checkCancelled(run);
    run.onProgress?.({ stage: 'choosing key gradients', fraction: keys.length / count });
    let key = 0;
    for (let k = 1; k < f; k++) if (squares[k] > squares[key]) key = k;
    if (!(squares[key] > least)) break;
    keys.push(key);
    const length = Math.sqrt(squares[key]);
    for (let l = 0; l < L; l++) direction[l] = left[key * L + l] / length;
    for (let k = 0; k < f; k++) {
      let along = 0;
      for (let l = 0; l < L; l++) along += left[k * L + l] * direction[l];
      let square = 0;
      for (let l = 0; l < L; l++) {
        const value = left[k * L + l] - along * direction[l];
        left[k * L + l] = value;
        square += value * value;
      }
      squares[k] = square;
    }
    squares[key] = 0;
  }
  return Int32Array.from(keys, (key) => key * step);
}

function dot(values: Float64Array | Float32Array, a: number, b: number, length: number): number {
  let sum = 0;
  for (let l = 0; l < length; l++) sum += values[a + l] * values[b + l];
  return sum;
}
