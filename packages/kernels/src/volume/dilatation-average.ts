/**
 * The matrix that averages a quantity of vertices over their tetrahedra: mean of the corners of each tetrahedron, then
 * mean over the tetrahedra at each vertex by volume.
 */
import { OPERATOR_SIZE } from './gradient-operators.ts';

/** A sparse matrix by rows. */
export interface SparseRows {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/**
 * @param operators  e × 10, the last number of each the volume
 * @param v          number of vertices
 * @returns          v × v; every row sums to 1, that of a vertex without tetrahedra is empty
 */
export function dilatationAverage(operators: Float64Array, tetrahedra: Uint32Array, v: number): SparseRows {
  const spans = new Int32Array(v + 1);
  for (const i of tetrahedra) spans[i + 1]++;
  for (let i = 0; i < v; i++) spans[i + 1] += spans[i];
  const next = spans.slice();
  const around = new Int32Array(tetrahedra.length);
  for (let k = 0; k < tetrahedra.length; k++) around[next[tetrahedra[k]]++] = k >> 2;
  const starts = new Int32Array(v + 1);
  // At most: every corner of every tetrahedron at a vertex.
  const columns = new Int32Array(4 * tetrahedra.length);
  const values = new Float64Array(4 * tetrahedra.length);
  let count = 0;
  const entryOf = new Int32Array(v).fill(-1);
  for (let i = 0; i < v; i++) {
    let total = 0;
    for (let k = spans[i]; k < spans[i + 1]; k++) {
      const volume = operators[OPERATOR_SIZE * around[k] + 9];
      total += volume;
      for (let c = 0; c < 4; c++) {
        const j = tetrahedra[4 * around[k] + c];
        if (entryOf[j] < starts[i]) {
          columns[count] = j;
          entryOf[j] = count++;
        }
        values[entryOf[j]] += 0.25 * volume;
      }
    }
    for (let k = starts[i]; k < count; k++) values[k] /= total;
    starts[i + 1] = count;
  }
  return { starts, columns: columns.slice(0, count), values: values.slice(0, count) };
}
