/** The plain twin of the dense factorisation: A = L D Lᵀ row by row, one dot product an entry. */

/** L (unit lower) and D in the lower triangle of a copy of `a`, n × n row-major; undefined where a pivot is not positive. */
export function plainFactor(a: ArrayLike<number>, n: number): Float64Array | undefined {
  const out = Float64Array.from(a);
  for (let r = 0; r < n; r++) {
    const row = r * n;
    for (let k = 0; k < r; k++) {
      const other = k * n;
      let sum = out[row + k];
      for (let l = 0; l < k; l++) sum -= out[row + l] * out[other + l];
      out[row + k] = sum;
    }
    let pivot = out[row + r];
    for (let k = 0; k < r; k++) {
      const w = out[row + k];
      out[row + k] = w / out[k * n + k];
      pivot -= w * out[row + k];
    }
    out[row + r] = pivot;
    const least = n * 2 ** -52 * Math.abs(a[row + r]);
    if (!(pivot > least)) return undefined;
  }
  return out;
}

/** Solves with what `plainFactor` gave; `rhs` is n × count, row-major. */
export function plainSolve(factor: Float64Array, n: number, rhs: ArrayLike<number>, count: number): Float64Array {
  const x = Float64Array.from(rhs);
  for (let c = 0; c < count; c++) {
    for (let r = 0; r < n; r++) {
      let sum = x[r * count + c];
      for (let k = 0; k < r; k++) sum -= factor[r * n + k] * x[k * count + c];
      x[r * count + c] = sum;
    }
    for (let r = n - 1; r >= 0; r--) {
      let sum = x[r * count + c] / factor[r * n + r];
      for (let k = r + 1; k < n; k++) sum -= factor[k * n + r] * x[k * count + c];
      x[r * count + c] = sum;
    }
  }
  return x;
}
