import type { SparseSymmetric } from './symmetric.ts';

/** An undirected graph: every edge in both directions, no loops. What orderings work on. */
export interface Graph {
  /** n, vertices */
  readonly size: number;
  /** n + 1 offsets into `neighbours` */
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
}

/** The graph of a symmetric pattern, with the way back to the matrix. */
export interface MatrixGraph extends Graph {
  /** entry of the matrix behind each of `neighbours` */
  readonly entries: Int32Array;
  /** entry on the diagonal of each column; −1 where there is none */
  readonly diagonal: Int32Array;
}

export function graphOf({ size, columnStarts, rows }: SparseSymmetric): MatrixGraph {
  const starts = new Int32Array(size + 1);
  for (let j = 0; j < size; j++) {
    for (let p = columnStarts[j]; p < columnStarts[j + 1]; p++) {
      if (rows[p] === j) continue;
      starts[j + 1]++;
      starts[rows[p] + 1]++;
    }
  }
  for (let j = 0; j < size; j++) starts[j + 1] += starts[j];
  const next = starts.slice(0, size);
  const neighbours = new Int32Array(starts[size]);
  const entries = new Int32Array(starts[size]);
  const diagonal = new Int32Array(size).fill(-1);
  for (let j = 0; j < size; j++) {
    for (let p = columnStarts[j]; p < columnStarts[j + 1]; p++) {
      const i = rows[p];
      if (i === j) {
        diagonal[j] = p;
        continue;
      }
      entries[next[j]] = p;
      neighbours[next[j]++] = i;
      entries[next[i]] = p;
      neighbours[next[i]++] = j;
    }
  }
  return { size, starts, neighbours, entries, diagonal };
}
