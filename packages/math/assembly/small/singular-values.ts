/**
 * A = U diag(s) Vᵀ for 3 × 3 matrices, with U and V proper rotations and s₀ ≥ s₁ ≥ |s₂|; s₂ has the sign of det A.
 *
 * One-sided Jacobi: plane rotations V make the columns of G = AV orthogonal, their lengths are the singular values. It
 * never forms AᵀA, so small singular values keep their digits, and it is exact on diagonal input. The columns change
 * places cyclically after each rotation (an even permutation), so that one loop body serves all three pairs.
 *
 * Where s₁ is negligible the second direction is noise; U and V then share the axis perpendicular to u₀ and v₀, which
 * makes V Uᵀ the shortest rotation from u₀ to v₀. The zero matrix gives U = V = I.
 *
 * Reference: Hestenes. Inversion of matrices by biorthogonalization and related results. 1958.
 */

/** Below this fraction of s₀ a singular value is rounding noise: 2⁻⁴⁴. */
const NEGLIGIBLE: f64 = 5.684341886080802e-14;
/** Cosine between two columns below which they count as orthogonal: 2⁻⁵². */
const ORTHOGONAL: f64 = 2.220446049250313e-16;
/** Sweeps of three rotations; four to six are usual. */
const MAX_SWEEPS: i32 = 16;
/** Sine below which two unit vectors count as parallel: their cross product is noise. */
const PARALLEL: f64 = 1e-14;
/** Largest entries between these need no scaling: their sixth powers neither vanish nor overflow. 2^±128. */
const SMALL: f64 = 2.938735877055719e-39;
const LARGE: f64 = 3.402823669209385e38;

// The result of `decompose`. wasm globals belong to one instance, hence to one thread.
export let u00: f64 = 0, u01: f64 = 0, u02: f64 = 0;
export let u10: f64 = 0, u11: f64 = 0, u12: f64 = 0;
export let u20: f64 = 0, u21: f64 = 0, u22: f64 = 0;
export let v00: f64 = 0, v01: f64 = 0, v02: f64 = 0;
export let v10: f64 = 0, v11: f64 = 0, v12: f64 = 0;
export let v20: f64 = 0, v21: f64 = 0, v22: f64 = 0;
export let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0;

/**
 * 1 where powers of the nine entries stay in range, else the power of two that brings the largest of them into [1, 2),
 * so that scaling is exact; 0 for the zero matrix, NaN where an entry is not finite. Subnormal input counts as 2⁻¹⁰²².
 */
export function safeScale(a: usize): f64 {
  let largest: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) largest = max(largest, abs(load<f64>(a + k)));
  if (largest > SMALL && largest < LARGE) return 1;
  if (largest == 0) return 0;
  if (!(largest < Infinity)) return NaN;
  const exponent = min(max(<i64>(reinterpret<u64>(largest) >> 52), 1), 2045);
  return reinterpret<f64>((2046 - exponent) << 52);
}

