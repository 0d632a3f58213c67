/**
 * The best rotation between two sets of points (Kabsch): from H = Σ w p̄ q̄ᵀ (3 × 3), the proper rotation R that
 * minimises Σ w ‖R p̄ − q̄‖², which is the one that maximises tr(R H): R = V diag(1, 1, det(V Uᵀ)) Uᵀ with H = U Σ Vᵀ.
 *
 * Where det H is clearly positive, R is the transposed orthogonal polar factor of H, found by Newton's iteration
 * X ← (γX + X⁻ᵀ/γ)/2 in some six inverses. Everything else (mirrored, flat, collinear, zero) goes through the SVD, with
 * U and V proper, so that R = V Uᵀ holds without a case. A collinear H gives the shortest rotation, zero the identity,
 * an entry that is not finite NaN.
 *
 * References: Kabsch. A discussion of the solution for the best rotation to relate two sets of vectors. 1978.
 * Higham. Computing the polar decomposition, with applications. 1986 (Frobenius scaling).
 */
import { decompose, safeScale } from './singular-values';
import { u00, u01, u02, u10, u11, u12, u20, u21, u22 } from './singular-values';
import { v00, v01, v02, v10, v11, v12, v20, v21, v22 } from './singular-values';

export { svd3 } from './singular-values';

/** Newton's iteration keeps its digits for det H above this fraction of ‖H‖³; below, the SVD is as good as it gets. */
const WELL_CONDITIONED: f64 = 1e-4;
/** Newton converges quadratically: after a squared step below this, half of it is the error. */
const LAST_STEP: f64 = 1e-17;
/** Squared step from which scaling has nothing to win. */
const NEARLY_ORTHOGONAL: f64 = 1e-2;

/** `h` and `out` are f64 × 9, row-major; they may alias. */
export function properRotation(h: usize, out: usize): void {
  if (!newtonPolar(h, out)) {
    decompose(h);
    store<f64>(out, v00 * u00 + v01 * u01 + v02 * u02);
    store<f64>(out, v00 * u10 + v01 * u11 + v02 * u12, 8);
    store<f64>(out, v00 * u20 + v01 * u21 + v02 * u22, 16);
    store<f64>(out, v10 * u00 + v11 * u01 + v12 * u02, 24);
    store<f64>(out, v10 * u10 + v11 * u11 + v12 * u12, 32);
    store<f64>(out, v10 * u20 + v11 * u21 + v12 * u22, 40);
    store<f64>(out, v20 * u00 + v21 * u01 + v22 * u02, 48);
    store<f64>(out, v20 * u10 + v21 * u11 + v22 * u12, 56);
    store<f64>(out, v20 * u20 + v21 * u21 + v22 * u22, 64);
  }
}

/** Stores the transposed polar factor of H; false, with nothing stored, where H is not well-conditioned. */
function newtonPolar(h: usize, out: usize): bool {
  const scale = safeScale(h);
  if (!(scale > 0)) return false;
  let a = load<f64>(h) * scale, b = load<f64>(h, 8) * scale, c = load<f64>(h, 16) * scale;
  let d = load<f64>(h, 24) * scale, e = load<f64>(h, 32) * scale, f = load<f64>(h, 40) * scale;
  let g = load<f64>(h, 48) * scale, i = load<f64>(h, 56) * scale, j = load<f64>(h, 64) * scale;
  let step: f64 = 1;
  for (let turn = 0; turn < 24; turn++) {
    // The cofactors of X: X⁻ᵀ times the determinant.
    const ca = e * j - f * i, cb = f * g - d * j, cc = d * i - e * g;
    const cd = c * i - b * j, ce = a * j - c * g, cf = b * g - a * i;
    const cg = b * f - c * e, ci = c * d - a * f, cj = a * e - b * d;
    const determinant = a * ca + b * cb + c * cc;
    let gamma: f64 = 1;
    if (step > NEARLY_ORTHOGONAL) {
      const x = a * a + b * b + c * c + d * d + e * e + f * f + g * g + i * i + j * j;
      if (turn == 0 && !(determinant > WELL_CONDITIONED * x * sqrt(x))) return false;
      const y = ca * ca + cb * cb + cc * cc + cd * cd + ce * ce + cf * cf + cg * cg + ci * ci + cj * cj;
      gamma = sqrt(sqrt(y / x) / determinant);
    }
    const p = 0.5 * gamma;
    const q = 0.5 / (gamma * determinant);
    const na = p * a + q * ca, nb = p * b + q * cb, nc = p * c + q * cc;
    const nd = p * d + q * cd, ne = p * e + q * ce, nf = p * f + q * cf;
    const ng = p * g + q * cg, ni = p * i + q * ci, nj = p * j + q * cj;
    // The first step says more about the scale of H than about its shape.
    if (turn > 0) {
      step = (na - a) * (na - a) + (nb - b) * (nb - b) + (nc - c) * (nc - c)
        + (nd - d) * (nd - d) + (ne - e) * (ne - e) + (nf - f) * (nf - f)
        + (ng - g) * (ng - g) + (ni - i) * (ni - i) + (nj - j) * (nj - j);
    }
    a = na; b = nb; c = nc; d = nd; e = ne; f = nf; g = ng; i = ni; j = nj;
    if (step <= LAST_STEP) break;
  }
  store<f64>(out, a); store<f64>(out, d, 8); store<f64>(out, g, 16);
  store<f64>(out, b, 24); store<f64>(out, e, 32); store<f64>(out, i, 40);
  store<f64>(out, c, 48); store<f64>(out, f, 56); store<f64>(out, j, 64);
  return true;
}
