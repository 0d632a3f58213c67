import { NumericError } from '../errors.ts';

/**
 * Sparse symmetric matrices: the lower triangle with its diagonal, by columns (CSC), rows ascending in each column.
 */
export interface SparseSymmetric {
  /** n, rows and columns */
  readonly size: number;
  /** n + 1 offsets into `rows` and `values` */
  readonly columnStarts: Int32Array;
  /** row of each entry, never smaller than its column */
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

/**
 * Sums triplets (i, j, v) into a symmetric matrix. A triplet off the diagonal stands for A_ij and A_ji at once, whichever
 * of the two it names, so an edge is given once. Duplicates are summed in the order in which they come.
 *
 * @param size     n, rows and columns
 * @param rows     i of each triplet, 0 to n − 1
 * @param columns  j of each triplet, 0 to n − 1
 * @param values   v of each triplet
 * @example
 * {@includeCode ../../examples/sparse.ts}
 */
export function sparseFromTriplets(
  size: number,
  rows: ArrayLike<number>,
  columns: ArrayLike<number>,
  values: ArrayLike<number>,
): SparseSymmetric {
  requireTriplets(size, rows, columns, values);
  const count = rows.length;
  // Two stable counting sorts, by row and then by column, leave each column's rows ascending and duplicates adjacent.
  const byRow = stableSort(size, count, (t) => Math.max(rows[t], columns[t]));
  const order = stableSort(
    size,
    count,
    (t) => Math.min(rows[t], columns[t]),
    (k) => byRow[k],
  );
  const columnStarts = new Int32Array(size + 1);
  const merged = new Int32Array(count);
  const sums = new Float64Array(count);
  let entries = 0;
  let lastRow = -1;
  let lastColumn = -1;
  for (const t of order) {
    const row = Math.max(rows[t], columns[t]);
    const column = Math.min(rows[t], columns[t]);
    if (row !== lastRow || column !== lastColumn) {
      merged[entries++] = row;
      columnStarts[column + 1]++;
      lastRow = row;
      lastColumn = column;
    }
    sums[entries - 1] += values[t];
  }
  for (let j = 0; j < size; j++) columnStarts[j + 1] += columnStarts[j];
  return { size, columnStarts, rows: merged.slice(0, entries), values: sums.slice(0, entries) };
}

/** Throws `NumericError` unless the offsets rise, every row lies on or below the diagonal and rows ascend. */
export function validateSparseSymmetric(matrix: SparseSymmetric): void {
  const { size, columnStarts, rows, values } = matrix;
  requireSize(size);
  if (columnStarts.length !== size + 1 || columnStarts[0] !== 0 || columnStarts[size] !== rows.length) {
    throw new NumericError(`sparse matrix: the column offsets do not fit ${size} columns and ${rows.length} entries`);
  }
  if (values.length !== rows.length) {
    throw new NumericError(`sparse matrix: ${values.length} values for ${rows.length} entries`);
  }
  for (let j = 0; j < size; j++) {
    if (columnStarts[j + 1] < columnStarts[j]) throw new NumericError(`sparse matrix: the offsets fall at column ${j}`);
    for (let p = columnStarts[j]; p < columnStarts[j + 1]; p++) {
      const previous = p > columnStarts[j] ? rows[p - 1] : j - 1;
      if (rows[p] <= previous || rows[p] >= size) {
        throw new NumericError(
          `sparse matrix: row ${rows[p]} in column ${j} is out of place; keep the lower triangle, rows ascending`,
        );
      }
    }
  }
}

function requireSize(size: number): void {
  if (!Number.isInteger(size) || size < 0) throw new NumericError(`sparse matrix: ${size} is not a number of rows`);
}

function requireTriplets(
  size: number,
  rows: ArrayLike<number>,
  columns: ArrayLike<number>,
  values: ArrayLike<number>,
): void {
  requireSize(size);
  if (rows.length !== columns.length || rows.length !== values.length) {
    throw new NumericError(
      `sparse matrix: triplets of ${rows.length} rows, ${columns.length} columns and ${values.length} values`,
    );
  }
  const inside = (index: number) => Number.isInteger(index) && index >= 0 && index < size;
  for (let t = 0; t < rows.length; t++) {
    if (!inside(rows[t]) || !inside(columns[t])) {
      throw new NumericError(`sparse matrix: triplet ${t} at (${rows[t]}, ${columns[t]}) is outside ${size} × ${size}`);
    }
  }
}

/** The items 0 … count − 1 (or those that `source` lists) by ascending key, equal keys in the order they came. */
function stableSort(
  keys: number,
  count: number,
  keyOf: (item: number) => number,
  source: (k: number) => number = (k) => k,
): Int32Array {
  const next = new Int32Array(keys + 1);
  for (let k = 0; k < count; k++) next[keyOf(k) + 1]++;
  for (let key = 0; key < keys; key++) next[key + 1] += next[key];
  const sorted = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const item = source(k);
    sorted[next[keyOf(item)]++] = item;
  }
  return sorted;
}
