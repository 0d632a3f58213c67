/**
 * Inverse trigonometric functions with the same bits on every engine.
 *
 * With c = k/8 next to the tangent, atan t = atan c + atan u, u = (t − c) / (1 + t c), |u| ≤ 1/16, where a few terms of the
 * series are exact to the last bit or two.
 */

/** π/2 beyond what a number holds. */
const HALF_PI_TAIL = 6.123233995736766e-17;
/** atan(k/8) */
const ARCS = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624,
  0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
] as const;

/**
 * Angle of a point from the x axis, in radians from −π to π, the same on every engine.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const up = Math.abs(y);
  const along = Math.abs(x);
  const behind = x < 0 || Object.is(x, -0);
  if (up === 0) return behind ? withSign(Math.PI, y) : y;
  const steep = up > along;
  // Infinite sides count as equally long.
  const arc = arcOf(up === along ? 1 : steep ? along / up : up / along);
  const acute = steep ? Math.PI / 2 - (arc - HALF_PI_TAIL) : arc;
  return withSign(behind ? Math.PI - (acute - 2 * HALF_PI_TAIL) : acute, y);
}

/**
 * Angle of a sine, in radians from −π/2 to π/2, the same on every engine; NaN beyond ±1.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function asin(sine: number): number {
  return atan2(sine, Math.sqrt((1 - sine) * (1 + sine)));
}

/**
 * Angle of a cosine, in radians from 0 to π, the same on every engine; NaN beyond ±1.
 *
 * @example
 * {@includeCode ../../examples/elementary.ts}
 */
export function acos(cosine: number): number {
  return atan2(Math.sqrt((1 - cosine) * (1 + cosine)), cosine);
}

/** @param tangent  from 0 to 1 */
function arcOf(tangent: number): number {
  const k = Math.round(8 * tangent);
  const c = k / 8;
  const u = (tangent - c) / (1 + tangent * c);
  const z = u * u;
  const series = z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z / 13)))));
  return ARCS[k] + (u + u * series);
}

function withSign(value: number, sign: number): number {
  return sign < 0 || Object.is(sign, -0) ? -value : value;
}
