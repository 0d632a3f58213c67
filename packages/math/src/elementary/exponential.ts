/**
 * Exponential, logarithm and cube root with the same bits on every engine, and the exponent of a number.
 *
 * Reference: Cody, Waite. Software Manual for the Elementary Functions. 1980: eˣ = 2ᵏ eʳ with |r| ≤ ln 2 / 2, and
 * ln x = k ln 2 + ln m with m about 1; what remains are short series.
 */

/** ln 2 in two parts, the first of 33 bits: its products with exponents are exact. */
const [LN2_HIGH, LN2_LOW] = [0.6931471804855391, 7.440617110012397e-11];
const [OVERFLOW, UNDERFLOW] = [709.79, -745.14];
const BIAS = 1023;
/** Takes the smallest numbers, whose leading bits are zero, to others. */
const [LIFT, LIFT_EXPONENT] = [2 ** 54, 54];

/** The bits of one number at a time. */
const bits = new DataView(new ArrayBuffer(8));

/**
 * Base e to a power, the same on every engine.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function exp(power: number): number {
  if (power > OVERFLOW) return Number.POSITIVE_INFINITY;
  if (power < UNDERFLOW) return 0;
  const k = Math.round(power * Math.LOG2E);
  const high = power - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const value = 1 + (r + (r * r * exponentialSeries(r) + (high - r - low)));
  // In two steps, for 2ᵏ may be no number where the result is one.
  const half = k >> 1;
  return value * powerOfTwo(half) * powerOfTwo(k - half);
}

/**
 * Natural logarithm, the same on every engine; NaN below 0.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let k = exponentOf(x);
  const half = k >> 1;
  let mantissa = x * powerOfTwo(-half) * powerOfTwo(half - k);
  if (mantissa > Math.SQRT2) {
    mantissa *= 0.5;
    k++;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  return k * LN2_HIGH + (2 * s + (s * logarithmSeries(s * s) + k * LN2_LOW));
}

/**
 * Cube root, the same on every engine.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function cbrt(x: number): number {
  const size = Math.abs(x);
  if (size === 0 || !Number.isFinite(size)) return x;
  const near = exp(log(size) / 3);
  const root = near - (near - size / (near * near)) / 3;
  return x < 0 ? -root : root;
}

/**
 * The largest whole k with 2ᵏ ≤ |x|, exactly; −∞ for 0, ∞ for ∞.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function exponentOf(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!Number.isFinite(x)) return Math.abs(x);
  bits.setFloat64(0, x);
  const stored = (bits.getUint16(0) >>> 4) & 0x7ff;
  return stored === 0 ? exponentOf(x * LIFT) - LIFT_EXPONENT : stored - BIAS;
}

/**
 * The smallest whole k with 2ᵏ ≥ |x|, exactly; −∞ for 0, ∞ for ∞.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function exponentAbove(x: number): number {
  const k = exponentOf(x);
  return Math.abs(x) > 2 ** k ? k + 1 : k;
}

/** 2ᵏ, k from −1022 to 1023 */
const POWERS = Float64Array.from({ length: 2046 }, (_, k) => 2 ** (k - 1022));

function powerOfTwo(k: number): number {
  return POWERS[k + 1022];
}

/** (eʳ − 1 − r) / r² */
function exponentialSeries(r: number): number {
  const last = 1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800 + r * (1 / 479001600 + r / 6227020800)));
  return (
    1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * (1 / 5040 + r * (1 / 40320 + r * last))))))
  );
}

/** ln((1 + s) / (1 − s)) / s − 2 over z = s² */
function logarithmSeries(z: number): number {
  const last = 2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21 + z * (2 / 23 + (z * 2) / 25))));
  return z * (2 / 3 + z * (2 / 5 + z * (2 / 7 + z * (2 / 9 + z * (2 / 11 + z * (2 / 13 + z * last))))));
}
