/**
 * Small least squares on the simplex, many at once: min ‖Ax − b‖² subject to x ≥ 0, Σx = 1 and, where asked for, at most
 * `limit` non-zeros (by backward elimination: the column whose removal raises the residual least goes first). A is never
 * formed; each problem comes as AᵀA, Aᵀb and bᵀb.
 *
 * The method is in assembly/simplex/simplex.ts; a plain twin is in test/oracles.
 */
import { NumericError } from '../errors.ts';
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';

export interface SimplexProblems {
  /** c, unknowns of each problem */
  readonly size: number;
  /** count × c × c, AᵀA, row-major */
  readonly gram: Float64Array;
  /** count × c, Aᵀb */
  readonly rhs: Float64Array;
  /** count, bᵀb */
  readonly squaredNorms: Float64Array;
}

export interface SimplexOptions {
  /** Most non-zeros of a solution; the size of the problem for no limit. */
  readonly limit?: number;
  /** count × c, a feasible start each (convex weights); from the best single column where absent. */
  readonly start?: Float64Array;
}

/** Problems that one thread solves at a time. */
const GRAIN = 64;

/**
 * Solves many small least squares problems on the simplex: min ‖Ax − b‖² over x ≥ 0, Σx = 1, and at most `limit` non-
 * zeros.
 *
 * @returns count × c solutions, row-major
 * @example
 * {@includeCode ../../examples/simplex.ts}
 */
export function simplexLeastSquares(
  numerics: Numerics,
  problems: SimplexProblems,
  options: SimplexOptions = {},
): Float64Array {
  const { size, gram, rhs, squaredNorms } = problems;
  const count = squaredNorms.length;
  const { limit = size, start } = options;
  if (size < 1 || gram.length !== count * size * size || rhs.length !== count * size) {
    throw new NumericError(`simplexLeastSquares: the arrays do not hold ${count} problems of ${size} unknowns`);
  }
  if (!(limit >= 1)) throw new NumericError(`simplexLeastSquares: a limit of ${limit} non-zeros leaves no solution`);
  if (start && start.length !== count * size) {
    throw new NumericError(`simplexLeastSquares: the start has ${start.length} numbers, expected ${count * size}`);
  }
  const scope = numerics.scope();
  try {
    const x = start ? scope.f64From(start) : scope.f64(count * size);
    kernels.simplexBatch(numerics, count, GRAIN, {
      gram: scope.f64From(gram),
      rhs: scope.f64From(rhs),
      squaredNorms: scope.f64From(squaredNorms),
      c: size,
      limit: Math.min(limit, size),
      x,
    });
    return x.view.slice();
  } finally {
    scope.dispose();
  }
}
