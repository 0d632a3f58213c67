/** Plain dense matrices for tests, row-major, nothing clever. */
import type { Random } from '../src/index.ts';

export function randomMatrix(random: Random, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: rows * columns }, () => random.normal());
}

export function identity(n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let k = 0; k < n; k++) out[k * n + k] = 1;
  return out;
}

export function transpose(a: ArrayLike<number>, rows: number, columns: number): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = a[r * columns + c];
  return out;
}

/** A (rows × inner) times B (inner × columns). */
export function multiply(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  rows: number,
  inner: number,
  columns: number,
): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let k = 0; k < inner; k++) {
      const factor = a[r * inner + k];
      for (let c = 0; c < columns; c++) out[r * columns + c] += factor * b[k * columns + c];
    }
  }
  return out;
}

/** Symmetric, with eigenvalues of at least about 1 for every size. */
export function randomPositiveDefinite(random: Random, n: number): Float64Array {
  const a = randomMatrix(random, n, n);
  const out = multiply(a, transpose(a, n, n), n, n, n);
  for (let k = 0; k < n; k++) out[k * n + k] += n + 1;
  return out;
}

/** Q of size n with orthonormal columns, by Gram–Schmidt done twice. */
export function randomOrthogonal(random: Random, n: number): Float64Array {
  const rows = randomMatrix(random, n, n);
  for (let r = 0; r < n; r++) {
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < r; k++) {
        let dot = 0;
        for (let c = 0; c < n; c++) dot += rows[r * n + c] * rows[k * n + c];
        for (let c = 0; c < n; c++) rows[r * n + c] -= dot * rows[k * n + c];
      }
    }
    const length = Math.hypot(...rows.subarray(r * n, (r + 1) * n));
    for (let c = 0; c < n; c++) rows[r * n + c] /= length;
  }
  return rows;
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = Math.abs(a[k] - b[k]);
    // NaN must not pass as no difference.
    if (!(difference <= largest)) largest = difference;
    if (Number.isNaN(difference)) return Number.NaN;
  }
  return largest;
}

export function largestEntry(a: ArrayLike<number>): number {
  return largestDifference(a, new Float64Array(a.length));
}

/** How far QᵀQ is from the identity; Q is rows × columns. */
export function orthogonalityError(q: ArrayLike<number>, rows: number, columns: number): number {
  return largestDifference(multiply(transpose(q, rows, columns), q, columns, rows, columns), identity(columns));
}
