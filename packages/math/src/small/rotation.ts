/**
 * The best rotation between two sets of points (Kabsch): from H = Σ w p̄ q̄ᵀ (3 × 3), the proper rotation R that
 * minimises Σ w ‖R p̄ − q̄‖², which is the one that maximises tr(R H): R = V diag(1, 1, det(V Uᵀ)) Uᵀ with H = U Σ Vᵀ.
 *
 * The twin of assembly/small/rotation.ts, bit for bit: Newton's iteration X ← (γX + X⁻ᵀ/γ)/2 for the polar factor where
 * det H is clearly positive, the SVD with proper U and V everywhere else (mirrored, flat, collinear, zero). A collinear
 * H gives the shortest rotation, zero the identity, an entry that is not finite NaN. On one thread as fast as the kernel
 * where Newton's iteration serves (0.2 µs in both), half as fast where the SVD does.
 *
 * References: Kabsch. A discussion of the solution for the best rotation to relate two sets of vectors. 1978.
 * Higham. Computing the polar decomposition, with applications. 1986 (Frobenius scaling).
 */
import { safeScale, svd3 } from './singular-values.ts';

/** Newton's iteration keeps its digits for det H above this fraction of ‖H‖³; below, the SVD is as good as it gets. */
const WELL_CONDITIONED = 1e-4;
/** Newton converges quadratically: after a squared step below this, half of it is the error. */
const LAST_STEP = 1e-17;
/** Squared step from which scaling has nothing to win. */
const NEARLY_ORTHOGONAL = 1e-2;
/** Six to eight iterations are usual. */
const MAX_ITERATIONS = 24;

/**
 * The best rotation between two sets of points (Kabsch): for H = Σ w p qᵀ, the proper rotation R that minimises Σ w ‖R
 * p − q‖².
 *
 * @param h    3 × 3 row-major, from index `at`
 * @param out  3 × 3 row-major, from index `outAt`; may alias `h`
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function properRotation(h: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  if (newtonPolar(h, at, out, outAt)) return;
  const u = new Float64Array(9);
  const s = new Float64Array(3);
  const v = new Float64Array(9);
  svd3(h, at, u, s, v);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      out[outAt + 3 * r + c] = v[3 * r] * u[3 * c] + v[3 * r + 1] * u[3 * c + 1] + v[3 * r + 2] * u[3 * c + 2];
    }
  }
}

/**
 * F = R S: the proper rotation R nearest to F and the symmetric stretch S = RᵀF. Where det F < 0 the smallest stretch is
 * negative; R is a rotation always.
 *
 * @param f         3 × 3 row-major, from index `at`
 * @param rotation  3 × 3 row-major, from index `rotationAt`; may not alias `f`
 * @param stretch   3 × 3 row-major, symmetric, from index `stretchAt`; may not alias the others
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function polarDecomposition(
  f: ArrayLike<number>,
  at: number,
  rotation: Float64Array,
  rotationAt: number,
  stretch: Float64Array,
  stretchAt: number,
): void {
  // R maximises tr(RᵀF) = tr(R Fᵀ): the rotation that properRotation finds for H = Fᵀ.
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) rotation[rotationAt + 3 * r + c] = f[at + 3 * c + r];
  }
  properRotation(rotation, rotationAt, rotation, rotationAt);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += rotation[rotationAt + 3 * k + r] * f[at + 3 * k + c];
      stretch[stretchAt + 3 * r + c] = sum;
    }
  }
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < r; c++) {
      const [lower, upper] = [stretchAt + 3 * r + c, stretchAt + 3 * c + r];
      stretch[lower] = stretch[upper] = 0.5 * (stretch[lower] + stretch[upper]);
    }
  }
}

/** Stores the transposed polar factor of H; false, with nothing stored, where H is not well-conditioned. */
function newtonPolar(h: ArrayLike<number>, at: number, out: Float64Array, outAt: number): boolean {
  const scale = safeScale(h, at);
  if (!(scale > 0)) return false;
  let a = h[at] * scale;
  let b = h[at + 1] * scale;
  let c = h[at + 2] * scale;
  let d = h[at + 3] * scale;
  let e = h[at + 4] * scale;
  let f = h[at + 5] * scale;
  let g = h[at + 6] * scale;
  let i = h[at + 7] * scale;
  let j = h[at + 8] * scale;
  let step = 1;
  for (let turn = 0; turn < MAX_ITERATIONS && step > LAST_STEP; turn++) {
    // The cofactors of X: X⁻ᵀ times the determinant.
    const ca = e * j - f * i;
    const cb = f * g - d * j;
    const cc = d * i - e * g;
    const cd = c * i - b * j;
    const ce = a * j - c * g;
    const cf = b * g - a * i;
    const cg = b * f - c * e;
    const ci = c * d - a * f;
    const cj = a * e - b * d;
    const determinant = a * ca + b * cb + c * cc;
    let gamma = 1;
    if (step > NEARLY_ORTHOGONAL) {
      const x = a * a + b * b + c * c + d * d + e * e + f * f + g * g + i * i + j * j;
      if (turn === 0 && !(determinant > WELL_CONDITIONED * x * Math.sqrt(x))) return false;
      const y = ca * ca + cb * cb + cc * cc + cd * cd + ce * ce + cf * cf + cg * cg + ci * ci + cj * cj;
      gamma = Math.sqrt(Math.sqrt(y / x) / determinant);
    }
    const p = 0.5 * gamma;
    const q = 0.5 / (gamma * determinant);
    const na = p * a + q * ca;
    const nb = p * b + q * cb;
    const nc = p * c + q * cc;
    const nd = p * d + q * cd;
    const ne = p * e + q * ce;
    const nf = p * f + q * cf;
    const ng = p * g + q * cg;
    const ni = p * i + q * ci;
    const nj = p * j + q * cj;
    if (turn > 0) {
      // The first step says more about the scale of H than about its shape.
      step =
        (na - a) * (na - a) +
        (nb - b) * (nb - b) +
        (nc - c) * (nc - c) +
        (nd - d) * (nd - d) +
        (ne - e) * (ne - e) +
        (nf - f) * (nf - f) +
        (ng - g) * (ng - g) +
        (ni - i) * (ni - i) +
        (nj - j) * (nj - j);
    }
    a = na;
    b = nb;
    c = nc;
    d = nd;
    e = ne;
    f = nf;
    g = ng;
    i = ni;
    j = nj;
  }
  out[outAt] = a;
  out[outAt + 1] = d;
  out[outAt + 2] = g;
  out[outAt + 3] = b;
  out[outAt + 4] = e;
  out[outAt + 5] = i;
  out[outAt + 6] = c;
  out[outAt + 7] = f;
  out[outAt + 8] = j;
  return true;
}
