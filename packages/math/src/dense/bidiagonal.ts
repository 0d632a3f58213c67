/**
 * A = U B Vᵀ of a square matrix in wasm memory, B upper bidiagonal: reflectors from the left clear the columns below the
 * diagonal, reflectors from the right the rows beyond the superdiagonal, in turn.
 *
 * The update A −= vyᵀ + xuᵀ of one step is put off and done in the same pass over memory as the product Aᵀv of the next
 * (assembly/dense/reduction.ts); A u needs a pass of its own.
 *
 * References: Golub, Kahan. Calculating the singular values and pseudo-inverse of a matrix. 1965. Howell et al. Cache
 * efficient bidiagonalization using BLAS 2.5 operators. 2008.
 */
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { applyReflectors, reflectInPlace } from './householder.ts';
import { type Matrix, matrixOf, partOf, transposed } from './matrix.ts';

/** Rows of one chunk of a pass; sums are kept per chunk. */
const GRAIN = 128;
/** Reflectors that are applied together. */
const REFLECTORS = 48;

export interface Bidiagonal {
  /** n */
  readonly diagonal: Float64Array;
  /** n, in its first n − 1 places */
  readonly superdiagonal: Float64Array;
  /** n × n each: row k is the vector of reflector k in full; owned by the caller's scope */
  readonly left: Block<Float64Array>;
  readonly right: Block<Float64Array>;
  readonly leftTau: Float64Array;
  readonly rightTau: Float64Array;
}

/** @param a  n × n row-major; destroyed */
export function bidiagonalizeInPlace(numerics: Numerics, scope: Scope, a: Block<Float64Array>, n: number): Bidiagonal {
  const [left, right] = [scope.f64(n * n), scope.f64(n * n)];
  const [diagonal, superdiagonal] = [new Float64Array(n), new Float64Array(n)];
  const [leftTau, rightTau] = [new Float64Array(n), new Float64Array(n)];
  const local = numerics.scope();
  try {
    const y = local.f64(n);
    const x = local.f64(n);
    const sums = local.f64(Math.ceil(n / GRAIN) * n);
    const at = (block: Block<Float64Array>, row: number, column: number) => block.pointer + 8 * (row * n + column);
    // Nothing is allocated from here on, so the views stay good.
    const [view, v, u, ys, xs] = [a.view, left.view, right.view, y.view, x.view];
    for (let k = 0; k < n; k++) {
      const pending = k > 0;
      const old = (k - 1) * n;
      for (let r = k; r < n; r++) {
        v[k * n + r] = view[r * n + k] - (pending ? v[old + r] * ys[k] + xs[r] * u[old + k] : 0);
      }
      const fromLeft = reflectInPlace(v, k * n + k, n - k, 1, 0);
      diagonal[k] = fromLeft.beta;
      leftTau[k] = fromLeft.tau;
      const width = n - k - 1;
      if (width === 0) break;

      const oldY = pending ? y.pointer + 8 * (k + 1) : 0;
      numerics.run('bidiagonalPass', n - k, GRAIN, [
        at(a, k, k + 1),
        8 * n,
        width,
        at(left, Math.max(k - 1, 0), k),
        oldY,
        x.pointer + 8 * k,
        at(right, Math.max(k - 1, 0), k + 1),
        at(left, k, k),
        sums.pointer,
        GRAIN,
      ]);
      addChunks(sums.view, Math.ceil((n - k) / GRAIN), width, fromLeft.tau, ys.subarray(k + 1));
      for (let c = k + 1; c < n; c++) u[k * n + c] = view[k * n + c] - ys[c];
      const fromRight = reflectInPlace(u, k * n + k + 1, width, 1, 0);
      superdiagonal[k] = fromRight.beta;
      rightTau[k] = fromRight.tau;

      const product = [at(a, k + 1, k + 1), 8 * n, width, at(right, k, k + 1), x.pointer + 8 * (k + 1)];
      numerics.run('rowProducts', width, GRAIN, product);
      let dot = 0;
      for (let c = k + 1; c < n; c++) dot += ys[c] * u[k * n + c];
      for (let r = k + 1; r < n; r++) xs[r] = fromRight.tau * (xs[r] - v[k * n + r] * dot);
    }
  } finally {
    local.dispose();
  }
  return { diagonal, superdiagonal, left, right, leftTau, rightTau };
}

function addChunks(sums: Float64Array, chunks: number, width: number, factor: number, out: Float64Array): void {
  for (let c = 0; c < width; c++) {
    let sum = 0;
    for (let chunk = 0; chunk < chunks; chunk++) sum += sums[chunk * width + c];
    out[c] = factor * sum;
  }
}

/**
 * C := H₀ H₁ … H_{n−1} C.
 *
 * @param vectors  n × n: row k is the vector of Hₖ, zero before index k
 * @param c        n × any
 */
export function applyBasis(
  numerics: Numerics,
  vectors: Block<Float64Array>,
  n: number,
  tau: Float64Array,
  c: Matrix,
): void {
  const rows = matrixOf(vectors, n, n);
  for (let first = Math.floor((n - 1) / REFLECTORS) * REFLECTORS; first >= 0; first -= REFLECTORS) {
    const count = Math.min(REFLECTORS, n - first);
    const w = transposed(partOf(rows, first, first, count, n - first));
    const part = partOf(c, first, 0, n - first, c.columns);
    applyReflectors(numerics, w, tau.subarray(first, first + count), part, true);
  }
}
