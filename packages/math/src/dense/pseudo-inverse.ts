/**
 * The rank of a matrix and its pseudo-inverse, from the SVD: singular values below a fraction of the largest count as
 * zero.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§5.5).
 */
import { thinSvd } from './thin-svd.ts';

export interface RankOptions {
  /** Singular values up to this fraction of the largest are zero; by default the rounding of a matrix of this size. */
  readonly relativeTolerance?: number;
}

function rankOf(values: Float64Array, rows: number, columns: number, options: RankOptions): number {
  const limit = (options.relativeTolerance ?? Math.max(rows, columns) * 2 ** -52) * (values[0] ?? 0);
  let rank = 0;
  while (rank < values.length && values[rank] > limit) rank++;
  return rank;
}

/**
 * The Moore–Penrose pseudo-inverse: A⁺b is the shortest of the vectors that minimise ‖Ax − b‖.
 *
 * @param a  rows × columns, row-major
 * @returns  columns × rows, row-major, and the rank
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function pseudoInverse(
  a: ArrayLike<number>,
  rows: number,
  columns: number,
  options: RankOptions = {},
): { inverse: Float64Array; rank: number } {
  const { u, values, v } = thinSvd(a, rows, columns);
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