/** Decomposes the row-major matrix at `a` (f64 × 9) into the globals above. */
export function decompose(a: usize): void {
  const scale = safeScale(a);
  if (!(scale > 0)) {
    setTrivial(scale == 0 ? 1 : NaN);
    return;
  }
  let g00 = load<f64>(a) * scale, g01 = load<f64>(a, 8) * scale, g02 = load<f64>(a, 16) * scale;
  let g10 = load<f64>(a, 24) * scale, g11 = load<f64>(a, 32) * scale, g12 = load<f64>(a, 40) * scale;
  let g20 = load<f64>(a, 48) * scale, g21 = load<f64>(a, 56) * scale, g22 = load<f64>(a, 64) * scale;
  let w00: f64 = 1, w01: f64 = 0, w02: f64 = 0;
  let w10: f64 = 0, w11: f64 = 1, w12: f64 = 0;
  let w20: f64 = 0, w21: f64 = 0, w22: f64 = 1;
  let t: f64, still = 0;

  // Ends after whole sweeps only, with the columns in their places.
  for (let turn = 0; turn < 3 * MAX_SWEEPS && (still < 3 || turn % 3 != 0); turn++) {
    const alpha = g00 * g00 + g10 * g10 + g20 * g20;
    const beta = g01 * g01 + g11 * g11 + g21 * g21;
    const gamma = g00 * g01 + g10 * g11 + g20 * g21;
    if (gamma * gamma <= ORTHOGONAL * ORTHOGONAL * alpha * beta) still++;
    else {
      still = 0;
      const zeta = (beta - alpha) / (2 * gamma);
      const tangent = copysign<f64>(1 / (abs(zeta) + sqrt(1 + zeta * zeta)), zeta);
      const c = 1 / sqrt(1 + tangent * tangent);
      const s = c * tangent;
      t = g00; g00 = c * t - s * g01; g01 = s * t + c * g01;
      t = g10; g10 = c * t - s * g11; g11 = s * t + c * g11;
      t = g20; g20 = c * t - s * g21; g21 = s * t + c * g21;
      t = w00; w00 = c * t - s * w01; w01 = s * t + c * w01;
      t = w10; w10 = c * t - s * w11; w11 = s * t + c * w11;
      t = w20; w20 = c * t - s * w21; w21 = s * t + c * w21;
    }
    t = g00; g00 = g01; g01 = g02; g02 = t;
    t = g10; g10 = g11; g11 = g12; g12 = t;
    t = g20; g20 = g21; g21 = g22; g22 = t;
    t = w00; w00 = w01; w01 = w02; w02 = t;
    t = w10; w10 = w11; w11 = w12; w12 = t;
    t = w20; w20 = w21; w21 = w22; w22 = t;
  }

  // Longest column first. An exchange negates one column, so that W stays a proper rotation.
  let n0 = sqrt(g00 * g00 + g10 * g10 + g20 * g20);
  let n1 = sqrt(g01 * g01 + g11 * g11 + g21 * g21);
  let n2 = sqrt(g02 * g02 + g12 * g12 + g22 * g22);
  if (n0 < n1) {
    t = n0; n0 = n1; n1 = t;
    t = g00; g00 = g01; g01 = -t; t = g10; g10 = g11; g11 = -t; t = g20; g20 = g21; g21 = -t;
    t = w00; w00 = w01; w01 = -t; t = w10; w10 = w11; w11 = -t; t = w20; w20 = w21; w21 = -t;
  }
  if (n1 < n2) {
    t = n1; n1 = n2; n2 = t;
    t = g01; g01 = g02; g02 = -t; t = g11; g11 = g12; g12 = -t; t = g21; g21 = g22; g22 = -t;
    t = w01; w01 = w02; w02 = -t; t = w11; w11 = w12; w12 = -t; t = w21; w21 = w22; w22 = -t;
  }
  if (n0 < n1) {
    t = n0; n0 = n1; n1 = t;
    t = g00; g00 = g01; g01 = -t; t = g10; g10 = g11; g11 = -t; t = g20; g20 = g21; g21 = -t;
    t = w00; w00 = w01; w01 = -t; t = w10; w10 = w11; w11 = -t; t = w20; w20 = w21; w21 = -t;
  }

  u00 = g00 / n0; u10 = g10 / n0; u20 = g20 / n0;
  v00 = w00; v10 = w10; v20 = w20;
  s0 = n0 / scale;
  if (n1 <= NEGLIGIBLE * n0) {
    setCommonAxis();
    u01 = v01; u11 = v11; u21 = v21;
    s1 = 0;
  } else {
    v01 = w01; v11 = w11; v21 = w21;
    // The columns are orthogonal to rounding of the longer one; the shorter needs it of its own.
    t = u00 * g01 + u10 * g11 + u20 * g21;
    g01 -= t * u00; g11 -= t * u10; g21 -= t * u20;
    t = 1 / sqrt(g01 * g01 + g11 * g11 + g21 * g21);
    u01 = g01 * t; u11 = g11 * t; u21 = g21 * t;
    s1 = n1 / scale;
  }
  u02 = u10 * u21 - u20 * u11; u12 = u20 * u01 - u00 * u21; u22 = u00 * u11 - u10 * u01;
  v02 = v10 * v21 - v20 * v11; v12 = v20 * v01 - v00 * v21; v22 = v00 * v11 - v10 * v01;
  s2 = s1 == 0 ? 0 : copysign<f64>(n2, g02 * u02 + g12 * u12 + g22 * u22) / scale;
}

/** v₁ := a unit vector perpendicular to both u₀ and v₀, along v₀ × u₀ where that is not noise. */
function setCommonAxis(): void {
  let x = v10 * u20 - v20 * u10, y = v20 * u00 - v00 * u20, z = v00 * u10 - v10 * u00;
  if (x * x + y * y + z * z < PARALLEL * PARALLEL) {
    // The coordinate axis that is farthest from v₀; the projection below makes it perpendicular.
    const ax = abs(v00), ay = abs(v10), az = abs(v20);
    x = ax <= ay && ax <= az ? 1 : 0;
    y = x == 0 && ay <= az ? 1 : 0;
    z = x == 0 && y == 0 ? 1 : 0;
  }
  // The longer of u₀ ± v₀ lies in their plane and is exact; being perpendicular to it is being perpendicular to both.
  const side: f64 = u00 * v00 + u10 * v10 + u20 * v20 < 0 ? -1 : 1;
  const dx = v00 + side * u00, dy = v10 + side * u10, dz = v20 + side * u20;
  let along = (x * dx + y * dy + z * dz) / (dx * dx + dy * dy + dz * dz);
  x -= along * dx; y -= along * dy; z -= along * dz;
  along = 1 / sqrt(x * x + y * y + z * z);
  v01 = x * along; v11 = y * along; v21 = z * along;
}

function setTrivial(one: f64): void {
  const zero = one - one;
  u00 = one; u01 = zero; u02 = zero; u10 = zero; u11 = one; u12 = zero; u20 = zero; u21 = zero; u22 = one;
  v00 = one; v01 = zero; v02 = zero; v10 = zero; v11 = one; v12 = zero; v20 = zero; v21 = zero; v22 = one;
  s0 = zero; s1 = zero; s2 = zero;
}

/** A = U diag(s) Vᵀ: `a`, `u`, `v` are f64 × 9, row-major, `s` f64 × 3. Outputs may alias `a`. */
export function svd3(a: usize, u: usize, s: usize, v: usize): void {
  decompose(a);
  store<f64>(u, u00); store<f64>(u, u01, 8); store<f64>(u, u02, 16);
  store<f64>(u, u10, 24); store<f64>(u, u11, 32); store<f64>(u, u12, 40);
  store<f64>(u, u20, 48); store<f64>(u, u21, 56); store<f64>(u, u22, 64);
  store<f64>(s, s0); store<f64>(s, s1, 8); store<f64>(s, s2, 16);
  store<f64>(v, v00); store<f64>(v, v01, 8); store<f64>(v, v02, 16);
  store<f64>(v, v10, 24); store<f64>(v, v11, 32); store<f64>(v, v12, 40);
  store<f64>(v, v20, 48); store<f64>(v, v21, 56); store<f64>(v, v22, 64);
}
