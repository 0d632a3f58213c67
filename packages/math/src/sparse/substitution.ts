/**
 * Solves L Lᵀ x = b with a supernodal factor: forward through the subtrees in parallel, through the top panel by panel,
 * and the same way back. A panel that is worth it is shared by all threads. Nothing is allocated in `solve`.
 */
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
  readonly #groupArgs: number[];
  readonly #rowArgs: number[];
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
    this.#groupArgs = [this.#panels.pointer, this.#slots.pointer, values.pointer, this.#solution.pointer, 0, 0];
    this.#rowArgs = [0, this.#slots.pointer, values.pointer, this.#solution.pointer, 0, this.#sums.pointer, GRAIN];
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
    const order = this.#order.pointer;
    const solution = this.#solution.pointer;
    const copies = this.#copies.pointer;
    const copyCount = this.#copies.length;
    this.#groupArgs[2] = values;
    this.#rowArgs[2] = values;
    const rows = [given, order, n, k, solution, lanes, copyCount];
    numerics.run('sparsePermute', n, ROWS_GRAIN, rows);
    this.#solveGroups('sparseForward', this.#panelStarts.pointer, subtrees, lanes);
    numerics.call('sparseAddCopies', copies, copyCount, solution, n, lanes);
    for (let step = 0; step < this.#sharedBlocks.length; step++) this.#forwardStep(step, lanes);
    for (let step = this.#sharedBlocks.length - 1; step >= 0; step--) this.#backwardStep(step, lanes);
    numerics.call('sparseRefreshCopies', copies, copyCount, solution, n, lanes);
    this.#solveGroups('sparseBackward', this.#panelStarts.pointer, subtrees, lanes);
    rows[0] = out;
    numerics.run('sparseUnpermute', n, ROWS_GRAIN, rows);
  }

  /** @param starts  address of the first panel of each group */
  #solveGroups(kernel: 'sparseForward' | 'sparseBackward', starts: number, groups: number, lanes: number): void {
    this.#groupArgs[4] = lanes;
    this.#groupArgs[5] = starts;
    this.#numerics.run(kernel, groups, 1, this.#groupArgs, 8 * MOST_SIDES * PANEL_WIDTH);
  }

  #forwardStep(step: number, lanes: number): void {
    const blocks = this.#sharedBlocks[step];
    if (blocks === 0) {
      this.#solveGroups('sparseForward', this.#steps.pointer + I32_BYTES * step, 1, lanes);
      return;
    }
    const panel = this.#panelOf(step);
    const solution = this.#solution.pointer;
    this.#numerics.call('sparseForwardOwn', panel, this.#rowArgs[2], solution, lanes, this.#own.pointer);
    this.#rowArgs[0] = panel;
    this.#rowArgs[4] = lanes;
    this.#numerics.run('sparseForwardRows', blocks, GRAIN, this.#rowArgs);
  }

  #backwardStep(step: number, lanes: number): void {
    const blocks = this.#sharedBlocks[step];
    if (blocks === 0) {
      this.#solveGroups('sparseBackward', this.#steps.pointer + I32_BYTES * step, 1, lanes);
      return;
    }
    const panel = this.#panelOf(step);
    this.#rowArgs[0] = panel;
    this.#rowArgs[4] = lanes;
    this.#numerics.run('sparseBackwardRows', blocks, GRAIN, this.#rowArgs);
    const chunks = Math.ceil(blocks / GRAIN);
    const solution = this.#solution.pointer;
    const own = this.#own.pointer;
    const sums = this.#sums.pointer;
    this.#numerics.call('sparseBackwardOwn', panel, this.#rowArgs[2], solution, lanes, own, sums, chunks);
  }

  #panelOf(step: number): number {
    return this.#panels.pointer + I32_BYTES * PANEL_FIELDS * this.#steps.view[step];
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
