/**
 * Keys over time and what lies between them. `smooth` goes through its keys without stopping at each: a cubic Hermite
 * spline whose tangents are those of the neighbours, limited so that nothing overshoots; at the first key, the last and
 * where a value turns round it stands still. `slow` stops at both ends, `curve` is a Bézier curve of the share.
 *
 * Reference: Fritsch, Carlson. Monotone piecewise cubic interpolation. SIAM Journal on Numerical Analysis, 1980.
 */

export const EASES = ['smooth', 'slow', 'linear', 'hold', 'curve'] as const;
export type Ease = (typeof EASES)[number];

/** Two points that pull a curve from (0, 0) to (1, 1): x is time, from 0 to 1. */
export type Curve = readonly [x1: number, y1: number, x2: number, y2: number];

/** As `slow` goes: what a curve is before it is pulled. */
export const FIRST_CURVE: Curve = [0.42, 0, 0.58, 1];

export interface Key<V> {
  readonly frame: number;
  readonly value: V;
  /** How it goes on from here to the next key. */
  readonly ease: Ease;
  /** Where the ease is a curve. */
  readonly curve?: Curve;
}

/** Limit of a tangent, in slopes of the segment: beyond it a cubic overshoots. */
const STEEPEST = 3;
/** Halvings that find the time on a curve: to a part in four thousand million. */
const HALVINGS = 32;

/** Keys with one more, in place of what was at its frame. */
export function withKey<V>(keys: readonly Key<V>[], key: Key<V>): readonly Key<V>[] {
  return [...keys.filter(({ frame }) => frame !== key.frame), key].toSorted((a, b) => a.frame - b.frame);
}

/**
 * What keys are at a frame: held before the first and after the last, or, of a clip that closes, going from the last on
 * to the first.
 *
 * @param keys     in order
 * @param period   frames after which it begins again; undefined: it does not
 * @param numbers  of a value, as many for each
 */
export function numbersAt<V>(
  keys: readonly Key<V>[],
  frame: number,
  period: number | undefined,
  numbers: (value: V) => readonly number[],
): number[] | undefined {
  const ring = period === undefined || keys.length < 2 ? keys : repeated(keys, period);
  const [first] = ring;
  const last = ring.at(-1);
  if (!first || !last) return undefined;
  if (frame <= first.frame) return [...numbers(first.value)];
  if (frame >= last.frame) return [...numbers(last.value)];
  const k = ring.findLastIndex((key) => key.frame <= frame);
  const [from, to] = [ring[k], ring[k + 1]];
  const [a, b] = [numbers(from.value), numbers(to.value)];
  const share = (frame - from.frame) / (to.frame - from.frame);
  if (from.ease !== 'smooth') {
    const eased = easedShare(share, from.ease, from.curve);
    return a.map((value, c) => value + (b[c] - value) * eased);
  }
  const [before, after] = [ring[k - 1], ring[k + 2]];
  const [w, z] = [before && numbers(before.value), after && numbers(after.value)];
  return a.map((value, c) => {
    const slope = (b[c] - value) / (to.frame - from.frame);
    const start = w ? tangent((value - w[c]) / (from.frame - before.frame), slope) : 0;
    const end = z ? tangent(slope, (z[c] - b[c]) / (after.frame - to.frame)) : 0;
    return hermite(value, b[c], start, end, share, to.frame - from.frame);
  });
}

/** Part of the way at a part of the time, both from 0 to 1. */
export function easedShare(share: number, ease: Ease, curve: Curve = FIRST_CURVE): number {
  switch (ease) {
    case 'hold':
      return share < 1 ? 0 : 1;
    case 'linear':
      return share;
    case 'curve':
      return bezier(share, curve);
    default:
      return share * share * (3 - 2 * share);
  }
}

/** Keys with those of the rounds before and after. */
function repeated<V>(keys: readonly Key<V>[], period: number): Key<V>[] {
  const shifted = (by: number) => keys.map((key) => ({ ...key, frame: key.frame + by }));
  // A key on the last frame of a round lies on the first of the next one, where it has no place.
  const own = keys.filter(({ frame }) => frame < keys[0].frame + period);
  return own.length < keys.length
    ? repeated(own, period)
    : [...shifted(-period), ...keys, ...shifted(period)].toSorted((a, b) => a.frame - b.frame);
}

function tangent(left: number, right: number): number {
  if (left * right <= 0) return 0;
  const least = STEEPEST * Math.min(Math.abs(left), Math.abs(right));
  return Math.sign(left) * Math.min(Math.abs(left + right) / 2, least);
}

function hermite(a: number, b: number, start: number, end: number, x: number, frames: number): number {
  const [xx, y] = [x * x, 1 - x];
  return a * (1 + 2 * x) * y * y + b * xx * (3 - 2 * x) + frames * x * y * (start * y - end * x);
}

/** y where x is on the Bézier curve; x rises, as both of its points are within the time. */
function bezier(x: number, [x1, y1, x2, y2]: Curve): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const at = (p: number, q: number, t: number) => 3 * p * t * (1 - t) ** 2 + 3 * q * t * t * (1 - t) + t ** 3;
  let [low, high] = [0, 1];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (at(x1, x2, middle) < x) low = middle;
    else high = middle;
  }
  return at(y1, y2, (low + high) / 2);
}
