/** The product t = A [x y z] of `PaletteProduct` in plain TypeScript, for pages that play a skin without kernels. */
export class PlainProduct {
  /** 3 × stride, to be filled before `multiply`: what the x, y and z rows of the transforms depend on. */
  readonly columns: Float64Array;
  readonly stride: number;
  readonly #matrix: Float64Array;
  readonly #out: Float64Array;

  /** @param matrix  4P × width, row-major: rows 4j … 4j + 3 give the columns of transform j */
  constructor(matrix: Float64Array, width: number) {
    this.#matrix = matrix;
    this.stride = width;
    this.columns = new Float64Array(3 * width);
    this.#out = new Float64Array(width > 0 ? (3 * matrix.length) / width : 0);
  }

  /** P × 12 transforms, row-major 3 × 4; a view that the next call overwrites. */
  multiply(): Float64Array {
    const [matrix, columns, width, out] = [this.#matrix, this.columns, this.stride, this.#out];
    for (let r = 0, at = 0; at < matrix.length; r++, at += width) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let k = 0; k < width; k++) {
        const a = matrix[at + k];
        x += a * columns[k];
        y += a * columns[width + k];
        z += a * columns[2 * width + k];
      }
      const to = 12 * (r >> 2) + (r & 3);
      out[to] = x;
      out[to + 4] = y;
      out[to + 8] = z;
    }
    return out;
  }
}
