/**
 * The gradients m = exp(Σ β_e ω_e)(I + Σ β_e Ŝ_e) that a blend of examples asks of every proxy, and their derivatives
 * [J ω_e]× m + R Ŝ_e, where J is the left Jacobian of the exponential map.
 *
 * shapes (p × 9 runs of `width` f64: ω as x, y, z and Ŝ as xx, xy, xz, yy, yz, zz of every example, the first number of a
 * run zero), beta (width f64 for all, or `width` for each proxy where `each` is not 0), turns (9 f64 for each proxy,
 * row-major, or 0): a rotation Q that is applied last, m ← Q m; out (3p rows of `stride`): number r · step of row 3p + c is
 * element (r, c) of m − I. With derivatives, step is width, and number r · width + e + 1 is the derivative by β_e; without,
 * step is 1.
 */
import { alongBlend } from './along-blend';

export function poseShapes(
  p: i32, shapes: usize, width: i32, beta: usize, each: i32, turns: usize, derivatives: i32, out: usize, stride: i32,
): void {
  const run = <usize>width << 3;
  const row = <usize>stride << 3;
  const step: usize = derivatives !== 0 ? run : 8;
  const further: usize = each !== 0 ? run : 0;
  for (let k = 0; k < p; k++, shapes += 9 * run, out += 3 * row, beta += further) {
    const wx = alongBlend(shapes, beta, run);
    const wy = alongBlend(shapes + run, beta, run);
    const wz = alongBlend(shapes + 2 * run, beta, run);
    const xx = 1 + alongBlend(shapes + 3 * run, beta, run), xy = alongBlend(shapes + 4 * run, beta, run);
    const xz = alongBlend(shapes + 5 * run, beta, run), yy = 1 + alongBlend(shapes + 6 * run, beta, run);
    const yz = alongBlend(shapes + 7 * run, beta, run), zz = 1 + alongBlend(shapes + 8 * run, beta, run);

    const squared = wx * wx + wy * wy + wz * wz;
    const angle = Math.sqrt(squared);
    // Below this angle the coefficients are taken from their series.
    let a = 1 - squared / 6, b = 0.5 - squared / 24, c = 1.0 / 6 - squared / 120;
    if (angle > 1e-4) {
      a = Math.sin(angle) / angle;
      const half = Math.sin(0.5 * angle);
      b = (2 * half * half) / squared;
      c = (1 - a) / squared;
    }
    // R = I + a [ω]× + b [ω]×², J = I + b [ω]× + c [ω]×²; [ω]×² = ωωᵀ − θ²I.
    let r00 = 1 + b * (wx * wx - squared), r01 = b * wx * wy - a * wz, r02 = b * wx * wz + a * wy;
    let r10 = b * wx * wy + a * wz, r11 = 1 + b * (wy * wy - squared), r12 = b * wy * wz - a * wx;
    let r20 = b * wx * wz - a * wy, r21 = b * wy * wz + a * wx, r22 = 1 + b * (wz * wz - squared);
    let k00 = 1 + c * (wx * wx - squared), k01 = c * wx * wy - b * wz, k02 = c * wx * wz + b * wy;
    let k10 = c * wx * wy + b * wz, k11 = 1 + c * (wy * wy - squared), k12 = c * wy * wz - b * wx;
    let k20 = c * wx * wz - b * wy, k21 = c * wy * wz + b * wx, k22 = 1 + c * (wz * wz - squared);
    if (turns !== 0) {
      // Q m and its derivatives have the same form, with Q R in place of R and Q J in place of J.
      const q0 = load<f64>(turns), q1 = load<f64>(turns, 8), q2 = load<f64>(turns, 16);
      const q3 = load<f64>(turns, 24), q4 = load<f64>(turns, 32), q5 = load<f64>(turns, 40);
      const q6 = load<f64>(turns, 48), q7 = load<f64>(turns, 56), q8 = load<f64>(turns, 64);
      let x = r00, y = r10, z = r20;
      r00 = q0 * x + q1 * y + q2 * z; r10 = q3 * x + q4 * y + q5 * z; r20 = q6 * x + q7 * y + q8 * z;
      x = r01; y = r11; z = r21;
      r01 = q0 * x + q1 * y + q2 * z; r11 = q3 * x + q4 * y + q5 * z; r21 = q6 * x + q7 * y + q8 * z;
      x = r02; y = r12; z = r22;
      r02 = q0 * x + q1 * y + q2 * z; r12 = q3 * x + q4 * y + q5 * z; r22 = q6 * x + q7 * y + q8 * z;
      x = k00; y = k10; z = k20;
      k00 = q0 * x + q1 * y + q2 * z; k10 = q3 * x + q4 * y + q5 * z; k20 = q6 * x + q7 * y + q8 * z;
      x = k01; y = k11; z = k21;
      k01 = q0 * x + q1 * y + q2 * z; k11 = q3 * x + q4 * y + q5 * z; k21 = q6 * x + q7 * y + q8 * z;
      x = k02; y = k12; z = k22;
      k02 = q0 * x + q1 * y + q2 * z; k12 = q3 * x + q4 * y + q5 * z; k22 = q6 * x + q7 * y + q8 * z;
      turns += 72;
    }
    const m00 = r00 * xx + r01 * xy + r02 * xz, m01 = r00 * xy + r01 * yy + r02 * yz, m02 = r00 * xz + r01 * yz + r02 * zz;
    const m10 = r10 * xx + r11 * xy + r12 * xz, m11 = r10 * xy + r11 * yy + r12 * yz, m12 = r10 * xz + r11 * yz + r12 * zz;
    const m20 = r20 * xx + r21 * xy + r22 * xz, m21 = r20 * xy + r21 * yy + r22 * yz, m22 = r20 * xz + r21 * yz + r22 * zz;

    if (derivatives !== 0) {
      const j00 = f64x2.splat(k00), j01 = f64x2.splat(k01), j02 = f64x2.splat(k02);
      const j10 = f64x2.splat(k10), j11 = f64x2.splat(k11), j12 = f64x2.splat(k12);
      const j20 = f64x2.splat(k20), j21 = f64x2.splat(k21), j22 = f64x2.splat(k22);
      for (let e: usize = 0; e < run; e += 16) {
        const at = shapes + e;
        const lx = v128.load(at), ly = v128.load(at + run), lz = v128.load(at + 2 * run);
        const ax = dot3(j00, lx, j01, ly, j02, lz);
        const ay = dot3(j10, lx, j11, ly, j12, lz);
        const az = dot3(j20, lx, j21, ly, j22, lz);
        const sxx = v128.load(at + 3 * run), sxy = v128.load(at + 4 * run), sxz = v128.load(at + 5 * run);
        const syy = v128.load(at + 6 * run), syz = v128.load(at + 7 * run), szz = v128.load(at + 8 * run);
        storeColumn(out + e, run, ax, ay, az, m00, m10, m20, r00, r01, r02, r10, r11, r12, r20, r21, r22, sxx, sxy, sxz);
        storeColumn(out + row + e, run, ax, ay, az, m01, m11, m21, r00, r01, r02, r10, r11, r12, r20, r21, r22, sxy, syy, syz);
        storeColumn(out + 2 * row + e, run, ax, ay, az, m02, m12, m22, r00, r01, r02, r10, r11, r12, r20, r21, r22, sxz, syz, szz);
      }
    }
    storeThree(out, step, m00 - 1, m10, m20);
    storeThree(out + row, step, m01, m11 - 1, m21);
    storeThree(out + 2 * row, step, m02, m12, m22 - 1);
  }
}

