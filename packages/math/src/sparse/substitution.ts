/**
 * Solves L Lᵀ x = b with a supernodal factor: forward through the subtrees in parallel, through the top panel by panel,
 * and the same way back. A panel that is worth it is shared by all threads. Nothing is allocated in `solve`.
 */
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { type FactorLayout, PANEL_FIELDS, PANEL_WIDTH } from './factor-layout.ts';

/** Right-hand sides that one pass takes. */
export const MOST_SIDES = 4;
/** What a row of the solution is, for the kernels: two numbers, four, or four of single precision. */
const [NARROW, WIDE, SINGLE] = [2, 4, 1];
/** Numbers below a panel from which its row blocks are shared by all threads: 512 kB, some 50 µs. */
const SHARED_PANEL = 2 ** 16;
/** Row blocks that a thread takes at a time: 64 kB. */
const GRAIN = 32;
/** Rows of a solution that a thread brings into order at a time. */
const ROWS_GRAIN = 4096;
const I32_BYTES = 4;

export class Substitution {
  readonly #numerics: Numerics;
  readonly #size: number;
  readonly #values: Block<Float64Array>;
  readonly #order: Block<Int32Array>;
  readonly #panels: Block<Int32Array>;
  readonly #panelStarts: Block<Int32Array>;
  readonly #slots: Block<Int32Array>;
  readonly #copies: Block<Int32Array>;
  /** The right-hand sides as given, then the solution as returned; n × k. */
  readonly #given: Block<Float64Array>;
  /** (n + copies) × lanes, in the order of elimination. */
  readonly #solution: Block<Float64Array>;
  readonly #own: Block<Float64Array>;
  /** What the chunks of a shared panel's rows subtract from its own. */
  readonly #sums: Block<Float64Array>;
  /** First panel of each step of the top, and the number of panels; a shared panel is a step by itself. */
  readonly #steps: Block<Int32Array>;
  /** Row blocks below the panel of a shared step; 0 for any other. */
  readonly #sharedBlocks: Int32Array;
  /** Arguments of the kernels, of which some change from one solve or step to the next. */
  readonly #groups: kernels.Groups;
  readonly #rows: kernels.SparseBackwardRows;
  readonly #ordered: kernels.Ordered;
  readonly #copied: kernels.SparseAddCopies;
  readonly #ownRows: kernels.SparseBackwardOwn;
  readonly #addCopies: (f: kernels.SparseAddCopies) => void;
  readonly #refreshCopies: (f: kernels.SparseRefreshCopies) => void;
  readonly #forwardOwn: (f: kernels.SparseForwardOwn) => void;
  readonly #backwardOwn: (f: kernels.SparseBackwardOwn) => void;
  readonly #scope: Scope;
  /** The factor in single precision, made when first asked for. */
  #single: Block<Float32Array> | undefined;

  constructor(numerics: Numerics, scope: Scope, layout: FactorLayout, order: Int32Array, values: Block<Float64Array>) {
    this.#numerics = numerics;
    this.#scope = scope;
    this.#size = order.length;
    this.#values = values;
    this.#order = scope.i32From(order);
    this.#panels = scope.i32From(layout.panels);
    this.#panelStarts = scope.i32From(layout.panelStarts);
    this.#slots = scope.i32From(layout.slots);
    this.#copies = scope.i32From(layout.copies);
    this.#given = scope.f64(MOST_SIDES * order.length);
    this.#solution = scope.f64(MOST_SIDES * (order.length + layout.copies.length));
    this.#own = scope.f64(MOST_SIDES * PANEL_WIDTH);
    const { starts, sharedBlocks } = stepsOfTop(layout);
    this.#steps = scope.i32From(starts);
    this.#sharedBlocks = sharedBlocks;
    let mostBlocks = 0;
    for (const blocks of sharedBlocks) mostBlocks = Math.max(mostBlocks, blocks);
    this.#sums = scope.f64(Math.ceil(mostBlocks / GRAIN) * MOST_SIDES * PANEL_WIDTH);
    const [slots, solution] = [this.#slots, this.#solution];
    const changing = { values: values.pointer, lanes: NARROW };
    this.#groups = { panels: this.#panels, slots, solution, starts: 0, ...changing };
    this.#rows = { panel: 0, slots, solution, sums: this.#sums, grain: GRAIN, ...changing };
    const [n, copies] = [order.length, layout.copies.length];
    this.#ordered = { rows: 0, order: this.#order, n, k: 0, solution, lanes: NARROW, copies };
    const place = { solution: solution.pointer, lanes: NARROW };
    this.#copied = { copies: this.#copies.pointer, count: copies, n, ...place };
    this.#ownRows = {
      panel: 0,
      scratch: this.#own.pointer,
      sums: this.#sums.pointer,
      chunks: 0,
      ...place,
      ...changing,
    };
    this.#addCopies = kernels.sparseAddCopies(numerics);
    this.#refreshCopies = kernels.sparseRefreshCopies(numerics);
    this.#forwardOwn = kernels.sparseForwardOwn(numerics);
    this.#backwardOwn = kernels.sparseBackwardOwn(numerics);
  }

