/**
 * A = Q T Qᵀ with T tridiagonal, in wasm memory: from the last row up, row i gives the reflector that clears it left of
 * the subdiagonal, and keeps its vector.
 *
 * The two-sided update A −= vwᵀ + wvᵀ of one step is put off and done in the same pass over memory as the product A v of
 * the next (assembly/dense/reduction.ts).
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§8.3.1).
 */
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';
import { applyReflectors, reflectInPlace } from './householder.ts';
import { type Matrix, matrixOf } from './matrix.ts';

/** Rows of one chunk of the pass; sums are kept per chunk. */
const GRAIN = 256;
/** Reflectors that are applied together. */
const REFLECTORS = 48;

export interface Tridiagonal {
  /** n */
  readonly diagonal: Float64Array;
  /** n, the subdiagonal in its first n − 1 places */
  readonly subdiagonal: Float64Array;
  /** n, of the reflector in row i; τ₀ is not used */
  readonly tau: Float64Array;
}

/** @param a  n × n row-major; only the lower triangle is read; its rows become the vectors of the reflectors */
export function tridiagonalizeInPlace(numerics: Numerics, a: Block<Float64Array>, n: number): Tridiagonal {
  const diagonal = new Float64Array(n);
  const subdiagonal = new Float64Array(n);
  const tau = new Float64Array(n);
  const scope = numerics.scope();
  try {
    const w = scope.f64(n);
    const sums = scope.f64(Math.ceil(n / GRAIN) * n);
    // Nothing is allocated from here on, so the view stays good.
    const view = a.view;
    for (let i = n - 1; i > 0; i--) {
      const pending = i < n - 1;
      const next = (i + 1) * n;
      if (pending) updateRow(view, i * n, i, view.subarray(next, next + i + 1), w.view);
      diagonal[i] = view[i * n + i];
      const reflector = reflectInPlace(view, i * n, i, 1, i - 1);
      subdiagonal[i - 1] = reflector.beta;
      tau[i] = reflector.tau;
      kernels.tridiagonalPass(numerics, i, GRAIN, {
        a,
        stride: 8 * n,
        v: a.pointer + 8 * next,
        w: pending ? w : undefined,
        x: a.pointer + 8 * i * n,
        sums,
        size: i,
        grain: GRAIN,
      });
      setUpdateVector(view.subarray(i * n, i * n + i), reflector.tau, sums.view, w.view);
    }
    if (n > 1) view[0] -= 2 * view[n] * w.view[0];
    if (n > 0) diagonal[0] = view[0];
  } finally {
    scope.dispose();
  }
  return { diagonal, subdiagonal, tau };
}

/** The row that gives the next reflector, brought up to date. */
function updateRow(view: Float64Array, at: number, i: number, v: Float64Array, w: Float64Array): void {
  for (let c = 0; c <= i; c++) view[at + c] -= v[i] * w[c] + w[i] * v[c];
}

/** w = τAv − ½τ²(vᵀAv)v from the sums of the chunks. */
function setUpdateVector(v: Float64Array, tau: number, sums: Float64Array, w: Float64Array): void {
  const i = v.length;
  w.fill(0, 0, i);
  for (let first = 0, at = 0; first < i; first += GRAIN, at += i) {
    for (let k = 0; k < i; k++) w[k] += sums[at + k];
  }
  let dot = 0;
  for (let k = 0; k < i; k++) dot += w[k] * v[k];
  for (let k = 0; k < i; k++) w[k] = tau * (w[k] - 0.5 * tau * dot * v[k]);
}

/**
 * C := Q C, from the vectors that `tridiagonalizeInPlace` left.
 *
 * @param a  n × n, as it left it
 * @param c  n × any
 */
export function applyTridiagonalBasis(
  numerics: Numerics,
  a: Block<Float64Array>,
  n: number,
  tau: Float64Array,
  c: Matrix,
): void {
  const scope = numerics.scope();
  try {
    const w = scope.f64(n * REFLECTORS);
    for (let first = 1; first < n; first += REFLECTORS) {
      const count = Math.min(REFLECTORS, n - first);
      const rows = first + count - 1;
      // Column k is the vector of reflector first + k, which has first + k entries.
      const view = a.view;
      const panel = w.view;
      for (let k = 0; k < count; k++) {
        const at = (first + k) * n;
        for (let r = 0; r < rows; r++) panel[r * count + k] = r < first + k ? view[at + r] : 0;
      }
      const part = { ...c, rows };
      applyReflectors(numerics, matrixOf(w, rows, count), tau.subarray(first, first + count), part, false);
    }
  } finally {
    scope.dispose();
  }
}
