/**
 * Principal parts: the fewest R rows from which E given ones are mixed within a tolerance, D ≈ Uᵀ (U D) with U of R
 * orthonormal rows, by the singular value decomposition of D; from its Gram matrix, as there are few rows and each is long.
 *
 * Reference: Kry, James, Pai. EigenSkin. 2002 (section 3).
 */
import { symmetricEigen } from '@pelt/math';
import { checkCancelled, type Run } from '@pelt/model';

/**
 * @param rows     E × size
 * @param allowed  sum of the squares that may be left
 * @param most     of the parts
 * @returns        U, R × E
 */
export function principalShares(
  rows: Float32Array | Float64Array,
  E: number,
  { allowed, most }: { readonly allowed: number; readonly most: number },
  run: Run,
): Float64Array {
  const size = rows.length / E;
  const gram = new Float64Array(E * E);
  for (let a = 0; a < E; a++) {
    checkCancelled(run);
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += rows[a * size + k] * rows[b * size + k];
      gram[a * E + b] = gram[b * E + a] = sum;
    }
  }
  const { values, vectors } = symmetricEigen(gram, E, run.numerics);
  // Ascending: the largest is the last.
  const column = (r: number) => E - 1 - r;
  let left = values.reduce((sum, value) => sum + Math.max(value, 0), 0);
  let R = 0;
  while (R < Math.min(most, E) && left > allowed && values[column(R)] > 0) left -= values[column(R++)];
  const shares = new Float64Array(R * E);
  for (let r = 0; r < R; r++) for (let e = 0; e < E; e++) shares[r * E + e] = vectors[e * E + column(r)];
  return shares;
}

/** Part r of the rows, U_r D: one row of its own. */
export function partOf(rows: Float32Array | Float64Array, shares: Float64Array, r: number, E: number): Float64Array {
  const size = rows.length / E;
  const out = new Float64Array(size);
  for (let e = 0; e < E; e++) {
    const share = shares[r * E + e];
    for (let k = 0; k < size; k++) out[k] += share * rows[e * size + k];
  }
  return out;
}
