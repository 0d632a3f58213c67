/** The matrix of a volume system between its free vertices, summed from the triplets of its terms. */
import { type SparseSymmetric, sparseFromTriplets } from '@pelt/math';
import type { Triplets } from './gradient-operators.ts';

/** @param freeIndex  v: index among the free vertices, −1 for a fixed one */
export function stiffnessMatrix(terms: readonly Triplets[], freeIndex: Int32Array, freeCount: number): SparseSymmetric {
  const size = terms.reduce((sum, { values }) => sum + values.length, 0);
  const rows = new Int32Array(size);
  const columns = new Int32Array(size);
  const values = new Float64Array(size);
  let count = 0;
  for (const term of terms) {
    for (let k = 0; k < term.values.length; k++) {
      const p = freeIndex[term.rows[k]];
      const q = freeIndex[term.columns[k]];
      if (p < 0 || q < 0) continue;
      rows[count] = p;
      columns[count] = q;
      values[count++] = term.values[k];
    }
  }
  return sparseFromTriplets(freeCount, rows.subarray(0, count), columns.subarray(0, count), values.subarray(0, count));
}

/** Springs of one stiffness that draw vertices to given places. */
export function springTriplets(vertices: Uint32Array, stiffness: number): Triplets {
  const rows = Int32Array.from(vertices);
  return { rows, columns: rows, values: new Float64Array(vertices.length).fill(stiffness) };
}

/** Mean of the diagonal of a matrix of v rows. */
export function meanDiagonal({ rows, columns, values }: Triplets, v: number): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) if (rows[k] === columns[k]) sum += values[k];
  return sum / v;
}
