/**
 * A = U diag(s) Vᵀ with r = min(m, n) singular triples.
 *
 * QR of the tall one of A and Aᵀ, bidiagonalisation of R, divide and conquer, and the vectors back through both. Small
 * matrices, and calls without kernels, take one-sided Jacobi. Backward stable: singular values have an absolute error of
 * a few roundings of the largest; where the small ones matter relatively, give no kernels.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§8.6).
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { applyBasis, bidiagonalizeInPlace } from './bidiagonal.ts';
import { bidiagonalSvd } from './bidiagonal-svd.ts';
import { matrixOf, transposed } from './matrix.ts';
import { applyQ, qrInPlace } from './qr.ts';
import { scaleOf } from './scale.ts';
import { plainSvdRows } from './thin-svd-plain.ts';

/** Up to this rank Jacobi is as fast. */
const PLAIN_SIZE = 32;

export interface ThinSvd {
  /** m × r row-major, orthonormal columns */
  readonly u: Float64Array;
  /** r, descending, none negative */
  readonly values: Float64Array;
  /** n × r row-major, orthonormal columns */
  readonly v: Float64Array;
}

/**
 * The singular value decomposition A = U diag(s) Vᵀ with min(rows, columns) singular triples, values descending.
 *
 * @param a         rows × columns, row-major
 * @param numerics  kernels; without them it takes some ten times as long for hundreds of columns
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function thinSvd(a: ArrayLike<number>, rows: number, columns: number, numerics?: Numerics): ThinSvd {
  if (a.length !== rows * columns) {
    throw new NumericError(`thinSvd: ${a.length} numbers are no ${rows} × ${columns} matrix`);
  }
  const scale = scaleOf('thinSvd', a);
  const wide = rows <= columns;
  // The rows of the wide one of A and Aᵀ.
  const size = wide ? rows : columns;
  const length = wide ? columns : rows;
  const scaled = new Float64Array(rows * columns);
  if (scale > 0) {
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) scaled[wide ? r * columns + c : c * rows + r] = a[r * columns + c] / scale;
    }
  }
  const fast = numerics !== undefined && size > PLAIN_SIZE;
  const { values, left, right } = fast
    ? fastSvdRows(numerics, scaled, size, length)
    : plainSvdRows(scaled, size, length);
  const short = columnsOf(left, size, size);
  const long = columnsOf(right, size, length);
  return { u: wide ? short : long, values: values.map((x) => x * scale), v: wide ? long : short };
}

/** Same as `plainSvdRows`: W = Σ sₖ lₖ rₖᵀ for W with `size` rows of `length`. */
function fastSvdRows(numerics: Numerics, w: Float64Array, size: number, length: number) {
  const scope = numerics.scope();
  try {
    // Wᵀ = Q R, length × size; a square one is its own R.
    const square = size === length;
    const q = scope.f64From(columnsOf(w, size, length));
    const tau = square ? undefined : qrInPlace(numerics, q, length, size);
    const r = tau ? upperPart(scope, q, size) : q;
    const b = bidiagonalizeInPlace(numerics, scope, r, size);
    const { values, left, right } = bidiagonalSvd(numerics, scope, b.diagonal, b.superdiagonal);
    // The vectors of B are rows: transposed they are the columns that the reflectors act on.
    applyBasis(numerics, b.left, size, b.leftTau, transposed(matrixOf(left, size, size)));
    applyBasis(numerics, b.right, size, b.rightTau, transposed(matrixOf(right, size, size)));
    let long = left;
    if (tau) {
      long = scope.f64(size * length);
      copyRows(left.view, size, long.view, length);
      applyQ(numerics, q, length, size, tau, transposed(matrixOf(long, size, length)));
    }
    return descending(values, right.view, long.view, length);
  } finally {
    scope.dispose();
  }
}

/** R from where `qrInPlace` left it, zeros below the diagonal. */
function upperPart(scope: Scope, q: Block<Float64Array>, size: number): Block<Float64Array> {
  const r = scope.f64(size * size);
  for (let row = 0; row < size; row++) {
    r.view.set(q.view.subarray(row * size + row, (row + 1) * size), row * size + row);
  }
  return r;
}

function copyRows(source: Float64Array, width: number, target: Float64Array, stride: number): void {
  for (let k = 0; k * width < source.length; k++) {
    target.set(source.subarray(k * width, (k + 1) * width), k * stride);
  }
}

/** Ascending to descending. */
function descending(values: Float64Array, left: Float64Array, right: Float64Array, length: number) {
  const size = values.length;
  const out = {
    values: values.toReversed(),
    left: new Float64Array(size * size),
    right: new Float64Array(size * length),
  };
  for (let k = 0; k < size; k++) {
    const from = size - 1 - k;
    out.left.set(left.subarray(from * size, (from + 1) * size), k * size);
    out.right.set(right.subarray(from * length, (from + 1) * length), k * length);
  }
  return out;
}

/** Rows to columns: (size × length) to (length × size). */
function columnsOf(rows: Float64Array, size: number, length: number): Float64Array {
  const out = new Float64Array(size * length);
  for (let k = 0; k < size; k++) for (let i = 0; i < length; i++) out[i * size + k] = rows[k * length + i];
  return out;
}
