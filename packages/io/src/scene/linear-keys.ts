/**
 * Keys between which straight lines (arcs, for rotations) follow a curve within a tolerance: the curve's own keys, and
 * more where it bends between them, by bisection.
 */
import { slerp } from '@pelt/math';

export interface Curve {
  /** Numbers in one value; 4 with `arcs` for a rotation. */
  readonly size: number;
  readonly evaluate: (time: number, out: Float64Array) => void;
  /** Values are unit quaternions. */
  readonly arcs?: boolean;
  /** Ways in which players go from key to key, all of which have to follow the curve; absent: lines, or arcs. */
  readonly ways?: readonly Way[];
  /** Whether it is known that lines follow the curve between two moments; absent: it is looked at. */
  readonly isStraight?: (from: number, to: number) => boolean;
  /** Whether what lines between keys give is as good as the value itself. */
  readonly isNear: (value: Float64Array, line: Float64Array) => boolean;
}

/** The value at fraction u between two. */
export type Way = (a: Float64Array, b: Float64Array, u: number, out: Float64Array) => void;

export interface Keys {
  readonly times: Float64Array;
  /** S × size */
  readonly values: Float64Array;
}

/** A segment is cut into 2¹⁰ at most, so that a curve with a jump in it ends. */
const MAX_BISECTIONS = 10;
/** Two keys nearer than this many seconds are not told apart by players. */
const LEAST_SPAN = 2e-5;

/** @param times  rising */
export function linearKeys(curve: Curve, times: ArrayLike<number>): Keys {
  const { size } = curve;
  const keyTimes: number[] = [];
  const values: number[] = [];
  const at = (time: number) => {
    const value = new Float64Array(size);
    curve.evaluate(time, value);
    return value;
  };
  const keep = (time: number, value: Float64Array) => {
    // One hemisphere, so that players that blend components agree with those that follow the arc.
    if (curve.arcs && keyTimes.length > 0) alignSign(value, values, values.length - size);
    keyTimes.push(time);
    for (let c = 0; c < size; c++) values.push(value[c]);
  };
  const line = new Float64Array(size);
  const ways = curve.ways ?? [curve.arcs ? alongArc : alongLine];
  const refine = (t0: number, v0: Float64Array, t1: number, v1: Float64Array, depth: number): void => {
    if (depth === 0 || t1 - t0 < LEAST_SPAN) return;
    const middle = at((t0 + t1) / 2);
    const straight = [0.25, 0.5, 0.75].every((u) => {
      const value = u === 0.5 ? middle : at(t0 + u * (t1 - t0));
      return ways.every((way) => {
        way(v0, v1, u, line);
        return curve.isNear(value, line);
      });
    });
    if (straight) return;
    refine(t0, v0, (t0 + t1) / 2, middle, depth - 1);
    keep((t0 + t1) / 2, middle);
    refine((t0 + t1) / 2, middle, t1, v1, depth - 1);
  };
  // Two values that take turns, since there are many keys.
  let [before, value] = [new Float64Array(size), new Float64Array(size)];
  for (let k = 0; k < times.length; k++) {
    curve.evaluate(times[k], value);
    const straight = k === 0 || curve.isStraight?.(times[k - 1], times[k]);
    if (!straight) refine(times[k - 1], before, times[k], value, MAX_BISECTIONS);
    keep(times[k], value);
    [before, value] = [value, before];
  }
  return { times: Float64Array.from(keyTimes), values: Float64Array.from(values) };
}

export const alongArc: Way = (a, b, u, out) => slerp(a, 0, b, 0, u, out, 0);

export const alongLine: Way = (a, b, u, out) => {
  for (let c = 0; c < out.length; c++) out[c] = a[c] + u * (b[c] - a[c]);
};

/** The straight line between quaternions of one hemisphere, made unit: what players do that do not follow the arc. */
export const alongChord: Way = (a, b, u, out) => {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  for (let c = 0; c < 4; c++) out[c] = (1 - u) * a[c] + u * sign * b[c];
  const length = Math.hypot(out[0], out[1], out[2], out[3]) || 1;
  for (let c = 0; c < 4; c++) out[c] /= length;
};

/** Whether two rotations differ by less than an angle, in radians. */
export function turnsNear(limit: number): Curve['isNear'] {
  return (a, b) => {
    const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    // For small angles it is twice the length of the difference of the quaternions.
    return 2 * Math.hypot(a[0] - sign * b[0], a[1] - sign * b[1], a[2] - sign * b[2], a[3] - sign * b[3]) <= limit;
  };
}

/** Whether no number of two differs by more than a limit. */
export function liesNear(limit: number): Curve['isNear'] {
  return (a, b) => a.every((value, c) => Math.abs(value - b[c]) <= limit);
}

function alignSign(value: Float64Array, values: readonly number[], at: number): void {
  let dot = 0;
  for (let c = 0; c < 4; c++) dot += value[c] * values[at + c];
  if (dot < 0) for (let c = 0; c < 4; c++) value[c] = -value[c];
}

/** The rising union of lists of times; those nearer than a hundredth of a millisecond are one. */
export function unionOfTimes(lists: Iterable<ArrayLike<number>>): Float64Array {
  const all: number[] = [];
  for (const list of lists) for (let k = 0; k < list.length; k++) all.push(list[k]);
  const sorted = Float64Array.from(all).sort();
  return sorted.filter((time, k) => k === 0 || time - sorted[k - 1] > 1e-5);
}
