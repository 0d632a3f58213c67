/**
 * The rank of a matrix, its pseudo-inverse and its null space, from the SVD: singular values below a fraction of the
 * largest count as zero.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§5.5).
 */
import type { Numerics } from '../numerics/numerics.ts';
import { completeRowsInPlace } from './orthonormal.ts';
import { thinSvd } from './thin-svd.ts';

/** Rounding of a matrix with sides of this size, relative to its largest singular value. */
export function rankTolerance(rows: number, columns: number): number {
  return Math.max(rows, columns) * 2 ** -52;
}

export interface RankOptions {
  /** Singular values up to this fraction of the largest are zero. By default `rankTolerance(rows, columns)`. */
  readonly relativeTolerance?: number;
  /** Kernels, for large matrices. */
  readonly numerics?: Numerics;
}

function rankOf(values: Float64Array, rows: number, columns: number, options: RankOptions): number {
  const limit = (options.relativeTolerance ?? rankTolerance(rows, columns)) * (values[0] ?? 0);
  let rank = 0;
  while (rank < values.length && values[rank] > limit) rank++;
  return rank;
}

/**
 * A⁺: A⁺b is the shortest of the vectors that minimise ‖Ax − b‖.
 *
 * @param a  rows × columns, row-major
 * @returns  columns × rows, row-major, and the rank
 */
export function pseudoInverse(
  a: ArrayLike<number>,
  rows: number,
  columns: number,
  options: RankOptions = {},
): { inverse: Float64Array; rank: number } {
  const { u, values, v } = thinSvd(a, rows, columns, options.numerics);
  const rank = rankOf(values, rows, columns, options);
  const size = values.length;
  const inverse = new Float64Array(rows * columns);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let k = 0; k < rank; k++) sum += (v[c * size + k] / values[k]) * u[r * size + k];
      inverse[c * rows + r] = sum;
    }
  }
  return { inverse, rank };
}

/**
 * An orthonormal basis of the vectors x with Ax = 0.
 *
 * @param a  rows × columns, row-major
 * @returns  columns × (columns − rank), row-major, and the rank
 */
export function nullSpace(
  a: ArrayLike<number>,
  rows: number,
  columns: number,
  options: RankOptions = {},
): { basis: Float64Array; rank: number } {
  const { values, v } = thinSvd(a, rows, columns, options.numerics);
  const rank = rankOf(values, rows, columns, options);
  const size = values.length;
  // All of the row space first, then what the SVD gives beyond it, then what it does not give where A is wide.
  const vectors = new Float64Array(columns * columns);
  for (let k = 0; k < size; k++) for (let c = 0; c < columns; c++) vectors[k * columns + c] = v[c * size + k];
  completeRowsInPlace(vectors, columns, size, columns);
  const width = columns - rank;
  const basis = new Float64Array(columns * width);
  for (let k = 0; k < width; k++) {
    for (let c = 0; c < columns; c++) basis[c * width + k] = vectors[(rank + k) * columns + c];
  }
  return { basis, rank };
}
