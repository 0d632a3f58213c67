/**
 * A = U diag(s) Vᵀ for 3 × 3 matrices, with U and V proper rotations and s₀ ≥ s₁ ≥ |s₂|; s₂ has the sign of det A.
 *
 * The twin of assembly/small/singular-values.ts, bit for bit: one-sided Jacobi on the columns of A, which keeps the
 * digits of small singular values. Where s₁ is negligible U and V share the axis perpendicular to u₀ and v₀, so that
 * V Uᵀ is the shortest rotation from u₀ to v₀; zero gives U = V = I; an entry that is not finite gives NaN everywhere.
 *
 * Reference: Hestenes. Inversion of matrices by biorthogonalization and related results. 1958.
 */
import { exponentOf } from '../elementary/exponential.ts';

/** Below this fraction of s₀ a singular value is rounding noise. */
const NEGLIGIBLE = 2 ** -44;
/** Cosine between two columns below which they count as orthogonal. */
const ORTHOGONAL = 2 ** -52;
/** Sweeps of three rotations; four to six are usual. */
const MAX_SWEEPS = 16;
/** Sine below which two unit vectors count as parallel: their cross product is noise. */
const PARALLEL = 1e-14;

/** Largest entries between these need no scaling: their sixth powers neither vanish nor overflow. */
const SMALL = 2 ** -128;
const LARGE = 2 ** 128;

/** Pairs of columns in the order in which they are rotated. */
const FIRST = [0, 1, 2];
const SECOND = [1, 2, 0];

/**
 * The singular value decomposition A = U diag(s) Vᵀ of a 3 × 3 matrix, with proper rotations U and V; the last singular
 * value has the sign of the determinant.
 *
 * @param a   3 × 3 row-major, from index `at`
 * @param u   9, row-major; overwritten; may not alias `a`
 * @param s   3
 * @param v   9, row-major
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function svd3(a: ArrayLike<number>, at: number, u: Float64Array, s: Float64Array, v: Float64Array): void {
  const scale = safeScale(a, at);
  if (!(scale > 0)) {
    const one = scale === 0 ? 1 : Number.NaN;
    for (let k = 0; k < 9; k++) u[k] = v[k] = k % 4 === 0 ? one : one - one;
    s.fill(one - one, 0, 3);
    return;
  }
  // U holds G = AV until its columns are orthogonal.
  for (let k = 0; k < 9; k++) {
    u[k] = a[at + k] * scale;
    v[k] = k % 4 === 0 ? 1 : 0;
  }
  orthogonalizeColumns(u, v);
  for (let k = 0; k < 3; k++) s[k] = Math.sqrt(u[k] * u[k] + u[3 + k] * u[3 + k] + u[6 + k] * u[6 + k]);
  if (s[0] < s[1]) exchangeColumns(0, 1, u, s, v);
  if (s[1] < s[2]) exchangeColumns(1, 2, u, s, v);
  if (s[0] < s[1]) exchangeColumns(0, 1, u, s, v);

  for (let k = 0; k < 9; k += 3) u[k] /= s[0];
  if (s[1] <= NEGLIGIBLE * s[0]) {
    setCommonAxis(u, v);
    s[0] /= scale;
    s[1] = s[2] = 0;
    setCrossProduct(u);
    setCrossProduct(v);
    return;
  }
  // The columns are orthogonal to rounding of the longer one; the shorter needs it of its own.
  const along = u[0] * u[1] + u[3] * u[4] + u[6] * u[7];
  for (let k = 0; k < 9; k += 3) u[k + 1] -= along * u[k];
  const inverse = 1 / Math.sqrt(u[1] * u[1] + u[4] * u[4] + u[7] * u[7]);
  for (let k = 0; k < 9; k += 3) u[k + 1] *= inverse;
  const third = [u[2], u[5], u[8]];
  setCrossProduct(u);
  setCrossProduct(v);
  const sign = third[0] * u[2] + third[1] * u[5] + third[2] * u[8] < 0 ? -1 : 1;
  s[0] /= scale;
  s[1] /= scale;
  s[2] = (sign * s[2]) / scale;
}

/**
 * 1 where powers of the nine entries stay in range, else the power of two that brings the largest of them to about 1, so
 * that scaling is exact; 0 for the zero matrix, NaN where an entry is not finite.
 */
