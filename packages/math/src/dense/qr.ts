/**
 * A = Q R of a tall matrix in wasm memory, by blocks of Householder reflectors: a panel of columns is factored
 * (assembly/dense/qr-panel.ts), the rest of the matrix updated by matrix products.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§5.2.3).
 */
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { applyReflectors } from './householder.ts';
import { type Matrix, matrixOf, partOf } from './matrix.ts';

/** Columns that are factored at a time. */
const PANEL = 32;

/** @param a  rows × columns row-major, rows ≥ columns; R on and above the diagonal, the reflectors below */
export function qrInPlace(numerics: Numerics, a: Block<Float64Array>, rows: number, columns: number): Float64Array {
  const tau = new Float64Array(columns);
  const scope = numerics.scope();
  try {
    const taus = scope.f64(PANEL);
    const sums = scope.f64(PANEL);
    const vectors = scope.f64(rows * PANEL);
    const matrix = matrixOf(a, rows, columns);
    for (let first = 0; first < columns; first += PANEL) {
      const width = Math.min(PANEL, columns - first);
      const height = rows - first;
      const panel = partOf(matrix, first, first, height, width);
      numerics.call('qrPanel', panel.pointer, 8 * columns, height, width, taus.pointer, sums.pointer);
      tau.set(taus.view.subarray(0, width), first);
      const rest = partOf(matrix, first, first + width, height, columns - first - width);
      if (rest.columns === 0) break;
      const w = panelVectors(a, columns, first, height, width, vectors);
      applyReflectors(numerics, w, tau.subarray(first, first + width), rest, false);
    }
  } finally {
    scope.dispose();
  }
  return tau;
}

/**
 * C := Q C.
 *
 * @param a  as `qrInPlace` left it
 * @param c  rows × any
 */
export function applyQ(
  numerics: Numerics,
  a: Block<Float64Array>,
  rows: number,
  columns: number,
  tau: Float64Array,
  c: Matrix,
): void {
  const scope: Scope = numerics.scope();
  try {
    const vectors = scope.f64(rows * PANEL);
    for (let first = Math.floor((columns - 1) / PANEL) * PANEL; first >= 0; first -= PANEL) {
      const width = Math.min(PANEL, columns - first);
      const height = rows - first;
      const w = panelVectors(a, columns, first, height, width, vectors);
      applyReflectors(numerics, w, tau.subarray(first, first + width), partOf(c, first, 0, height, c.columns), true);
    }
  } finally {
    scope.dispose();
  }
}

/** The vectors of one panel in full: zeros above the diagonal, ones on it. */
function panelVectors(
  a: Block<Float64Array>,
  columns: number,
  first: number,
  height: number,
  width: number,
  out: Block<Float64Array>,
): Matrix {
  const [source, target] = [a.view, out.view];
  for (let r = 0; r < height; r++) {
    const at = (first + r) * columns + first;
    for (let k = 0; k < width; k++) target[r * width + k] = k < r ? source[at + k] : k === r ? 1 : 0;
  }
  return matrixOf(out, height, width);
}
