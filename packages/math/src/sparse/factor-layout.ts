/**
 * Where everything of a supernodal factor lies in memory, as flat arrays for the kernels.
 *
 * A front has slots in groups of four: its pivot columns first, padded to a multiple of four, then its rows, padded too.
 * The pivots are cut into panels of PANEL_WIDTH columns. A panel stores the factor in blocks of four rows; within a
 * block the four numbers of a column are adjacent, columns follow each other:
 *
 *   diagonal   row block b of the panel's own rows has 4 b + 4 columns, the last four being its triangle, which holds
 *              the reciprocals of the diagonal
 *   below      each further row block has the panel's `width` columns
 *
 * Factorisation, forward and backward substitution all read this from one end to the other.
 */
import { mapEntries, mapUpdates, roundUpToFour, tileColumn } from './assembly-map.ts';
import type { MatrixGraph } from './graph.ts';
import { cutSubtrees, type Subtrees } from './subtrees.ts';
import type { Supernodes } from './supernodes.ts';

/** Columns of a panel: its triangle, 17 kB, stays in the first-level cache with a block of rows. As in the kernels. */
export const PANEL_WIDTH = 64;

/** i32 fields of a supernode's and of a panel's record; as in assembly/sparse/records.ts. */
const NODE_FIELDS = 11;
export const PANEL_FIELDS = 5;

export interface FactorLayout {
  readonly subtrees: Subtrees;
  /** count × NODE_FIELDS */
  readonly nodes: Int32Array;
  /** children of all supernodes, in the order of elimination */
  readonly children: Int32Array;
  /** see ParentOffsets and EntryMap */
  readonly parentOffsets: Int32Array;
  readonly entryMap: Int32Array;
  /** panels × PANEL_FIELDS: those of each subtree, then those of the top, by columns */
  readonly panels: Int32Array;
  /** first panel of each subtree, of the top, and the number of panels */
  readonly panelStarts: Int32Array;
  /** row of the solution that each slot stands for */
  readonly slots: Int32Array;
  /** for each row that a subtree keeps of rows outside of it, the row it stands for; they follow the n rows proper */
  readonly copies: Int32Array;
  /** numbers that the factor stores, padding included */
  readonly valueCount: number;
  /** tiles of the pivot columns of the largest front in a subtree, and in the top */
  readonly subtreeFrontTiles: number;
  readonly topFrontTiles: number;
}

export function layOutFactor(graph: MatrixGraph, supernodes: Supernodes): FactorLayout {
  const { count, firstColumns, parents, rowStarts } = supernodes;
  const subtrees = cutSubtrees(supernodes);
  const panels = layOutPanels(supernodes, subtrees);
  const updates = mapUpdates(supernodes);
  const entries = mapEntries(graph, supernodes);
  const childStarts = new Int32Array(count + 1);
  for (let s = 0; s < count; s++) if (parents[s] >= 0) childStarts[parents[s] + 1]++;
  for (let s = 0; s < count; s++) childStarts[s + 1] += childStarts[s];
  const children = new Int32Array(childStarts[count]);
  const nextChild = childStarts.slice(0, count);
  const nodes = new Int32Array(count * NODE_FIELDS);
  const frontTiles = { subtree: 0, top: 0 };
  for (let s = 0; s < count; s++) {
    if (parents[s] >= 0) children[nextChild[parents[s]]++] = s;
    const columns = firstColumns[s + 1] - firstColumns[s];
    const rows = rowStarts[s + 1] - rowStarts[s];
    const pivotTiles = roundUpToFour(columns) / 4;
    const part = subtrees.subtreeOf[s] < 0 ? 'top' : 'subtree';
    frontTiles[part] = Math.max(frontTiles[part], tileColumn(pivotTiles, pivotTiles + roundUpToFour(rows) / 4));
    nodes[s * NODE_FIELDS] = firstColumns[s];
    nodes[s * NODE_FIELDS + 1] = columns;
    nodes[s * NODE_FIELDS + 2] = rows;
    nodes[s * NODE_FIELDS + 3] = panels.valueStarts[s];
    nodes[s * NODE_FIELDS + 4] = subtrees.updateOffsets[s];
    nodes[s * NODE_FIELDS + 5] = childStarts[s];
    nodes[s * NODE_FIELDS + 6] = childStarts[s + 1];
    nodes[s * NODE_FIELDS + 7] = updates.starts[s];
    nodes[s * NODE_FIELDS + 8] = updates.splits[s];
    nodes[s * NODE_FIELDS + 9] = entries.starts[s];
    nodes[s * NODE_FIELDS + 10] = entries.starts[s + 1];
  }
  return {
    subtrees,
    nodes,
    children,
    parentOffsets: updates.offsets,
    entryMap: entries.pairs,
    panels: panels.records,
    panelStarts: panels.starts,
    slots: panels.slots,
    copies: panels.copies,
    valueCount: panels.valueStarts[count],
    subtreeFrontTiles: frontTiles.subtree,
    topFrontTiles: frontTiles.top,
  };
}

