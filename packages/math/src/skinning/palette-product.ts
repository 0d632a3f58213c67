/**
 * Transforms that are linear in some numbers, by one constant matrix for x, y and z alike: t = A [x y z]. Everything in
 * wasm memory: made once, then one call a pose. Three times as fast as plain TypeScript; one thread, as the product is
 * too short to share.
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';
import { ScopeOwner } from '../numerics/scope-owner.ts';

/**
 * Transforms that depend linearly on some numbers per axis, by one constant matrix: one product per pose.
 * @example
 * {@includeCode ../../examples/skinning.ts}
 */
export class PaletteProduct extends ScopeOwner {
  readonly #numerics: Numerics;
  readonly #columns: Block<Float64Array>;
  readonly #out: Block<Float64Array>;
  readonly #args: readonly number[];
  readonly #count: number;
  /** Numbers from one column to the next: the matrix's width, made even. */
  readonly stride: number;

  /**
   * @param matrix  4P × width, row-major: rows 4j … 4j + 3 give the columns of transform j
   * @param width   numbers that a row of the transforms depends on
   */
  constructor(numerics: Numerics, matrix: Float64Array, width: number) {
    super(numerics);
    const rows = width > 0 ? matrix.length / width : 0;
    if (!Number.isInteger(rows / 4)) {
      throw new NumericError(`PaletteProduct: ${matrix.length} numbers are not rows of ${width} for whole transforms`);
    }
    this.#numerics = numerics;
    this.#count = rows / 4;
    this.stride = width + (width % 2);
    const { scope } = this;
    const matrixBlock = scope.f64(rows * this.stride);
    for (let r = 0; r < rows; r++) {
      matrixBlock.view.set(matrix.subarray(r * width, (r + 1) * width), r * this.stride);
    }
    this.#columns = scope.f64(3 * this.stride);
    this.#out = scope.f64(12 * this.#count);
    this.#args = [matrixBlock.pointer, this.#columns.pointer, this.stride, this.#out.pointer];
  }

  /** 3 × stride, to be filled before `multiply`: what x, y and z of the transforms depend on. */
  get columns(): Float64Array {
    return this.#columns.view;
  }

  /** P × 12 transforms, row-major 3 × 4; a view that the next call overwrites. */
  multiply(): Float64Array {
    this.#numerics.run('paletteProduct', this.#count, Math.max(1, this.#count), this.#args);
    return this.#out.view;
  }
}
