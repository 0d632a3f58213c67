/**
 * The heart of divide and conquer: the roots of the secular equation and the vectors that belong to them.
 *
 *   f(λ) = 1/ρ + Σᵢ zᵢ²/(dᵢ − λ) = 0,   d₀ < d₁ < … , one root in each (dⱼ, dⱼ₊₁) and one above the last pole.
 *
 * A root is kept as its distance x to the nearest pole; all dᵢ − λⱼ then have nearly full relative accuracy. Each step
 * replaces the sums over the poles left and right of the root by one pole each, with the same value and slope, and solves
 * the quadratic that remains; a bracket guards it.
 *
 * The roots are the exact ones of a problem with slightly different zᵢ (Löwner's formula); vectors formed from those
 * are orthogonal to working accuracy without any further care.
 *
 * References: Bunch, Nielsen, Sorensen. Rank-one modification of the symmetric eigenproblem. 1978. Li. Solving secular
 * equations stably and efficiently. 1993 (the middle way). Gu, Eisenstat. A stable and efficient algorithm for the
 * rank-one modification of the symmetric eigenproblem. 1994 (equation 3.3).
 */
import { SecularRoots, SecularVectors, SecularWeights } from '../generated/dense';

const EPSILON: f64 = 2.220446049250313e-16;
/** Five are usual; bisection alone would need some hundred. */
const MAX_ITERATIONS: i32 = 200;

// Sums of the last evaluation: over the poles up to `split` and beyond it, with their slopes. Globals belong to one
// instance, hence to one thread.
let lowSum: f64 = 0, lowSlope: f64 = 0, highSum: f64 = 0, highSlope: f64 = 0;

// @ts-ignore: decorator
@inline
function at(base: usize, i: i32): f64 {
  return load<f64>(base + (<usize>i << 3));
}

/**
 * Items are roots. Row j of the table becomes dᵢ − λⱼ.
 * Arguments: k, d (ascending), z², 1/ρ, table (f64 k × k), origins (f64 k), shifts (f64 k):
 * λⱼ = d of pole origins[j], plus shifts[j].
 */
export function secularRoots(begin: i32, end: i32, args: SecularRoots, scratch: usize): void {
  const k = args.k;
  const d = args.poles;
  const z2 = args.squares;
  const inverseRho = args.inverseRho;
  const table = args.table;
  const origins = args.origins;
  const shifts = args.shifts;
  for (let j = begin; j < end; j++) {
    const row = table + (<usize>j * k << 3);
    const origin = chooseOrigin(j, k, d, z2, inverseRho, row);
    const x = findRoot(j, origin, k, d, z2, inverseRho, row);
    for (let i: usize = 0; i < <usize>k << 3; i += 8) store<f64>(row + i, load<f64>(row + i) - x);
    store<f64>(origins + (<usize>j << 3), <f64>origin);
    store<f64>(shifts + (<usize>j << 3), x);
  }
}

function fillDifferences(origin: i32, k: i32, d: usize, row: usize): void {
  for (let i = 0; i < k; i++) store<f64>(row + (<usize>i << 3), (at(d, i) - at(d, origin)));
}

/** Width of the interval that holds root j, from its lower pole. */
function intervalWidth(j: i32, k: i32, d: usize, z2: usize, inverseRho: f64): f64 {
  if (j < k - 1) return (at(d, j + 1) - at(d, j));
  let sum: f64 = 0;
  for (let i = 0; i < k; i++) sum += at(z2, i);
  return sum / inverseRho;
}

/** The pole nearer to root j, decided by the sign of f in the middle; leaves the row relative to it. */
function chooseOrigin(j: i32, k: i32, d: usize, z2: usize, inverseRho: f64, row: usize): i32 {
  fillDifferences(j, k, d, row);
  if (j == k - 1) return j;
  const middle = 0.5 * intervalWidth(j, k, d, z2, inverseRho);
  evaluate(k, j, z2, row, middle);
  if (inverseRho + lowSum + highSum >= 0) return j;
  fillDifferences(j + 1, k, d, row);
  return j + 1;
}

function findRoot(
  j: i32, origin: i32, k: i32, d: usize, z2: usize, inverseRho: f64, row: usize,
): f64 {
  const width = intervalWidth(j, k, d, z2, inverseRho);
  // The only pole: −z²/x = −1/ρ.
  if (k == 1) return width;
  const last = j == k - 1;
  let low: f64 = origin == j ? 0 : -0.5 * width;
  let high: f64 = origin != j ? 0 : last ? width : 0.5 * width;
  const split = last ? j - 1 : j;
  let x = firstGuess(split, low, high, k, z2, inverseRho, row);
  for (let turn = 0; turn < MAX_ITERATIONS; turn++) {
    evaluate(k, split, z2, row, x);
    const f = inverseRho + lowSum + highSum;
    if (abs(f) <= EPSILON * (inverseRho + abs(lowSum) + abs(highSum))) break;
    if (f < 0) low = x;
    else high = x;
    const p = at(row, split) - x;
    const q = at(row, split + 1) - x;
    const c = f - p * lowSlope - q * highSlope;
    const a = (p + q) * f - p * q * (lowSlope + highSlope);
    const step = quadraticRoot(c, a, p * q * f, low - x, high - x);
    let next = x + step;
    // NaN, too, ends here.
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == x || next == low || next == high) break;
    const moved = abs(next - x);
    x = next;
    if (moved <= 0.5 * EPSILON * abs(x)) break;
  }
  return x;
}