export function safeScale(a: ArrayLike<number>, at: number): number {
  let largest = 0;
  for (let k = at; k < at + 9; k++) largest = Math.max(largest, Math.abs(a[k]));
  if (largest > SMALL && largest < LARGE) return 1;
  if (largest === 0) return 0;
  if (!(largest < Number.POSITIVE_INFINITY)) return Number.NaN;
  return 2 ** -Math.min(Math.max(exponentOf(largest), -1022), 1022);
}

function orthogonalizeColumns(g: Float64Array, v: Float64Array): void {
  let still = 0;
  for (let turn = 0; turn < 3 * MAX_SWEEPS && (still < 3 || turn % 3 !== 0); turn++) {
    const p = FIRST[turn % 3];
    const q = SECOND[turn % 3];
    const alpha = g[p] * g[p] + g[3 + p] * g[3 + p] + g[6 + p] * g[6 + p];
    const beta = g[q] * g[q] + g[3 + q] * g[3 + q] + g[6 + q] * g[6 + q];
    const gamma = g[p] * g[q] + g[3 + p] * g[3 + q] + g[6 + p] * g[6 + q];
    if (gamma * gamma <= ORTHOGONAL * ORTHOGONAL * alpha * beta) {
      still++;
      continue;
    }
    still = 0;
    const zeta = (beta - alpha) / (2 * gamma);
    const size = 1 / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
    const tangent = zeta < 0 || Object.is(zeta, -0) ? -size : size;
    const c = 1 / Math.sqrt(1 + tangent * tangent);
    const s = c * tangent;
    for (let k = 0; k < 9; k += 3) {
      const x = g[k + p];
      g[k + p] = c * x - s * g[k + q];
      g[k + q] = s * x + c * g[k + q];
      const y = v[k + p];
      v[k + p] = c * y - s * v[k + q];
      v[k + q] = s * y + c * v[k + q];
    }
  }
}

/** An exchange negates one column, so that V stays a proper rotation. */
function exchangeColumns(p: number, q: number, g: Float64Array, s: Float64Array, v: Float64Array): void {
  const length = s[p];
  s[p] = s[q];
  s[q] = length;
  for (const m of [g, v]) {
    for (let k = 0; k < 9; k += 3) {
      const x = m[k + p];
      m[k + p] = m[k + q];
      m[k + q] = -x;
    }
  }
}

/** Second column of both := a unit vector perpendicular to both first columns, along v₀ × u₀ where that is not noise. */
function setCommonAxis(u: Float64Array, v: Float64Array): void {
  let x = v[3] * u[6] - v[6] * u[3];
  let y = v[6] * u[0] - v[0] * u[6];
  let z = v[0] * u[3] - v[3] * u[0];
  if (x * x + y * y + z * z < PARALLEL * PARALLEL) {
    // The coordinate axis that is farthest from v₀; the projection below makes it perpendicular.
    const [ax, ay, az] = [Math.abs(v[0]), Math.abs(v[3]), Math.abs(v[6])];
    x = ax <= ay && ax <= az ? 1 : 0;
    y = x === 0 && ay <= az ? 1 : 0;
    z = x === 0 && y === 0 ? 1 : 0;
  }
  // The longer of u₀ ± v₀ lies in their plane and is exact; being perpendicular to it is being perpendicular to both.
  const side = u[0] * v[0] + u[3] * v[3] + u[6] * v[6] < 0 ? -1 : 1;
  const dx = v[0] + side * u[0];
  const dy = v[3] + side * u[3];
  const dz = v[6] + side * u[6];
  const along = (x * dx + y * dy + z * dz) / (dx * dx + dy * dy + dz * dz);
  x -= along * dx;
  y -= along * dy;
  z -= along * dz;
  const inverse = 1 / Math.sqrt(x * x + y * y + z * z);
  u[1] = v[1] = x * inverse;
  u[4] = v[4] = y * inverse;
  u[7] = v[7] = z * inverse;
}

/** Third column := first × second. */
function setCrossProduct(m: Float64Array): void {
  m[2] = m[3] * m[7] - m[6] * m[4];
  m[5] = m[6] * m[1] - m[0] * m[7];
  m[8] = m[0] * m[4] - m[3] * m[1];
}
