/** Dense Cholesky in plain TypeScript, where the factor itself is needed. */

/**
 * L of A = L Lᵀ.
 *
 * @param A  n × n, positive definite; only the lower triangle is read
 * @returns n × n, lower triangular
 */
export function lowerFactor(A: Float64Array, n: number): Float64Array {
  const L = new Float64Array(n * n);
  for (let r = 0; r < n; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = A[r * n + c];
      for (let k = 0; k < c; k++) sum -= L[r * n + k] * L[c * n + k];
      L[r * n + c] = r === c ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / L[c * n + c];
    }
  }
  return L;
}

/** Solves L Lᵀ x = b in place. */
export function solveLower(L: Float64Array, n: number, x: Float64Array): void {
  for (let r = 0; r < n; r++) {
    let sum = x[r];
    for (let k = 0; k < r; k++) sum -= L[r * n + k] * x[k];
    x[r] = sum / L[r * n + r];
  }
  for (let r = n - 1; r >= 0; r--) {
    x[r] /= L[r * n + r];
    const value = x[r];
    for (let k = 0; k < r; k++) x[k] -= L[r * n + k] * value;
  }
}
