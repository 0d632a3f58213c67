import { GaussNewtonScratch } from '../generated/skeleton';
import { objective, residualMoments, subtractRows } from './residual-moments';

/**
 * One Gauss–Newton step over all bones of a frame: R_k ← exp[ω_k]× R_k with the 3m numbers ω that minimise the
 * linearised error. With a_ik = R_k c_ik the block of bones k, l of the normal matrix is Σ_i [a_ik]×ᵀ[a_il]× =
 * tr(N)I − Nᵀ, N = R_k C_kl R_lᵀ; the gradient of bone k is Σ_i a_ik × r_i, the axial vector of U_k R_kᵀ.
 *
 * A step that does not lower the objective is damped, and given up at last.
 */

/** Added to the normal matrix, relative to its mean diagonal; tried in this order. */
const DAMPING: StaticArray<f64> = [1e-10, 1e-4, 1e-1];

/** Takes the step in R and U; returns the objective after it, which is `value` where none was taken. */
export function turnAll(
  R: usize, C: usize, Y: usize, U: usize, m: i32, stride: usize, value: f64, scratch: usize,
): f64 {
  const size = 3 * m;
  const numbers = <i32>(stride >> 3);
  const trial = GaussNewtonScratch.trial(scratch, m, numbers);
  const trialU = GaussNewtonScratch.trialU(scratch, m, numbers);
  const A = GaussNewtonScratch.A(scratch, m, numbers);
  const diagonal = GaussNewtonScratch.diagonal(scratch, m, numbers);
  const gradient = GaussNewtonScratch.gradient(scratch, m, numbers);
  const step = GaussNewtonScratch.step(scratch, m, numbers);
  const Z = GaussNewtonScratch.Z(scratch, m, numbers);
  let trace: f64 = 0;
  for (let k = 0; k < m; k++) {
    const Rk = R + <usize>k * 72;
    // −Z = R_k C_k, all columns
    memory.fill(Z, 0, 3 * stride);
    subtractRows(Z, Rk, C + <usize>(3 * k) * stride, stride);
    for (let l = 0; l <= k; l++) fillBlock(A, k, l, Z, R + <usize>l * 72, stride);
    for (let row = 3 * k; row < 3 * k + 3; row++) {
      const entry = load<f64>(A + <usize>row * stride + (<usize>row << 3));
      store<f64>(diagonal + (<usize>row << 3), entry);
      trace += entry;
    }
    axial(U, Rk, k, stride, gradient + (<usize>(3 * k) << 3));
  }
  if (!(trace > 0)) return value;
  const mean = trace / <f64>size;
  for (let attempt = 0; attempt < DAMPING.length; attempt++) {
    factor(A, diagonal, DAMPING[attempt] * mean, size, stride);
    solve(A, gradient, step, size, stride);
    for (let k = 0; k < m; k++) turnBy(R + <usize>k * 72, step + (<usize>(3 * k) << 3), trial + <usize>k * 72);
    residualMoments(trial, C, Y, m, stride, trialU);
    const next = objective(trial, Y, trialU, m, stride);
    if (next < value) {
      memory.copy(R, trial, <usize>m * 72);
      memory.copy(U, trialU, 3 * stride);
      return next;
    }
  }
  return value;
}

/** tr(N)I − N into the upper triangle at rows l, columns k: the transpose of block k, l. */
function fillBlock(A: usize, k: i32, l: i32, Z: usize, Rl: usize, stride: usize): void {
  const column = <usize>(3 * l) << 3;
  let trace: f64 = 0;
  for (let d: usize = 0; d < 3; d++) {
    const z = Z + d * stride + column;
    const z0 = load<f64>(z), z1 = load<f64>(z, 8), z2 = load<f64>(z, 16);
    const out = A + (<usize>(3 * l) + d) * stride + (<usize>(3 * k) << 3);
    for (let e: usize = 0; e < 3; e++) {
      const row = Rl + e * 24;
      const n = -(z0 * load<f64>(row) + z1 * load<f64>(row, 8) + z2 * load<f64>(row, 16));
      store<f64>(out + (e << 3), -n);
      if (d == e) trace += n;
    }
  }
  for (let d: usize = 0; d < 3; d++) {
    const at = A + (<usize>(3 * l) + d) * stride + ((<usize>(3 * k) + d) << 3);
    store<f64>(at, load<f64>(at) + trace);
  }
}

