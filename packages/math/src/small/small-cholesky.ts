/**
 * A = L Lᵀ for a few unknowns (blend weights, handles), on arrays that the caller keeps: no allocation, and at such
 * sizes no kernel to call. A pivot that is rounding noise is replaced by a huge one, which sets its unknown to zero in
 * place of failing.
 */

/** Rounding of small systems, against a diagonal entry. */
const NOISE = 1e-14;
const HUGE = 1e150;

/**
 * The Cholesky factor of a small symmetric matrix, in place. A pivot that is rounding noise sets its unknown to zero.
 *
 * @param a      n × n within rows of `stride`; the lower triangle is overwritten by L
 * @param noise  a pivot up to this share of its diagonal entry is noise
 * @returns      whether no pivot was
 * @example
 * {@includeCode ../../examples/small-system.ts}
 */
export function factorSmall(a: Float64Array, n: number, stride: number, noise = NOISE): boolean {
  let definite = true;
  for (let j = 0; j < n; j++) {
    const row = j * stride;
    let pivot = a[row + j];
    const floor = noise * Math.abs(pivot);
    for (let k = 0; k < j; k++) pivot -= a[row + k] * a[row + k];
    if (!(pivot > floor)) definite = false;
    const root = pivot > floor ? Math.sqrt(pivot) : HUGE;
    a[row + j] = root;
    for (let i = j + 1; i < n; i++) {
      const at = i * stride;
      let sum = a[at + j];
      for (let k = 0; k < j; k++) sum -= a[at + k] * a[row + k];
      a[at + j] = sum / root;
    }
  }
  return definite;
}

/**
 * Solves A X = B in place with the factor of `factorSmall`.
 *
 * @param l  n × n within rows of `stride`
 * @param b  n × columns, row-major; solved in place
 * @example
 * {@includeCode ../../examples/small-system.ts}
 */
export function solveSmall(l: Float64Array, n: number, stride: number, b: Float64Array, columns: number): void {
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) {
      const factor = l[j * stride + k];
      for (let c = 0; c < columns; c++) b[j * columns + c] -= factor * b[k * columns + c];
    }
    const inverse = 1 / l[j * stride + j];
    for (let c = 0; c < columns; c++) b[j * columns + c] *= inverse;
  }
  for (let j = n - 1; j >= 0; j--) {
    for (let k = j + 1; k < n; k++) {
      const factor = l[k * stride + j];
      for (let c = 0; c < columns; c++) b[j * columns + c] -= factor * b[k * columns + c];
    }
    const inverse = 1 / l[j * stride + j];
    for (let c = 0; c < columns; c++) b[j * columns + c] *= inverse;
  }
}

/**
 * Solves A x = b in place for one right-hand side, by the pivots themselves: half a rounding less in every row.
 *
 * @param l  n × n within rows of `stride`, from `factorSmall`
 * @param x  n: b, then the solution
 * @example
 * {@includeCode ../../examples/small-system.ts}
 */
export function solveSmallVector(l: Float64Array, n: number, stride: number, x: Float64Array): void {
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) x[j] -= l[j * stride + k] * x[k];
    x[j] /= l[j * stride + j];
  }
  for (let j = n - 1; j >= 0; j--) {
    for (let k = j + 1; k < n; k++) x[j] -= l[k * stride + j] * x[k];
    x[j] /= l[j * stride + j];
  }
}
