/**
 * C = α A B + β C for matrices in wasm memory; a transposed factor is `transposed(A)`.
 *
 * Blocked as in assembly/dense/gemm.ts, row blocks shared among the threads. Entries are summed over k in ascending
 * order, whatever the number of threads.
 */
import { NumericError } from '../errors.ts';
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';
import { type Matrix, transposed } from './matrix.ts';

/** Rows of C that one thread does at a time. */
const ROW_BLOCK = 64;
/** Panels of four columns that are packed at a time. */
const PACK_BLOCK = 32;

/**
 * C = α A B + β C for matrices in the kernels' memory.
 *
 * @param a  m × k
 * @param b  k × n
 * @param c  m × n; overwritten; may not overlap the others; β = 0 does not read it
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function gemm(numerics: Numerics, alpha: number, a: Matrix, b: Matrix, beta: number, c: Matrix): void {
  if (a.rows !== c.rows || b.columns !== c.columns || a.columns !== b.rows) {
    const sizes = [a, b, c].map((matrix) => `${matrix.rows} × ${matrix.columns}`);
    throw new NumericError(`gemm: ${sizes[0]} times ${sizes[1]} does not give ${sizes[2]}`);
  }
  if (c.columnStride !== 1) {
    if (c.rowStride !== 1) throw new NumericError('gemm: neither rows nor columns of the result are contiguous');
    gemm(numerics, alpha, transposed(b), transposed(a), beta, transposed(c));
    return;
  }
  if (c.rows === 0 || c.columns === 0) return;
  const scope = numerics.scope();
  try {
    const panels = Math.ceil(c.columns / 4);
    const packed = scope.f64(4 * panels * b.rows);
    kernels.gemmPack(numerics, panels, PACK_BLOCK, {
      b: b.pointer,
      rowBytes: 8 * b.rowStride,
      columnBytes: 8 * b.columnStride,
      steps: b.rows,
      columns: b.columns,
      packed,
    });
    kernels.gemmRows(numerics, c.rows, ROW_BLOCK, {
      a: a.pointer,
      aRow: 8 * a.rowStride,
      aColumn: 8 * a.columnStride,
      packed,
      c: c.pointer,
      cRow: 8 * c.rowStride,
      columns: c.columns,
      steps: a.columns,
      alpha,
      beta,
      block: ROW_BLOCK,
    });
  } finally {
    scope.dispose();
  }
}
