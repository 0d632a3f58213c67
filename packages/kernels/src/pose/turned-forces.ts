/**
 * Forces that are known for a number of examples, in the frames of regions that turn: blended, turned and added up,
 * Σ_c R_c Σ_e β_e f_ce, with their derivatives by β. Runs in every iteration of posing; nothing is allocated in a call.
 */
import type { Block, Numerics, Scope } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
import { runWidth } from './shape-blend.ts';

type Doubles = Block<Float64Array>;

/**
 * Sums of forces that are known in the frames of regions that rotate, with derivatives by the shares of examples.
 * @example
 * {@includeCode ../../examples/posing.ts}
 */
export class TurnedForces {
  /** Numbers in a run: one that is always zero, the examples, and zero up to an even number. */
  readonly width: number;
  /** width: the share of each example, from the second number on */
  readonly beta: Doubles;
  /** regions × 9, row-major rotations */
  readonly turns: Doubles;
  /** regions × 3 × width: the axis that each example turns a region about, as runs of x, y and z */
  readonly axes: Doubles;
  /** all rows × 3 × width: the forces on each row of each region, as runs of x, y and z */
  readonly forces: Doubles;
  readonly #count: number;
  readonly #starts: Block<Int32Array>;
  readonly #rows: Block<Int32Array>;
  readonly #add: (f: kernels.PoseTurnedForces) => void;
  readonly #addDerivatives: (f: kernels.PoseTurnedDerivatives) => void;

  /**
   * @param scope    owns what lies in wasm memory
   * @param regions  the rows that each region adds to
   */
  constructor(numerics: Numerics, scope: Scope, regions: readonly ArrayLike<number>[], examples: number) {
    const width = runWidth(examples);
    this.width = width;
    this.#count = regions.length;
    const starts = [0];
    for (const rows of regions) starts.push(starts[starts.length - 1] + rows.length);
    const all = starts[starts.length - 1];
    this.#starts = scope.i32From(starts);
    this.#rows = scope.i32From(regions.flatMap((rows) => Array.from(rows)));
    this.beta = scope.f64(width);
    this.turns = scope.f64(9 * regions.length);
    this.axes = scope.f64(3 * width * regions.length);
    this.forces = scope.f64(3 * width * all);
    this.#add = kernels.poseTurnedForces(numerics);
    this.#addDerivatives = kernels.poseTurnedDerivatives(numerics);
  }

  /** @param out  rows of `stride` numbers, x, y and z first; added to */
  add(out: Doubles, stride: number): void {
    this.#add({
      regions: this.#count,
      starts: this.#starts.pointer,
      rows: this.#rows.pointer,
      forces: this.forces.pointer,
      width: this.width,
      beta: this.beta.pointer,
      turns: this.turns.pointer,
      out: out.pointer,
      stride,
    });
  }

  /** @param out  rows of three runs of `width`, `stride` apart; added to */
  addDerivatives(out: Doubles, stride: number): void {
    this.#addDerivatives({
      regions: this.#count,
      starts: this.#starts.pointer,
      rows: this.#rows.pointer,
      forces: this.forces.pointer,
      width: this.width,
      beta: this.beta.pointer,
      turns: this.turns.pointer,
      axes: this.axes.pointer,
      out: out.pointer,
      stride,
    });
  }
}
