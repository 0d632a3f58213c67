/**
 * The vectors of a divide-and-conquer step: orthonormal rows that live in the left part of their columns, in the right
 * part, or in both, and their recombination by the small orthogonal matrix that the secular equation gives.
 */
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { gemm } from './gemm.ts';
import { matrixOf, partOf } from './matrix.ts';

/** Where a row is not zero; both is LEFT | RIGHT. */
export const LEFT = 1;
export const RIGHT = 2;

/** Rows and columns [begin, end) of a square matrix, cut at `split`. */
export interface DividedRows {
  readonly rows: Block<Float64Array>;
  /** Doubles from one row to the next. */
  readonly stride: number;
  readonly begin: number;
  readonly split: number;
  readonly end: number;
}

/**
 * New row j = Σᵢ cⱼᵢ old row mᵢ, skipping what is zero.
 *
 * @param members       k row indices
 * @param support       k, LEFT, RIGHT or both
 * @param coefficients  k × k
 * @returns  k × (end − begin), owned by `scope`
 */
export function combineRows(
  numerics: Numerics,
  scope: Scope,
  { rows, stride, begin, split, end }: DividedRows,
  members: readonly number[],
  support: readonly number[],
  coefficients: Block<Float64Array>,
): Block<Float64Array> {
  const k = members.length;
  const width = end - begin;
  const out = scope.f64(k * width);
  for (const [side, first, last] of [
    [LEFT, begin, split],
    [RIGHT, split, end],
  ]) {
    const places = [...members.keys()].filter((i) => support[i] & side);
    const inner = places.length;
    const old = scope.f64(inner * (last - first));
    const factors = scope.f64(k * inner);
    const [source, oldView] = [rows.view, old.view];
    places.forEach((i, place) => {
      const at = members[i] * stride;
      oldView.set(source.subarray(at + first, at + last), place * (last - first));
    });
    gatherColumns(coefficients.view, k, places, factors.view);
    const target = partOf(matrixOf(out, k, width), 0, first - begin, k, last - first);
    gemm(numerics, 1, matrixOf(factors, k, inner), matrixOf(old, inner, last - first), 0, target);
  }
  return out;
}

function gatherColumns(source: Float64Array, k: number, places: readonly number[], out: Float64Array): void {
  let at = 0;
  for (let row = 0; row < k * k; row += k) for (const i of places) out[at++] = source[row + i];
}

/**
 * Puts rows into new places: place p gets combined row `order[p]`, or old row `kept[order[p] − k]` beyond those.
 *
 * @param places    row indices, ascending
 * @param combined  k × (end − begin)
 * @param kept      row indices of the rows that stay as they are
 */
export function placeRows(
  { rows, stride, begin, end }: DividedRows,
  places: readonly number[],
  order: readonly number[],
  combined: Float64Array,
  kept: readonly number[],
): void {
  const view = rows.view;
  const width = end - begin;
  const k = combined.length / width;
  const saved = kept.map((row) => view.slice(row * stride + begin, row * stride + end));
  places.forEach((row, p) => {
    const from = order[p];
    const values = from < k ? combined.subarray(from * width, (from + 1) * width) : saved[from - k];
    view.set(values, row * stride + begin);
  });
}

/** p' = c p + s q, q' = c q − s p. */
export function rotateRows(
  { rows, stride, begin, end }: DividedRows,
  p: number,
  q: number,
  cosine: number,
  sine: number,
): void {
  const view = rows.view;
  for (let i = p * stride + begin, j = q * stride + begin; i < p * stride + end; i++, j++) {
    const x = view[i];
    const y = view[j];
    view[i] = cosine * x + sine * y;
    view[j] = cosine * y - sine * x;
  }
}

/** Indices by ascending value, then by index. */
export function ascendingOrder(values: Float64Array): number[] {
  return [...values.keys()].sort((a, b) => values[a] - values[b] || a - b);
}
