/**
 * Runs the multifrontal factorisation: subtrees in parallel, one thread each; then the top of the tree front by front,
 * where a front that is worth it is shared by all threads, panel by panel. Every number is computed by one thread in an
 * order that the layout fixes, so the number of threads does not change the result.
 */
import { CancelledError } from '../errors.ts';
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { type FactorLayout, PANEL_WIDTH } from './factor-layout.ts';
import { frontWork } from './subtrees.ts';
import type { Supernodes } from './supernodes.ts';

const TILE_NUMBERS = 16;
/** Multiply-adds from which a front is shared by all threads. */
const SHARED_FRONT = 5e6;
/** Row blocks, and tile columns, that a thread takes at a time. */
const ROWS_GRAIN = 16;
const COLUMNS_GRAIN = 4;

export class Multifrontal {
  /** The factor; see factor-layout.ts. */
  readonly values: Block<Float64Array>;
  readonly #numerics: Numerics;
  readonly #layout: FactorLayout;
  readonly #supernodes: Supernodes;
  /** The matrix's entries, in its own order. */
  readonly #entries: Block<Float64Array>;
  /** For each column what its pivot must exceed. */
  readonly #floors: Block<Float64Array>;
  readonly #begins: Block<Int32Array>;
  readonly #ends: Block<Int32Array>;
  readonly #failures: Block<Int32Array>;
  /** The kernels' record `Factorisation`: the addresses of all of the above. */
  readonly #record: Block<Uint32Array>;

  constructor(numerics: Numerics, scope: Scope, layout: FactorLayout, supernodes: Supernodes, entryCount: number) {
    this.#numerics = numerics;
    this.#layout = layout;
    this.#supernodes = supernodes;
    this.values = scope.f64(layout.valueCount);
    this.#entries = scope.f64(entryCount);
    this.#floors = scope.f64(supernodes.order.length);
    this.#begins = scope.i32From(layout.subtrees.begins);
    this.#ends = scope.i32From(layout.subtrees.ends);
    this.#failures = scope.i32(layout.subtrees.begins.length);
    const record = [
      scope.i32From(layout.nodes),
      scope.i32From(layout.children),
      scope.i32From(layout.parentOffsets),
      scope.i32From(layout.entryMap),
      this.#entries,
      this.#floors,
      this.values,
    ];
    this.#record = scope.u32(record.length);
    this.#record.view.set(record.map((block) => block.pointer));
  }

  /**
   * @param entries  values of the matrix's entries, in its own order
   * @param floors   for each column, in the order of elimination, what its pivot must exceed
   * @returns the column, in the order of elimination, whose pivot does not; −1 where the factor is complete
   */
  factor(entries: Float64Array, floors: Float64Array): number {
    this.#entries.view.set(entries);
    this.#floors.view.set(floors);
    const { subtrees, topFrontTiles } = this.#layout;
    const scope = this.#numerics.scope();
    try {
      const arena = scope.f64(TILE_NUMBERS * subtrees.arenaTiles).pointer;
      const pivots = scope.f64(TILE_NUMBERS * topFrontTiles).pointer;
      const failed = this.#factorSubtrees(arena);
      return failed >= 0 ? failed : this.#factorTop(pivots, arena);
    } finally {
      scope.dispose();
    }
  }

  #factorSubtrees(arena: number): number {
    const { subtrees, subtreeFrontTiles } = this.#layout;
    this.#failures.view.fill(0);
    kernels.sparseFactorSubtrees(this.#numerics, subtrees.begins.length, 1, {
      factorisation: this.#record,
      begins: this.#begins,
      ends: this.#ends,
      failures: this.#failures,
      arena,
      frontTiles: subtreeFrontTiles,
      stackTiles: subtrees.stackTiles,
    });
    // The first in the order of elimination, whichever thread met it first.
    const failures = this.#failures.view;
    for (let t = 0; t < failures.length; t++) if (failures[t] > 0) return failures[t] - 1;
    return -1;
  }

  #factorTop(pivots: number, arena: number): number {
    const { firstColumns, rowStarts } = this.#supernodes;
    const factorNode = kernels.sparseFactorNode(this.#numerics);
    const factorisation = this.#record.pointer;
    for (const s of this.#layout.subtrees.top) {
      if (this.#numerics.signal?.aborted) throw new CancelledError();
      const columns = firstColumns[s + 1] - firstColumns[s];
      const shared = frontWork(columns, rowStarts[s + 1] - rowStarts[s]) > SHARED_FRONT;
      const failed = shared
        ? this.#factorShared(s, columns, pivots, arena)
        : factorNode({ factorisation, s, pivots, arena }) - 1;
      if (failed >= 0) return failed;
    }
    return -1;
  }

  #factorShared(s: number, columns: number, pivots: number, arena: number): number {
    const numerics = this.#numerics;
    const factorisation = this.#record;
    const node = { factorisation: factorisation.pointer, s, pivots, arena };
    const { rowStarts } = this.#supernodes;
    const blocks = Math.ceil(columns / 4) + Math.ceil((rowStarts[s + 1] - rowStarts[s]) / 4);
    kernels.sparseBeginFront(numerics)(node);
    for (let from = 0; from < columns; from += PANEL_WIDTH) {
      const failed = kernels.sparseFactorTriangle(numerics)({ ...node, from }) - 1;
      if (failed >= 0) return failed;
      const below = blocks - Math.ceil(Math.min(from + PANEL_WIDTH, columns) / 4);
      const front = { factorisation, s, from, pivots, arena };
      kernels.sparseFactorRows(numerics, below, ROWS_GRAIN, front);
      kernels.sparseUpdateColumns(numerics, below, COLUMNS_GRAIN, front);
    }
    kernels.sparseEndFront(numerics)(node);
    return -1;
  }
}
