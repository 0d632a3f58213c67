/** Relative to the mean diagonal: as in `simplex.ts`, keeps duplicate columns from making the matrix singular. */
const RIDGE: f64 = 1e-11;

/**
 * The inverse of a symmetric positive semidefinite matrix of few rows, by Gauss–Jordan elimination without pivoting, and
 * its row sums.
 *
 * @param a    k × k, row-major; not modified
 * @param out  k × k, overwritten
 * @param y    k row sums of the inverse, overwritten
 * @returns the sum of all entries of the inverse
 */
export function inverseOfGram(a: usize, k: i32, out: usize, y: usize): f64 {
  const row = <usize>k << 3;
  memory.copy(out, a, <usize>k * row);
  let trace: f64 = 0;
  for (let s = 0; s < k; s++) trace += load<f64>(out + <usize>s * (row + 8));
  const ridge = max<f64>((trace / <f64>k) * RIDGE, f64.MIN_NORMAL_VALUE);
  for (let s = 0; s < k; s++) {
    const at = out + <usize>s * (row + 8);
    store<f64>(at, load<f64>(at) + ridge);
  }
  for (let p = 0; p < k; p++) {
    const pivotRow = out + <usize>p * row;
    const pivot = 1 / max<f64>(load<f64>(pivotRow + (<usize>p << 3)), ridge * 1e-3);
    store<f64>(pivotRow + (<usize>p << 3), 1);
    for (let s = 0; s < k; s++) {
      const at = pivotRow + (<usize>s << 3);
      store<f64>(at, load<f64>(at) * pivot);
    }
    for (let r = 0; r < k; r++) {
      if (r == p) continue;
      const other = out + <usize>r * row;
      const factor = load<f64>(other + (<usize>p << 3));
      store<f64>(other + (<usize>p << 3), 0);
      for (let s = 0; s < k; s++) {
        const at = other + (<usize>s << 3);
        store<f64>(at, load<f64>(at) - factor * load<f64>(pivotRow + (<usize>s << 3)));
      }
    }
  }
  let total: f64 = 0;
  for (let r = 0; r < k; r++) {
    let sum: f64 = 0;
    for (let s = 0; s < k; s++) sum += load<f64>(out + <usize>r * row + (<usize>s << 3));
    store<f64>(y + (<usize>r << 3), sum);
    total += sum;
  }
  return total;
}
