/**
 * Squared Euclidean distance of every cell of a grid from the nearest marked cell, in cells, exactly: along each axis in
 * turn, d(x) = min_y f(y) + (x − y)² is the lower envelope of parabolas.
 *
 * Reference: Felzenszwalb, Huttenlocher. Distance transforms of sampled functions. 2012.
 */

/** Larger than any distance in a grid, and finite, so that parabolas still intersect. */
const FAR = 1e12;

/**
 * @param marked  nx × ny × nz, x fastest: 1 where the distance is 0
 * @param size    nx, ny, nz
 */
export function distanceTransform(marked: Uint8Array, size: readonly [number, number, number]): Float64Array {
  const values = Float64Array.from(marked, (mark) => (mark ? 0 : FAR));
  const [nx, ny, nz] = size;
  const line = new Envelope(Math.max(nx, ny, nz));
  for (let z = 0; z < nz; z++) for (let y = 0; y < ny; y++) line.run(values, (z * ny + y) * nx, 1, nx);
  for (let z = 0; z < nz; z++) for (let x = 0; x < nx; x++) line.run(values, z * ny * nx + x, nx, ny);
  for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) line.run(values, y * nx + x, nx * ny, nz);
  return values;
}

/** One line of the grid. */
class Envelope {
  readonly #f: Float64Array;
  /** Places of the parabolas of the envelope, and where each begins. */
  readonly #at: Int32Array;
  readonly #from: Float64Array;

  constructor(most: number) {
    this.#f = new Float64Array(most);
    this.#at = new Int32Array(most);
    this.#from = new Float64Array(most + 1);
  }

  run(values: Float64Array, start: number, stride: number, n: number): void {
    const [f, at, from] = [this.#f, this.#at, this.#from];
    for (let q = 0; q < n; q++) f[q] = values[start + q * stride];
    let k = 0;
    at[0] = 0;
    from[0] = Number.NEGATIVE_INFINITY;
    from[1] = Number.POSITIVE_INFINITY;
    for (let q = 1; q < n; q++) {
      let s = crossing(f, at[k], q);
      while (s <= from[k]) s = crossing(f, at[--k], q);
      at[++k] = q;
      from[k] = s;
      from[k + 1] = Number.POSITIVE_INFINITY;
    }
    for (let q = 0, p = 0; q < n; q++) {
      while (from[p + 1] < q) p++;
      values[start + q * stride] = f[at[p]] + (q - at[p]) ** 2;
    }
  }
}

/** Where the parabola at q falls below that at p. */
function crossing(f: Float64Array, p: number, q: number): number {
  return (f[q] + q * q - (f[p] + p * p)) / (2 * (q - p));
}