function layOutPanels(supernodes: Supernodes, subtrees: Subtrees) {
  const { count, firstColumns, rowStarts, rows } = supernodes;
  const { subtreeOf } = subtrees;
  const copies = new CopiedRows(supernodes, subtrees);
  const inSubtrees: number[] = [];
  const inTop: number[] = [];
  const starts: number[] = [];
  const valueStarts = new Int32Array(count + 1);
  let slotCount = 0;
  for (let s = 0; s < count; s++) {
    const columns = firstColumns[s + 1] - firstColumns[s];
    slotCount += roundUpToFour(columns) + roundUpToFour(rowStarts[s + 1] - rowStarts[s]);
  }
  const slots = new Int32Array(slotCount);
  let slot = 0;
  for (let s = 0; s < count; s++) {
    const first = firstColumns[s];
    const columns = firstColumns[s + 1] - first;
    const firstSlot = slot;
    const endSlot = slot + roundUpToFour(columns) + roundUpToFour(rowStarts[s + 1] - rowStarts[s]);
    // Padding names the supernode's first column: what it adds there is zero.
    slots.fill(first, slot, endSlot);
    for (let k = 0; k < columns; k++) slots[slot + k] = first + k;
    slot += roundUpToFour(columns);
    for (let p = rowStarts[s]; p < rowStarts[s + 1]; p++) slots[slot++] = copies.rowFor(s, rows[p]);
    slot = endSlot;

    if (subtreeOf[s] === starts.length) starts.push(inSubtrees.length / PANEL_FIELDS);
    const group = subtreeOf[s] < 0 ? inTop : inSubtrees;
    let values = valueStarts[s];
    for (let from = 0; from < columns; from += PANEL_WIDTH) {
      const width = Math.min(PANEL_WIDTH, columns - from);
      const ownBlocks = roundUpToFour(width) / 4;
      const below = firstSlot + from + 4 * ownBlocks;
      const blocks = (endSlot - below) / 4;
      group.push(first + from, width, below, blocks, values);
      values += 8 * ownBlocks * (ownBlocks + 1) + 4 * blocks * width;
    }
    valueStarts[s + 1] = values;
  }
  starts.push(inSubtrees.length / PANEL_FIELDS, (inSubtrees.length + inTop.length) / PANEL_FIELDS);
  const records = new Int32Array(inSubtrees.length + inTop.length);
  records.set(inSubtrees);
  records.set(inTop, inSubtrees.length);
  return {
    records,
    starts: Int32Array.from(starts),
    valueStarts,
    slots,
    copies: Int32Array.from(copies.rows),
  };
}

/**
 * A subtree writes its updates of rows outside of it to copies of its own, so that subtrees can be solved at the same
 * time; all such rows are among those of its root. The top adds the copies up in order.
 */
class CopiedRows {
  /** The row that each copy stands for. */
  readonly rows: number[] = [];
  readonly #supernodes: Supernodes;
  readonly #subtrees: Subtrees;
  readonly #copyOf: Int32Array;
  #subtree = -1;

  constructor(supernodes: Supernodes, subtrees: Subtrees) {
    this.#supernodes = supernodes;
    this.#subtrees = subtrees;
    this.#copyOf = new Int32Array(supernodes.order.length);
  }

  /** The row of the solution that supernode s uses for `row`; supernodes must come in order. */
  rowFor(s: number, row: number): number {
    const subtree = this.#subtrees.subtreeOf[s];
    if (subtree < 0 || row < this.#supernodes.firstColumns[this.#subtrees.ends[subtree]]) return row;
    if (subtree !== this.#subtree) this.#enter(subtree);
    return this.#copyOf[row];
  }

  #enter(subtree: number): void {
    const { order, rowStarts, rows } = this.#supernodes;
    const root = this.#subtrees.ends[subtree] - 1;
    for (let p = rowStarts[root]; p < rowStarts[root + 1]; p++) {
      this.#copyOf[rows[p]] = order.length + this.rows.length;
      this.rows.push(rows[p]);
    }
    this.#subtree = subtree;
  }
}
