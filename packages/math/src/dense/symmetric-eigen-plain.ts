/**
 * A V = V diag(λ) for dense symmetric matrices in plain TypeScript: Householder tridiagonalisation, implicit QL.
 *
 * What `symmetricEigen` uses for small matrices and without kernels (to n = 64 it is as fast), and the oracle of the
 * fast path.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§8.3).
 */
import { reflectInPlace } from './householder.ts';
import { implicitQlInPlace } from './implicit-ql.ts';

/**
 * @param a  n × n row-major; only the lower triangle is read
 * @returns  eigenvalues in no order, and the eigenvectors as rows
 */
export function plainEigenRows(a: ArrayLike<number>, n: number): { values: Float64Array; rows: Float64Array } {
  const work = Float64Array.from(a);
  const d = new Float64Array(n);
  const e = new Float64Array(n);
  const tau = new Float64Array(n);
  for (let i = n - 1; i > 0; i--) {
    d[i] = work[i * n + i];
    const reflector = reflectInPlace(work, i * n, i, 1, i - 1);
    e[i - 1] = reflector.beta;
    tau[i] = reflector.tau;
    if (reflector.tau !== 0) reflectBothSides(work, n, i, reflector.tau);
  }
  if (n > 0) d[0] = work[0];
  const rows = new Float64Array(n * n);
  for (let k = 0; k < n; k++) rows[k * n + k] = 1;
  implicitQlInPlace(d, e, rows, n);
  // A = (H_{n−1} … H₁) T (…)ᵀ: the eigenvectors of T go through H₁ first.
  for (let i = 1; i < n; i++) {
    for (let k = 0; k < n; k++) reflectRow(rows, k * n, work, i * n, i, tau[i]);
  }
  return { values: d, rows };
}

/** Leading i × i block := H A H, lower triangle; v is in row i. With p = τAv, w = p − ½τ(pᵀv)v: A −= vwᵀ + wvᵀ. */
function reflectBothSides(work: Float64Array, n: number, i: number, tau: number): void {
  const v = work.subarray(i * n, i * n + i);
  const w = new Float64Array(i);
  for (let r = 0; r < i; r++) {
    const row = r * n;
    let sum = work[row + r] * v[r];
    for (let c = 0; c < r; c++) {
      sum += work[row + c] * v[c];
      w[c] += work[row + c] * v[r];
    }
    w[r] += sum;
  }
  let dot = 0;
  for (let k = 0; k < i; k++) dot += w[k] * v[k];
  for (let k = 0; k < i; k++) w[k] = tau * (w[k] - 0.5 * tau * dot * v[k]);
  for (let r = 0; r < i; r++) {
    const row = r * n;
    for (let c = 0; c <= r; c++) work[row + c] -= v[r] * w[c] + w[r] * v[c];
  }
}

function reflectRow(rows: Float64Array, at: number, v: Float64Array, vAt: number, length: number, tau: number): void {
  let dot = 0;
  for (let k = 0; k < length; k++) dot += v[vAt + k] * rows[at + k];
  dot *= tau;
  for (let k = 0; k < length; k++) rows[at + k] -= dot * v[vAt + k];
}
