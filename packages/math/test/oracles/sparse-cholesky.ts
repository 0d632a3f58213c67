/**
 * The plain twin of the sparse Cholesky factorisation: up-looking, a row of L at a time, one number at a time. Row i
 * comes from a triangular solve with the rows above it; which columns it touches is read off the elimination tree.
 */
import type { SparseSymmetric } from '../../src/index.ts';

export interface PlainFactor {
  /** n vertices in the order of elimination */
  readonly order: Int32Array;
  /** L by columns, rows ascending, the diagonal first */
  readonly columnStarts: Int32Array;
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

/** P A Pᵀ = L Lᵀ; undefined where A is not positive definite. */
export function plainCholesky(matrix: SparseSymmetric, order: Int32Array): PlainFactor | undefined {
  const n = matrix.size;
  const upper = permutedUpper(matrix, order);
  const parents = treeOf(upper, n);
  const patterns = rowPatterns(upper, parents, n);
  const columnStarts = new Int32Array(n + 1);
  for (const pattern of patterns) for (const j of pattern) columnStarts[j + 1]++;
  for (let j = 0; j < n; j++) columnStarts[j + 1] += columnStarts[j] + 1;
  const rows = new Int32Array(columnStarts[n]);
  const values = new Float64Array(columnStarts[n]);
  const ends = columnStarts.slice(0, n);
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (const [j, value] of upper[i]) x[j] += value;
    let diagonal = x[i];
    x[i] = 0;
    // L(0:i, 0:i) y = a, and y is row i of L.
    for (const j of patterns[i]) {
      const y = x[j] / values[columnStarts[j]];
      x[j] = 0;
      for (let p = columnStarts[j] + 1; p < ends[j]; p++) x[rows[p]] -= values[p] * y;
      diagonal -= y * y;
      rows[ends[j]] = i;
      values[ends[j]++] = y;
    }
    if (!(diagonal > 0)) return undefined;
    rows[ends[i]] = i;
    values[ends[i]++] = Math.sqrt(diagonal);
  }
  return { order, columnStarts, rows, values };
}

/** @param rhs  n × k, row-major */
export function plainSparseSolve(factor: PlainFactor, rhs: ArrayLike<number>, k: number): Float64Array {
  const { order, columnStarts, rows, values } = factor;
  const n = order.length;
  const x = new Float64Array(n);
  const out = new Float64Array(n * k);
  for (let c = 0; c < k; c++) {
    for (let j = 0; j < n; j++) x[j] = rhs[order[j] * k + c];
    for (let j = 0; j < n; j++) {
      x[j] /= values[columnStarts[j]];
      for (let p = columnStarts[j] + 1; p < columnStarts[j + 1]; p++) x[rows[p]] -= values[p] * x[j];
    }
    for (let j = n - 1; j >= 0; j--) {
      for (let p = columnStarts[j] + 1; p < columnStarts[j + 1]; p++) x[j] -= values[p] * x[rows[p]];
      x[j] /= values[columnStarts[j]];
    }
    for (let j = 0; j < n; j++) out[order[j] * k + c] = x[j];
  }
  return out;
}

/** For each row of P A Pᵀ its entries on and left of the diagonal, as pairs of column and value. */
function permutedUpper(matrix: SparseSymmetric, order: Int32Array): [number, number][][] {
  const positions = new Int32Array(matrix.size);
  order.forEach((vertex, place) => {
    positions[vertex] = place;
  });
  const entries: [number, number][][] = Array.from({ length: matrix.size }, () => []);
  for (let j = 0; j < matrix.size; j++) {
    for (let p = matrix.columnStarts[j]; p < matrix.columnStarts[j + 1]; p++) {
      const [a, b] = [positions[j], positions[matrix.rows[p]]];
      entries[Math.max(a, b)].push([Math.min(a, b), matrix.values[p]]);
    }
  }
  return entries;
}

/** The parent of each column: the first row below its diagonal; −1 for a root. */
function treeOf(upper: [number, number][][], n: number): Int32Array {
  const parents = new Int32Array(n).fill(-1);
  const tops = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    for (const [column] of upper[i]) {
      for (let j = column; j !== i; ) {
        const up = tops[j];
        tops[j] = i;
        if (up < 0) parents[j] = i;
        j = up < 0 ? i : up;
      }
    }
  }
  return parents;
}

/** Columns left of the diagonal with a non-zero in each row of L, ascending. */
function rowPatterns(upper: [number, number][][], parents: Int32Array, n: number): Int32Array[] {
  const seen = new Int32Array(n).fill(-1);
  return upper.map((entries, i) => {
    seen[i] = i;
    const pattern: number[] = [];
    for (const [column] of entries) {
      for (let j = column; seen[j] !== i; j = parents[j]) {
        seen[j] = i;
        pattern.push(j);
      }
    }
    return Int32Array.from(pattern).sort();
  });
}
