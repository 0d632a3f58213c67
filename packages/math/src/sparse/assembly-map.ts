/**
 * Where numbers go on their way into a front: the entries of the matrix, and the update matrices of children.
 *
 * A front is a lower triangle of tiles of 4 × 4 numbers, tile columns one after the other, a column's four numbers
 * adjacent. The number in slots (row, column) lies at columnOffset(column) + rowOffset(row) bytes, the column's part
 * being the start of its tile column minus the rows that a triangle lacks.
 */
import type { MatrixGraph } from './graph.ts';
import type { Supernodes } from './supernodes.ts';

export interface ParentOffsets {
  /** for each row of each supernode, padded to a multiple of four, rowOffset of its slot in the parent's front */
  readonly offsets: Int32Array;
  /** count + 1 starts in `offsets` */
  readonly starts: Int32Array;
  /** how many of each supernode's rows are pivots of its parent */
  readonly splits: Int32Array;
}

export interface EntryMap {
  /** pairs: entry of the matrix, byte in the tiles of its front's pivot columns; by supernode */
  readonly pairs: Int32Array;
  /** count + 1 starts in `pairs` */
  readonly starts: Int32Array;
}

export function roundUpToFour(count: number): number {
  return (count + 3) & ~3;
}

/** Tiles before tile column b of a lower triangle with `tileRows` rows of tiles. */
export function tileColumn(b: number, tileRows: number): number {
  return b * tileRows - (b * (b - 1)) / 2;
}

function rowOffset(slot: number): number {
  return 128 * (slot >> 2) + 8 * (slot & 3);
}

function columnOffset(slot: number, tileRows: number): number {
  return 128 * (tileColumn(slot >> 2, tileRows) - (slot >> 2)) + 32 * (slot & 3);
}

export function mapUpdates({ count, firstColumns, parents, rowStarts, rows }: Supernodes): ParentOffsets {
  const starts = new Int32Array(count + 1);
  for (let s = 0; s < count; s++) {
    starts[s + 1] = starts[s] + (parents[s] < 0 ? 0 : roundUpToFour(rowStarts[s + 1] - rowStarts[s]));
  }
  const offsets = new Int32Array(starts[count]);
  const splits = new Int32Array(count);
  for (let s = 0; s < count; s++) {
    const parent = parents[s];
    if (parent < 0) continue;
    const first = firstColumns[parent];
    const end = firstColumns[parent + 1];
    const pivotSlots = roundUpToFour(end - first);
    let at = starts[s];
    let p = rowStarts[s];
    for (; p < rowStarts[s + 1] && rows[p] < end; p++) offsets[at++] = rowOffset(rows[p] - first);
    splits[s] = p - rowStarts[s];
    // Both lists ascend, and the parent's contains the child's.
    for (let q = rowStarts[parent]; p < rowStarts[s + 1]; p++) {
      while (rows[q] < rows[p]) q++;
      offsets[at++] = rowOffset(pivotSlots + q - rowStarts[parent]);
    }
    // Padding adds zeros to the last row.
    for (; at < starts[s + 1]; at++) offsets[at] = offsets[at - 1];
  }
  return { offsets, starts, splits };
}

export function mapEntries(graph: MatrixGraph, supernodes: Supernodes): EntryMap {
  const { count, order, firstColumns, rowStarts, rows } = supernodes;
  const positions = new Int32Array(order.length);
  for (let j = 0; j < order.length; j++) positions[order[j]] = j;
  const starts = new Int32Array(count + 1);
  // Each edge is in the graph twice and falls into the column that is eliminated first.
  const pairs = new Int32Array(graph.neighbours.length + 2 * order.length);
  const offsetOfRow = new Int32Array(order.length);
  let end = 0;
  for (let s = 0; s < count; s++) {
    const first = firstColumns[s];
    const last = firstColumns[s + 1];
    const pivotSlots = roundUpToFour(last - first);
    const tileRows = (pivotSlots + roundUpToFour(rowStarts[s + 1] - rowStarts[s])) / 4;
    for (let j = first; j < last; j++) offsetOfRow[j] = rowOffset(j - first);
    for (let p = rowStarts[s]; p < rowStarts[s + 1]; p++) {
      offsetOfRow[rows[p]] = rowOffset(pivotSlots + p - rowStarts[s]);
    }
    for (let j = first; j < last; j++) {
      const vertex = order[j];
      const column = columnOffset(j - first, tileRows);
      if (graph.diagonal[vertex] >= 0) {
        pairs[end++] = graph.diagonal[vertex];
        pairs[end++] = column + offsetOfRow[j];
      }
      for (let p = graph.starts[vertex]; p < graph.starts[vertex + 1]; p++) {
        const row = positions[graph.neighbours[p]];
        if (row < j) continue;
        pairs[end++] = graph.entries[p];
        pairs[end++] = column + offsetOfRow[row];
      }
    }
    starts[s + 1] = end;
  }
  return { pairs: pairs.subarray(0, end), starts };
}
