/**
 * Sine, cosine and tangent with the same bits on every engine. Those of `Math` differ in the last bits from one version
 * of an engine to the next, and a solver makes another file of it.
 *
 * Reference: Cody, Waite. Software Manual for the Elementary Functions. 1980: the angle is reduced to ±π/4 by three
 * parts of π/2; there Taylor's polynomials are exact to the last bit or two.
 */

const QUARTER = Math.PI / 4;
const TURN = 2 * Math.PI;
const PER_QUARTER_TURN = 2 / Math.PI;
/** π/2 in three parts, the first two of 33 bits: their products with numbers of turns below 2²⁰ are exact. */
const PART_1 = 1.5707963267341256;
const PART_2 = 6.077100506303966e-11;
const PART_3 = 2.0222662487959506e-21;
/** Larger angles lose digits: they are reduced by one part first. */
const LARGEST = 2 ** 20;

/**
 * Sine of an angle in radians, the same on every engine.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function sin(angle: number): number {
  if (Math.abs(angle) <= QUARTER) return angle + angle * sineSeries(angle * angle);
  return reduced(angle, 0);
}

/**
 * Cosine of an angle in radians, the same on every engine.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function cos(angle: number): number {
  return reduced(angle, 1);
}

/**
 * Tangent of an angle in radians, the same on every engine.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function tan(angle: number): number {
  return sin(angle) / cos(angle);
}

/** sin(angle + ahead · π/2) */
function reduced(angle: number, ahead: number): number {
  const near = Math.abs(angle) <= LARGEST ? angle : angle % TURN;
  const turns = Math.round(near * PER_QUARTER_TURN);
  const high = near - turns * PART_1;
  const low = turns * PART_2;
  const difference = high - low;
  const lost = high - difference - low - turns * PART_3;
  const rest = difference + lost;
  // What `rest` could not hold.
  const tail = difference - rest + lost;
  const quarter = (turns + ahead) & 3;
  const value = (quarter & 1) === 0 ? sine(rest, tail) : cosine(rest, tail);
  return quarter < 2 ? value : -value;
}

/** @param x  within ±π/4, followed by `tail` */
function sine(x: number, tail: number): number {
  return x + (x * sineSeries(x * x) + tail);
}

function cosine(x: number, tail: number): number {
  const z = x * x;
  const half = 0.5 * z;
  const near = 1 - half;
  return near + (1 - near - half + (z * z * cosineSeries(z) - x * tail));
}

/** sin x / x − 1 over z = x² */
function sineSeries(z: number): number {
  return (
    z *
    (-1 / 6 +
      z *
        (1 / 120 +
          z *
            (-1 / 5040 +
              z *
                (1 / 362880 +
                  z * (-1 / 39916800 + z * (1 / 6227020800 + z * (-1 / 1307674368000 + z / 355687428096000)))))))
  );
}

/** (cos x − 1 + x² / 2) / x⁴ over z = x² */
function cosineSeries(z: number): number {
  return (
    1 / 24 +
    z *
      (-1 / 720 +
        z * (1 / 40320 + z * (-1 / 3628800 + z * (1 / 479001600 + z * (-1 / 87178291200 + z / 20922789888000)))))
  );
}
