/**
 * Cuts the tree of supernodes into independent subtrees, which threads take one by one, and the top that joins them; and
 * gives every update matrix its place in memory. Both depend on the tree alone, never on the number of threads.
 *
 * Update matrices live on a stack with two ends: a node at an even depth pushes to one end, its children, at odd depth,
 * were pushed to the other. Thus a node's own matrix never lies on those that it consumes, and nothing is moved.
 */
import type { Supernodes } from './supernodes.ts';

export interface Subtrees {
  /** supernodes [begins[t], ends[t]) of subtree t; the last one is its root */
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  /** supernodes outside of all subtrees, ascending */
  readonly top: Int32Array;
  /** subtree of each supernode; −1 in the top */
  readonly subtreeOf: Int32Array;
  /** place of each supernode's update matrix, in tiles: in the arena for the top and the roots of subtrees, else on the
   * stack of the thread */
  readonly updateOffsets: Int32Array;
  /** tiles that the largest subtree needs on its stack, and that the arena of the top needs */
  readonly stackTiles: number;
  readonly arenaTiles: number;
}

/** A subtree has at most this share of all work: enough pieces to balance a dozen threads. */
const LARGEST_SHARE = 1 / 32;
/** Multiply-adds below which cutting is not worth it, in all and for a single subtree. */
const LEAST_WORK = 2e6;
const LEAST_SUBTREE_WORK = 5e4;

/** Tiles of 4 × 4 in the lower triangle of an update matrix with this many rows. */
function triangleTiles(rows: number): number {
  const blocks = Math.ceil(rows / 4);
  return (blocks * (blocks + 1)) / 2;
}

export function cutSubtrees(supernodes: Supernodes): Subtrees {
  const { count, parents, rowStarts } = supernodes;
  const work = subtreeWork(supernodes);
  let total = 0;
  for (let s = 0; s < count; s++) if (parents[s] < 0) total += work[s];
  const largest = total < LEAST_WORK ? 0 : Math.max(LEAST_SUBTREE_WORK, total * LARGEST_SHARE);
  const sizes = new Int32Array(count).fill(1);
  for (let s = 0; s < count; s++) if (parents[s] >= 0) sizes[parents[s]] += sizes[s];
  const begins: number[] = [];
  const ends: number[] = [];
  const subtreeOf = new Int32Array(count).fill(-1);
  for (let s = 0; s < count; s++) {
    const isRoot = work[s] <= largest && (parents[s] < 0 || work[parents[s]] > largest);
    if (!isRoot) continue;
    subtreeOf.fill(begins.length, s + 1 - sizes[s], s + 1);
    begins.push(s + 1 - sizes[s]);
    ends.push(s + 1);
  }
  const top: number[] = [];
  for (let s = 0; s < count; s++) if (subtreeOf[s] < 0) top.push(s);

  const depths = new Int32Array(count);
  for (let s = count - 1; s >= 0; s--) depths[s] = parents[s] < 0 ? 0 : depths[parents[s]] + 1;
  const tiles = new Int32Array(count);
  for (let s = 0; s < count; s++) tiles[s] = triangleTiles(rowStarts[s + 1] - rowStarts[s]);
  const updateOffsets = new Int32Array(count);
  // The roots of subtrees are all alive when the top begins; its stack comes behind them.
  let held = 0;
  for (const end of ends) {
    updateOffsets[end - 1] = held;
    held += tiles[end - 1];
  }
  let stackTiles = 0;
  begins.forEach((begin, t) => {
    const inner = Array.from({ length: ends[t] - begin - 1 }, (_, k) => begin + k);
    const stack = placeOnStack(inner, 0, supernodes, depths, tiles, updateOffsets);
    stackTiles = Math.max(stackTiles, stack);
  });
  const topStack = placeOnStack(top, held, supernodes, depths, tiles, updateOffsets);
  const arenaTiles = held + topStack;
  return {
    begins: Int32Array.from(begins),
    ends: Int32Array.from(ends),
    top: Int32Array.from(top),
    subtreeOf,
    updateOffsets,
    stackTiles,
    arenaTiles,
  };
}

/** Multiply-adds that a front costs: Σ h² / 2 over the heights h of its columns, rows + columns down to rows + 1. */
export function frontWork(columns: number, rows: number): number {
  return halfSumOfSquares(rows + columns) - halfSumOfSquares(rows);
}

function halfSumOfSquares(h: number): number {
  return (h * (h + 1) * (2 * h + 1)) / 12;
}

/** Multiply-adds of each supernode with all its descendants. */
function subtreeWork({ count, firstColumns, parents, rowStarts }: Supernodes): Float64Array {
  const work = new Float64Array(count);
  for (let s = 0; s < count; s++) {
    work[s] += frontWork(firstColumns[s + 1] - firstColumns[s], rowStarts[s + 1] - rowStarts[s]);
    if (parents[s] >= 0) work[parents[s]] += work[s];
  }
  return work;
}

/**
 * Plays the stack through for `nodes`, in their order, and writes their offsets, `base` included.
 *
 * @returns tiles at the stack's peak
 */
function placeOnStack(
  nodes: ArrayLike<number>,
  base: number,
  { parents }: Supernodes,
  depths: Int32Array,
  tiles: Int32Array,
  updateOffsets: Int32Array,
): number {
  const ends = [0, 0];
  const consumed = new Map<number, number>();
  let peak = 0;
  for (let k = 0; k < nodes.length; k++) {
    const s = nodes[k];
    const side = depths[s] % 2;
    updateOffsets[s] = ends[side];
    ends[side] += tiles[s];
    peak = Math.max(peak, ends[0] + ends[1]);
    ends[1 - side] -= consumed.get(s) ?? 0;
    const parent = parents[s];
    if (parent >= 0) consumed.set(parent, (consumed.get(parent) ?? 0) + tiles[s]);
  }
  for (let k = 0; k < nodes.length; k++) {
    const s = nodes[k];
    // The odd side grows down from the peak.
    updateOffsets[s] = base + (depths[s] % 2 === 0 ? updateOffsets[s] : peak - updateOffsets[s] - tiles[s]);
  }
  return peak;
}
