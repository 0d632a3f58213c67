/**
 * Matrices in wasm memory, as kernels see them: where the first entry is and how far it is to the next row and column.
 * A part or the transpose of a matrix is the same memory with other numbers.
 */
import type { Block } from '../numerics/scope.ts';

export interface Matrix {
  /** Address of the first entry. */
  readonly pointer: number;
  readonly rows: number;
  readonly columns: number;
  /** Doubles from an entry to the one below it. */
  readonly rowStride: number;
  /** Doubles from an entry to the one on its right. */
  readonly columnStride: number;
}

/**
 * A block as a row-major rows × columns matrix; `rowStride` where rows are farther apart than they are long.
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function matrixOf(block: Block<Float64Array>, rows: number, columns: number, rowStride = columns): Matrix {
  return { pointer: block.pointer, rows, columns, rowStride, columnStride: 1 };
}

/**
 * The transpose of a matrix: the same memory with the strides exchanged.
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function transposed(a: Matrix): Matrix {
  return {
    pointer: a.pointer,
    rows: a.columns,
    columns: a.rows,
    rowStride: a.columnStride,
    columnStride: a.rowStride,
  };
}

/**
 * The rows × columns part of a matrix with its first entry at (row, column): the same memory.
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function partOf(a: Matrix, row: number, column: number, rows: number, columns: number): Matrix {
  return { ...a, pointer: a.pointer + 8 * (row * a.rowStride + column * a.columnStride), rows, columns };
}
