/**
 * A V = V diag(λ): all eigenpairs of a dense symmetric matrix.
 *
 * Householder tridiagonalisation, then divide and conquer, then the vectors back through the reflectors in blocks. Small
 * matrices, and calls without kernels, take the plain path: the same values to rounding.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§8.3, §8.4).
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import { ascendingOrder } from './divided-rows.ts';
import { matrixOf, transposed } from './matrix.ts';
import { scaleOf } from './scale.ts';
import { plainEigenRows } from './symmetric-eigen-plain.ts';
import { applyTridiagonalBasis, tridiagonalizeInPlace } from './tridiagonal.ts';
import { tridiagonalEigenInPlace } from './tridiagonal-eigen.ts';

/** Up to this size the plain path is as fast. */
const PLAIN_SIZE = 64;

export interface SymmetricEigen {
  /** n, ascending */
  readonly values: Float64Array;
  /** n × n row-major; column k is the eigenvector of value k; orthonormal */
  readonly vectors: Float64Array;
}

/**
 * All eigenpairs of a dense symmetric matrix, values ascending.
 *
 * @param a         n × n row-major; only the lower triangle is read
 * @param numerics  kernels; without them it takes four to five times as long for hundreds of unknowns
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function symmetricEigen(a: ArrayLike<number>, n: number, numerics?: Numerics): SymmetricEigen {
  if (a.length !== n * n) throw new NumericError(`symmetricEigen: ${a.length} numbers are no ${n} × ${n} matrix`);
  const lower = Float64Array.from({ length: n * n }, (_, k) => (k % n <= Math.floor(k / n) ? a[k] : 0));
  const scale = scaleOf('symmetricEigen', lower);
  const scaled = scale === 0 ? lower : lower.map((x) => x / scale);
  const { values, rows } = numerics && n > PLAIN_SIZE ? fastEigenRows(numerics, scaled, n) : plainEigenRows(scaled, n);
  const order = ascendingOrder(values);
  const vectors = new Float64Array(n * n);
  order.forEach((from, k) => {
    for (let r = 0; r < n; r++) vectors[r * n + k] = rows[from * n + r];
  });
  return { values: Float64Array.from(order, (from) => scale * values[from]), vectors };
}

function fastEigenRows(numerics: Numerics, a: Float64Array, n: number) {
  const scope = numerics.scope();
  try {
    const reflectors = scope.f64From(a);
    const { diagonal, subdiagonal, tau } = tridiagonalizeInPlace(numerics, reflectors, n);
    const { values, rows } = tridiagonalEigenInPlace(numerics, scope, diagonal, subdiagonal);
    applyTridiagonalBasis(numerics, reflectors, n, tau, transposed(matrixOf(rows, n, n)));
    return { values, rows: rows.view.slice() };
  } finally {
    scope.dispose();
  }
}
