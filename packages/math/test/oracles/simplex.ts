/**
 * min xᵀAx on the simplex by brute force over supports: solve A_PP y = 1 on every support, keep the best feasible one.
 * The plain twin of the kernel for small sizes: no active set, no tolerance, nothing shared with it.
 */
export function bruteForceSimplex(a: Float64Array, c: number, limit = c): { x: Float64Array; value: number } {
  let best = { x: new Float64Array(c), value: Number.POSITIVE_INFINITY };
  for (let mask = 1; mask < 1 << c; mask++) {
    const support = Array.from({ length: c }, (_, j) => j).filter((j) => mask & (1 << j));
    if (support.length > limit) continue;
    const y = solve(
      support.map((j) => support.map((k) => a[j * c + k])),
      support.map(() => 1),
    );
    const total = y.reduce((sum, value) => sum + value, 0);
    const x = new Float64Array(c);
    support.forEach((j, k) => {
      x[j] = y[k] / total;
    });
    if (!x.every((value) => value >= -1e-12)) continue;
    const value = quadratic(a, c, x);
    if (value < best.value) best = { x, value };
  }
  return best;
}

export function quadratic(a: Float64Array, c: number, x: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < c; j++) for (let k = 0; k < c; k++) sum += x[j] * a[j * c + k] * x[k];
  return sum;
}

/** Gaussian elimination with partial pivoting. */
function solve(matrix: number[][], rhs: number[]): number[] {
  const n = rhs.length;
  const rows = matrix.map((row, k) => [...row, rhs[k]]);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let r = k + 1; r < n; r++) if (Math.abs(rows[r][k]) > Math.abs(rows[pivot][k])) pivot = r;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let r = k + 1; r < n; r++) {
      const factor = rows[r][k] / rows[k][k];
      for (let s = k; s <= n; s++) rows[r][s] -= factor * rows[k][s];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    let sum = rows[k][n];
    for (let s = k + 1; s < n; s++) sum -= rows[k][s] * x[s];
    x[k] = sum / rows[k][k];
  }
  return x;
}
