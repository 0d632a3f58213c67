/**
 * Householder reflectors H = I − τvvᵀ, one at a time and in blocks.
 *
 * A product of b reflectors is I − W S Wᵀ with a b × b triangular S (the compact WY form), so that applying it is three
 * matrix products instead of b passes over memory.
 *
 * Reference: Schreiber, Van Loan. A storage-efficient WY representation for products of Householder transformations. 1989.
 */
import type { Numerics } from '../numerics/numerics.ts';
import { gemm } from './gemm.ts';
import { type Matrix, matrixOf, transposed } from './matrix.ts';

/** What is smaller is zero, so that its inverse stays finite; matrices are scaled to entries of about 1. */
const ZERO = 1e-280;

/**
 * The reflector that takes x to β times the unit vector at `pivot`; x becomes v, with v[pivot] = 1.
 *
 * @param x      `length` numbers from index `at`, one every `stride`; overwritten by v
 * @param pivot  which of them stays
 */
export function reflectInPlace(
  x: Float64Array,
  at: number,
  length: number,
  stride: number,
  pivot: number,
): { beta: number; tau: number } {
  const pivotAt = at + pivot * stride;
  const alpha = x[pivotAt];
  let largest = 0;
  for (let k = 0, i = at; k < length; k++, i += stride) {
    if (k !== pivot) largest = Math.max(largest, Math.abs(x[i]));
  }
  x[pivotAt] = 1;
  if (largest < ZERO) {
    for (let k = 0, i = at; k < length; k++, i += stride) if (k !== pivot) x[i] = 0;
    return { beta: alpha, tau: 0 };
  }
  // Scaled, so that squares neither overflow nor vanish.
  const scale = Math.max(largest, Math.abs(alpha));
  let squares = (alpha / scale) ** 2;
  for (let k = 0, i = at; k < length; k++, i += stride) {
    if (k !== pivot) squares += (x[i] / scale) ** 2;
  }
  const norm = scale * Math.sqrt(squares);
  const beta = alpha >= 0 ? -norm : norm;
  const factor = 1 / (alpha - beta);
  for (let k = 0, i = at; k < length; k++, i += stride) {
    if (k !== pivot) x[i] *= factor;
  }
  return { beta, tau: (beta - alpha) / beta };
}

/**
 * C := H_{b−1} … H₁ H₀ C, or C := H₀ H₁ … H_{b−1} C where `reversed`.
 *
 * @param w    r × b, the vectors v as columns, in full: ones, zeros and all
 * @param tau  b
 * @param c    r × n; overwritten
 */
export function applyReflectors(numerics: Numerics, w: Matrix, tau: Float64Array, c: Matrix, reversed: boolean): void {
  const size = tau.length;
  const scope = numerics.scope();
  try {
    const gram = scope.f64(size * size);
    gemm(numerics, 1, transposed(w), w, 0, matrixOf(gram, size, size));
    const factor = scope.f64From(compactFactor(gram.view.slice(), tau));
    // Y = CᵀW, so that the large matrix is the one that is cut into row blocks.
    const y = matrixOf(scope.f64(c.columns * size), c.columns, size);
    const product = matrixOf(scope.f64(c.columns * size), c.columns, size);
    gemm(numerics, 1, transposed(c), w, 0, y);
    const s = matrixOf(factor, size, size);
    gemm(numerics, 1, y, reversed ? s : transposed(s), 0, product);
    gemm(numerics, -1, w, transposed(product), 1, c);
  } finally {
    scope.dispose();
  }
}

/** S of H_{b−1} … H₀ = I − W S Wᵀ, lower triangular: row k is (−τₖ gₖS, τₖ), gₖ the products of vₖ with those before. */
function compactFactor(gram: Float64Array, tau: Float64Array): Float64Array {
  const size = tau.length;
  const s = new Float64Array(size * size);
  for (let k = 0; k < size; k++) {
    s[k * size + k] = tau[k];
    for (let c = 0; c < k; c++) {
      let sum = 0;
      for (let l = c; l < k; l++) sum += gram[k * size + l] * s[l * size + c];
      s[k * size + c] = -tau[k] * sum;
    }
  }
  return s;
}
