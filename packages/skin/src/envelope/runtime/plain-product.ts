/** The product t = A [x y z] of `PaletteProduct` in plain TypeScript, for pages that play a skin without kernels. */
export class PlainProduct {
  /** width × 4, to be filled before `multiply`: what x, y and z of the transforms depend on, and a number without use. */
  readonly numbers: Float64Array;
  readonly #matrix: Float64Array;
  readonly #out: Float64Array;

  /** @param matrix  4P × width, row-major: rows 4j … 4j + 3 give the columns of transform j */
  constructor(matrix: Float64Array, width: number) {
    this.#matrix = matrix;
    this.numbers = new Float64Array(4 * width);
    this.#out = new Float64Array(width > 0 ? (3 * matrix.length) / width : 0);
  }

  /** P × 12 transforms, row-major 3 × 4; a view that the next call overwrites. */
  multiply(): Float64Array {
    const [matrix, numbers, out] = [this.#matrix, this.numbers, this.#out];
    for (let r = 0, at = 0; at < matrix.length; r++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let k = 0; k < numbers.length; k += 4) {
        const a = matrix[at++];
        x += a * numbers[k];
        y += a * numbers[k + 1];
        z += a * numbers[k + 2];
      }
      const to = 12 * (r >> 2) + (r & 3);
      out[to] = x;
      out[to + 4] = y;
      out[to + 8] = z;
    }
    return out;
  }
}
