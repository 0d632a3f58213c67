/**
 * Transforms that are linear in some numbers, by one constant matrix for x, y and z alike: t = A [x y z]. Everything in
 * wasm memory, in float32, and without what is zero in all four rows of a transform: made once, then one call a pose. One
 * thread, as the product is too short to share.
 */
import { type Block, NumericError, type Numerics, ScopeOwner } from '@pelt/math';
import * as kernels from '../generated/calls.ts';

/** Bytes of the x, y and z of one number. */
const PLACE = 16;

/**
 * Transforms that depend linearly on some numbers per axis, by one constant matrix: one product per pose.
 * @example
 * {@includeCode ../../examples/skinning.ts}
 */
export class PaletteProduct extends ScopeOwner {
  readonly #numerics: Numerics;
  readonly #numbers: Block<Float32Array>;
  readonly #out: Block<Float32Array>;
  readonly #fields: kernels.PaletteProduct;
  readonly #count: number;

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
    const places: number[] = [];
    const starts = [0];
    for (let j = 0; j < this.#count; j++) {
      for (let k = 0; k < width; k++) if (isUsed(matrix, width, j, k)) places.push(k);
      starts.push(places.length);
    }
    const { scope } = this;
    const startBlock = scope.u32(starts.length);
    const placeBlock = scope.u32(places.length);
    const entryBlock = scope.f32(4 * places.length);
    this.#numbers = scope.f32((PLACE / 4) * width);
    this.#out = scope.f32(12 * this.#count);
    startBlock.view.set(starts);
    placeBlock.view.set(places.map((k) => PLACE * k));
    for (let j = 0; j < this.#count; j++) {
      for (let e = starts[j]; e < starts[j + 1]; e++) {
        for (let r = 0; r < 4; r++) entryBlock.view[4 * e + r] = matrix[(4 * j + r) * width + places[e]];
      }
    }
    const [numbers, out] = [this.#numbers, this.#out];
    this.#fields = { starts: startBlock, places: placeBlock, entries: entryBlock, numbers, out };
  }

  /** width × 4, to be filled before `multiply`: what x, y and z of the transforms depend on, and a number without use. */
  get numbers(): Float32Array {
    return this.#numbers.view;
  }

  /** P × 12 transforms, row-major 3 × 4; a view that the next call overwrites. */
  multiply(): Float32Array {
    kernels.paletteProduct(this.#numerics, this.#count, Math.max(1, this.#count), this.#fields);
    return this.#out.view;
  }
}

/** Whether transform j depends on number k. */
function isUsed(matrix: Float64Array, width: number, j: number, k: number): boolean {
  for (let at = 4 * j * width + k; at < 4 * (j + 1) * width; at += width) if (matrix[at] !== 0) return true;
  return false;
}