/** The axial vector of U_k R_kᵀ */
function axial(U: usize, R: usize, k: i32, stride: usize, out: usize): void {
  const u = U + (<usize>(3 * k) << 3);
  store<f64>(out, dotRows(u, R, 2, 1, stride) - dotRows(u, R, 1, 2, stride));
  store<f64>(out, dotRows(u, R, 0, 2, stride) - dotRows(u, R, 2, 0, stride), 8);
  store<f64>(out, dotRows(u, R, 1, 0, stride) - dotRows(u, R, 0, 1, stride), 16);
}

/** Row d of U_k times row e of R_k */
// @ts-ignore: decorator
@inline
function dotRows(U: usize, R: usize, d: usize, e: usize, stride: usize): f64 {
  const u = U + d * stride;
  const r = R + e * 24;
  return load<f64>(u) * load<f64>(r) + load<f64>(u, 8) * load<f64>(r, 8) + load<f64>(u, 16) * load<f64>(r, 16);
}

/**
 * LLᵀ = A + damping·I, L into the lower triangle with its diagonal. A is read from the upper triangle and from
 * `diagonal`, so that it can be factored again with other damping.
 */
function factor(A: usize, diagonal: usize, damping: f64, size: i32, stride: usize): void {
  for (let r = 0; r < size; r++) {
    const row = A + <usize>r * stride;
    for (let c = 0; c < r; c++) {
      const other = A + <usize>c * stride;
      const sum = load<f64>(other + (<usize>r << 3)) - dot(row, other, c);
      store<f64>(row + (<usize>c << 3), sum / load<f64>(other + (<usize>c << 3)));
    }
    const pivot = load<f64>(diagonal + (<usize>r << 3)) + damping - dot(row, row, r);
    store<f64>(row + (<usize>r << 3), sqrt(max<f64>(pivot, damping)));
  }
}

function solve(A: usize, gradient: usize, x: usize, size: i32, stride: usize): void {
  for (let r = 0; r < size; r++) {
    const row = A + <usize>r * stride;
    const sum = load<f64>(gradient + (<usize>r << 3)) - dot(row, x, r);
    store<f64>(x + (<usize>r << 3), sum / load<f64>(row + (<usize>r << 3)));
  }
  for (let r = size - 1; r >= 0; r--) {
    const row = A + <usize>r * stride;
    const value = load<f64>(x + (<usize>r << 3)) / load<f64>(row + (<usize>r << 3));
    store<f64>(x + (<usize>r << 3), value);
    for (let c = 0; c < r; c++) {
      const at = x + (<usize>c << 3);
      store<f64>(at, load<f64>(at) - value * load<f64>(row + (<usize>c << 3)));
    }
  }
}

// @ts-ignore: decorator
@inline
function dot(a: usize, b: usize, count: i32): f64 {
  let sum = f64x2.splat(0);
  const even = <usize>(count & ~1) << 3;
  for (let k: usize = 0; k < even; k += 16) sum = f64x2.add(sum, f64x2.mul(v128.load(a + k), v128.load(b + k)));
  let total = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  if (count & 1) total += load<f64>(a + even) * load<f64>(b + even);
  return total;
}

/** out = Q R with Q the rotation of ω by Cayley's map: exp[ω]× to second order, and a rotation however long ω is. */
function turnBy(R: usize, omega: usize, out: usize): void {
  const a = 0.5 * load<f64>(omega), b = 0.5 * load<f64>(omega, 8), c = 0.5 * load<f64>(omega, 16);
  const s = 2 / (1 + a * a + b * b + c * c);
  const q00 = 1 - s * (b * b + c * c), q01 = s * (a * b - c), q02 = s * (a * c + b);
  const q10 = s * (a * b + c), q11 = 1 - s * (a * a + c * c), q12 = s * (b * c - a);
  const q20 = s * (a * c - b), q21 = s * (b * c + a), q22 = 1 - s * (a * a + b * b);
  for (let d: usize = 0; d < 24; d += 8) {
    const r0 = load<f64>(R + d), r1 = load<f64>(R + d, 24), r2 = load<f64>(R + d, 48);
    store<f64>(out + d, q00 * r0 + q01 * r1 + q02 * r2);
    store<f64>(out + d, q10 * r0 + q11 * r1 + q12 * r2, 24);
    store<f64>(out + d, q20 * r0 + q21 * r1 + q22 * r2, 48);
  }
}