/** One column of [a]× m + R Ŝ: of m and Ŝ the column, of R all. */
// @ts-ignore: decorator
@inline
function storeColumn(
  to: usize, run: usize, ax: v128, ay: v128, az: v128, m0: f64, m1: f64, m2: f64, r00: f64, r01: f64, r02: f64,
  r10: f64, r11: f64, r12: f64, r20: f64, r21: f64, r22: f64, s0: v128, s1: v128, s2: v128,
): void {
  const x = f64x2.splat(m0), y = f64x2.splat(m1), z = f64x2.splat(m2);
  v128.store(to, f64x2.add(f64x2.sub(f64x2.mul(ay, z), f64x2.mul(az, y)), turned(r00, s0, r01, s1, r02, s2)));
  v128.store(to + run, f64x2.add(f64x2.sub(f64x2.mul(az, x), f64x2.mul(ax, z)), turned(r10, s0, r11, s1, r12, s2)));
  v128.store(to + 2 * run, f64x2.add(f64x2.sub(f64x2.mul(ax, y), f64x2.mul(ay, x)), turned(r20, s0, r21, s1, r22, s2)));
}

// @ts-ignore: decorator
@inline
function turned(a: f64, x: v128, b: f64, y: v128, c: f64, z: v128): v128 {
  return dot3(f64x2.splat(a), x, f64x2.splat(b), y, f64x2.splat(c), z);
}

// @ts-ignore: decorator
@inline
function dot3(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 {
  return f64x2.add(f64x2.mul(a, x), f64x2.add(f64x2.mul(b, y), f64x2.mul(c, z)));
}

// @ts-ignore: decorator
@inline
function storeThree(to: usize, step: usize, x: f64, y: f64, z: f64): void {
  store<f64>(to, x);
  store<f64>(to + step, y);
  store<f64>(to + 2 * step, z);
}