/** The root when the poles but the two nearest are taken as a constant: their sum at the middle of the bracket. */
function firstGuess(split: i32, low: f64, high: f64, k: i32, z2: usize, inverseRho: f64, row: usize): f64 {
  const middle = 0.5 * (low + high);
  evaluate(k, split, z2, row, middle);
  const p = at(row, split), q = at(row, split + 1);
  const zp = at(z2, split), zq = at(z2, split + 1);
  const c = inverseRho + lowSum + highSum - zp / (p - middle) - zq / (q - middle);
  // c (p − x)(q − x) + zₚ (q − x) + z_q (p − x) = 0
  const guess = quadraticRoot(c, c * (p + q) + zp + zq, c * p * q + zp * q + zq * p, low, high);
  return guess > low && guess < high ? guess : middle;
}

/** The root of c x² − a x + b that lies between low and high, NaN where none does. */
function quadraticRoot(c: f64, a: f64, b: f64, low: f64, high: f64): f64 {
  const half = 0.5 * (a + copysign<f64>(sqrt(max(a * a - 4 * b * c, 0)), a));
  const first = b / half;
  if (first > low && first < high) return first;
  const second = half / c;
  return second > low && second < high ? second : NaN;
}

function evaluate(k: i32, split: i32, z2: usize, row: usize, x: f64): void {
  sumPoles(0, split + 1, z2, row, x);
  lowSum = highSum;
  lowSlope = highSlope;
  sumPoles(split + 1, k, z2, row, x);
}

function sumPoles(first: i32, end: i32, z2: usize, row: usize, x: f64): void {
  const shift = f64x2.splat(x);
  const one = f64x2.splat(1);
  let sum = f64x2.splat(0), slope = sum;
  let i = <usize>first << 3;
  const stop = <usize>end << 3;
  for (; i + 16 <= stop; i += 16) {
    const inverse = f64x2.div(one, f64x2.sub(v128.load(row + i), shift));
    const term = f64x2.mul(v128.load(z2 + i), inverse);
    sum = f64x2.add(sum, term);
    slope = f64x2.add(slope, f64x2.mul(term, inverse));
  }
  highSum = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  highSlope = f64x2.extract_lane(slope, 0) + f64x2.extract_lane(slope, 1);
  if (i < stop) {
    const inverse = 1 / (load<f64>(row + i) - x);
    const term = load<f64>(z2 + i) * inverse;
    highSum += term;
    highSlope += term * inverse;
  }
}

/**
 * The weights for which the roots are exact (Löwner), with the signs of the given ones:
 *
 *   ẑᵢ² = (1/ρ) Πⱼ (λⱼ − dᵢ) / Π_{j≠i} (dⱼ − dᵢ).
 *
 * Each factor is paired with a neighbour of its size, so that nothing overflows. Items are poles.
 * Arguments: k, d, z, 1/ρ, table, ẑ (f64 k)
 */
export function secularWeights(begin: i32, end: i32, args: SecularWeights, scratch: usize): void {
  const k = args.k;
  const d = args.poles;
  const z = args.weights;
  const inverseRho = args.inverseRho;
  const table = args.table;
  const out = args.out;
  const lastRow = table + (<usize>(k - 1) * k << 3);
  for (let i = begin; i < end; i++) store<f64>(out + (<usize>i << 3), -at(lastRow, i) * inverseRho);
  for (let j = 0; j < k - 1; j++) {
    const row = table + (<usize>j * k << 3);
    for (let i = begin; i < end; i++) {
      const pole = j < i ? j : j + 1;
      const to = out + (<usize>i << 3);
      store<f64>(to, load<f64>(to) * (-at(row, i) / (at(d, pole) - at(d, i))));
    }
  }
  for (let i = begin; i < end; i++) {
    const to = out + (<usize>i << 3);
    store<f64>(to, copysign<f64>(sqrt(abs(load<f64>(to))), at(z, i)));
  }
}

/** Row j of the table becomes the unit vector with entries ẑᵢ/(dᵢ − λⱼ). Items are roots. Arguments: k, ẑ, table */
export function secularVectors(begin: i32, end: i32, args: SecularVectors, scratch: usize): void {
  const k = args.k;
  const z = args.weights;
  const table = args.table;
  for (let j = begin; j < end; j++) {
    const row = table + (<usize>j * k << 3);
    let squares: f64 = 0;
    for (let i: usize = 0; i < <usize>k << 3; i += 8) {
      const value = load<f64>(z + i) / load<f64>(row + i);
      store<f64>(row + i, value);
      squares += value * value;
    }
    scaleRow(row, k, 1 / sqrt(squares));
  }
}

function scaleRow(row: usize, k: i32, factor: f64): void {
  for (let i: usize = 0; i < <usize>k << 3; i += 8) store<f64>(row + i, factor * load<f64>(row + i));
}