  /**
   * @param given  n × k right-hand sides, row-major
   * @param out    n × k; overwritten; may be `given`
   */
  solve(given: Float64Array, k: number, out: Float64Array): void {
    this.#given.view.set(given);
    this.solveAt(this.#given.pointer, k, this.#given.pointer);
    const solved = this.#given.view;
    for (let c = 0; c < out.length; c++) out[c] = solved[c];
  }

  /**
   * The same between places in wasm memory, without a copy.
   *
   * @param given, out  addresses of n × k numbers; may be one
   */
  solveAt(given: number, k: number, out: number): void {
    this.#solveAs(k <= 2 ? NARROW : WIDE, this.#values.pointer, given, k, out);
  }

  /** Adds the solution to `out`, with a factor and in steps of single precision, which take half of the time. */
  correctAt(given: number, k: number, out: number): void {
    if (!this.#single) {
      this.#single = this.#scope.f32(this.#values.length);
      this.#single.view.set(this.#values.view);
    }
    this.#solveAs(SINGLE, this.#single.pointer, given, k, out);
  }

  /** To be called when the factor has changed. */
  factorChanged(): void {
    this.#single?.view.set(this.#values.view);
  }

  #solveAs(lanes: number, values: number, given: number, k: number, out: number): void {
    const numerics = this.#numerics;
    const n = this.#size;
    const subtrees = this.#panelStarts.length - 2;
    const ordered = this.#ordered;
    this.#groups.values = values;
    this.#rows.values = values;
    this.#ownRows.values = values;
    this.#groups.lanes = lanes;
    this.#rows.lanes = lanes;
    this.#ownRows.lanes = lanes;
    this.#copied.lanes = lanes;
    ordered.lanes = lanes;
    ordered.rows = given;
    ordered.k = k;
    kernels.sparsePermute(numerics, n, ROWS_GRAIN, ordered);
    this.#solveGroups(kernels.sparseForward, this.#panelStarts.pointer, subtrees);
    this.#addCopies(this.#copied);
    for (let step = 0; step < this.#sharedBlocks.length; step++) this.#forwardStep(step);
    for (let step = this.#sharedBlocks.length - 1; step >= 0; step--) this.#backwardStep(step);
    this.#refreshCopies(this.#copied);
    this.#solveGroups(kernels.sparseBackward, this.#panelStarts.pointer, subtrees);
    ordered.rows = out;
    kernels.sparseUnpermute(numerics, n, ROWS_GRAIN, ordered);
  }

  /** @param starts  address of the first panel of each group */
  #solveGroups(solve: typeof kernels.sparseForward, starts: number, groups: number): void {
    this.#groups.starts = starts;
    solve(this.#numerics, groups, 1, this.#groups);
  }

  #forwardStep(step: number): void {
    const blocks = this.#sharedBlocks[step];
    if (blocks === 0) {
      this.#solveGroups(kernels.sparseForward, this.#steps.pointer + I32_BYTES * step, 1);
      return;
    }
    this.#setPanel(step);
    this.#forwardOwn(this.#ownRows);
    kernels.sparseForwardRows(this.#numerics, blocks, GRAIN, this.#rows);
  }

  #backwardStep(step: number): void {
    const blocks = this.#sharedBlocks[step];
    if (blocks === 0) {
      this.#solveGroups(kernels.sparseBackward, this.#steps.pointer + I32_BYTES * step, 1);
      return;
    }
    this.#setPanel(step);
    kernels.sparseBackwardRows(this.#numerics, blocks, GRAIN, this.#rows);
    this.#ownRows.chunks = Math.ceil(blocks / GRAIN);
    this.#backwardOwn(this.#ownRows);
  }

  #setPanel(step: number): void {
    const panel = this.#panels.pointer + I32_BYTES * PANEL_FIELDS * this.#steps.view[step];
    this.#rows.panel = panel;
    this.#ownRows.panel = panel;
  }
}

/** Cuts the panels of the top into runs that one thread takes and panels that all threads share. */
function stepsOfTop({ panels, panelStarts }: FactorLayout) {
  const starts: number[] = [];
  const sharedBlocks: number[] = [];
  const end = panelStarts[panelStarts.length - 1];
  for (let panel = panelStarts[panelStarts.length - 2]; panel < end; panel++) {
    const width = panels[PANEL_FIELDS * panel + 1];
    const blocks = panels[PANEL_FIELDS * panel + 3];
    const shared = 4 * blocks * width >= SHARED_PANEL;
    if (!shared && sharedBlocks.at(-1) === 0) continue;
    starts.push(panel);
    sharedBlocks.push(shared ? blocks : 0);
  }
  starts.push(end);
  return { starts, sharedBlocks: Int32Array.from(sharedBlocks) };
}
