/**
 * The ways to store one animation channel, with their bytes and what they move: not at all, as one value, or with some of
 * its keys in so many bits.
 *
 * The bytes are a model: text has its length, keys cost their bits less what the codec saves on smooth curves. What
 * counts is the slope, and that holds: a bit more for each number halves the rounding error.
 */

import type { GltfChannel } from '@pelt/io/internal';
import { log, slerp } from '@pelt/math';
import type { Picked } from './allocate.ts';
import { PLAIN_COSTS, type TextCosts } from './codec.ts';
import { curveOf, fitKeys } from './fit-keys.ts';
import type { KeyList } from './key-lists.ts';

export interface TrackCoding {
  /** Frames of the keys that stay; `STILL`: one value for all times. */
  readonly frames: readonly number[];
  /** Of the keys that stay; absent: as they were. */
  readonly values?: Float32Array;
  /** Bits of a quaternion's component, or the exponent of the steps of other numbers. */
  readonly precision: number;
}

/** `undefined`: the channel is left out, and the node stays as it rests. */
export type TrackOption = Picked<TrackCoding | undefined>;

/** The key of a channel that stands. */
export const STILL: readonly number[] = [0];
const QUATERNION_BITS = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
/** Bits of a number that the codec saves, for neighbours are alike. */
const SAVED_BITS = 4;
const LEAST_BITS = 1.5;
/** Precisions of other numbers below their range, in bits. */
const RANGE_BITS = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/**
 * @param rest   the value that is played without the channel
 * @param unit   squared distance that an error of one moves: for a rotation one radian about any axis
 * @param lists  of keys that may stay; the first has all
 */
export function trackOptions(
  channel: GltfChannel,
  rest: ArrayLike<number>,
  unit: number,
  lists: readonly KeyList[],
  costs: TextCosts = PLAIN_COSTS,
): TrackOption[] {
  const { path, interpolation } = channel;
  const options: TrackOption[] = [];
  const still = interpolation !== 'CUBICSPLINE';
  if (still) options.push({ value: undefined, bytes: 0, error: unit * deviation(channel, rest) });
  const usable = interpolation === 'LINEAR' ? lists : lists.slice(0, 1);
  const curve = curveOf(channel);
  const kept: Kept[] = usable.map(({ frames }, k) =>
    k === 0 ? { frames, error: 0 } : thinned(channel, frames, unit, curve),
  );
  if (still) {
    const mean = meanValue(channel);
    kept.push({ frames: STILL, values: Float32Array.from(mean), error: unit * deviation(channel, mean) });
  }
  const numbers = interpolation === 'CUBICSPLINE' ? 3 : 1;
  const size = path === 'rotation' ? 3 : channel.size;
  const coded = precisions(channel);
  for (const { frames, values, error } of kept) {
    const changes = costs.squeezes ? meanChanges(channel, frames, values) : undefined;
    for (const { precision, bits, step, variance } of coded) {
      const stored = changes
        ? Math.min(entropyOf(changes, step), bits) + bits / frames.length
        : Math.max(bits - SAVED_BITS, LEAST_BITS);
      const bytes = costs.channel + (frames.length * numbers * size * stored) / 8;
      options.push({ value: { frames, precision, ...(values && { values }) }, bytes, error: error + unit * variance });
    }
  }
  return options;
}

interface Kept {
  readonly frames: readonly number[];
  readonly values?: Float32Array;
  readonly error: number;
}

/** With fitted values, unless wide turns, which are not linear in quaternions, play worse by them. */
function thinned(
  channel: GltfChannel,
  frames: readonly number[],
  unit: number,
  curve: Float32Array | Float64Array,
): Kept {
  const fitted = fitKeys(channel, frames, curve);
  const { mean, wide } = thinningError(channel, frames, fitted);
  if (!wide) return { frames, values: fitted, error: unit * mean };
  const plain = thinningError(channel, frames, valuesAt(channel, frames)).mean;
  return plain < mean ? { frames, error: unit * plain } : { frames, values: fitted, error: unit * mean };
}

/** The values of some keys as they were. */
export function valuesAt({ values, times }: GltfChannel, frames: readonly number[]): Float32Array {
  const size = values.length / times.length;
  const out = new Float32Array(frames.length * size);
  frames.forEach((t, k) => {
    out.set(values.subarray(t * size, (t + 1) * size), k * size);
  });
  return out;
}

/** For each component the mean of its changes from key to key, without signs. */
function meanChanges(channel: GltfChannel, frames: readonly number[], given: Float32Array | undefined): Float64Array {
  const values = given ?? valuesAt(channel, frames);
  const size = values.length / frames.length;
  const out = new Float64Array(size);
  for (let k = 1; k < frames.length; k++) {
    const [a, b] = [k * size, (k - 1) * size];
    let sign = 1;
    if (channel.path === 'rotation' && size === 4) {
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += values[a + c] * values[b + c];
      if (dot < 0) sign = -1;
    }
    for (let c = 0; c < size; c++) out[c] += Math.abs(values[a + c] - sign * values[b + c]) / (frames.length - 1);
  }
  return out;
}

/**
 * Bits of a number whose changes are spread as e^(−|x|/b), with b their mean: log₂(2e·b) for large ones, nothing where
 * nothing changes.
 */
function entropyOf(changes: Float64Array, step: number): number {
  let bits = 0;
  for (const change of changes) bits += log(1 + (2 * Math.E * change) / step) / Math.LN2;
  return bits / (changes.length || 1);
}

interface Precision {
  readonly precision: number;
  readonly bits: number;
  readonly step: number;
  /** Mean squared error of a value by rounding. */
  readonly variance: number;
}

function precisions(channel: GltfChannel): Precision[] {
  if (channel.path === 'rotation' && channel.interpolation !== 'CUBICSPLINE') {
    return QUATERNION_BITS.map((bits) => {
      // The three smaller components have steps of √½ / (2^(bits − 1) − 1); an angle is twice the error of all four.
      const step = Math.SQRT1_2 / (2 ** (bits - 1) - 1);
      return { precision: bits, bits, step, variance: (4 * 4 * (step * step)) / 12 };
    });
  }
  let most = 0;
  for (const value of channel.values) most = Math.max(most, Math.abs(value));
  const top = most > 0 ? Math.ceil(log2(most)) : 0;
  return RANGE_BITS.map((bits) => {
    const precision = top - bits;
    const step = 2 ** precision;
    return { precision, bits, step, variance: (channel.size * step ** 2) / 12 };
  });
}

function log2(value: number): number {
  let e = -100;
  while (2 ** e < value) e++;
  return e;
}

/** Mean squared difference from one value. */
function deviation(channel: GltfChannel, value: ArrayLike<number>): number {
  const { times, values, size } = channel;
  let sum = 0;
  for (let t = 0; t < times.length; t++) sum += difference(channel, values, t * size, value, 0);
  return sum / times.length;
}

export function meanValue({ values, size, path, times }: GltfChannel): Float64Array {
  const mean = new Float64Array(size);
  for (let t = 0; t < times.length; t++) {
    let dot = 0;
    for (let c = 0; c < size; c++) dot += values[t * size + c] * values[c];
    const sign = path === 'rotation' && dot < 0 ? -1 : 1;
    for (let c = 0; c < size; c++) mean[c] += sign * values[t * size + c];
  }
  const length = path === 'rotation' ? Math.hypot(...mean) : times.length;
  return length > 0 ? mean.map((value) => value / length) : Float64Array.from(values.subarray(0, size));
}

/**
 * Mean squared difference between all keys and what is played between those that stay, with their new values, and whether
 * any turn between two of them is wide.
 */
function thinningError(
  channel: GltfChannel,
  frames: readonly number[],
  keys: Float32Array,
): { readonly mean: number; readonly wide: boolean } {
  const { times, values, size, path } = channel;
  const rotates = path === 'rotation';
  const played = new Float64Array(size);
  let wide = false;
  let sum = 0;
  for (let k = 0; k < frames.length; k++) {
    const a = frames[k];
    const b = k + 1 < frames.length ? frames[k + 1] : a + 1;
    sum += difference(channel, values, a * size, keys, k * size);
    const arcs = rotates && b > a + 1 && cosineOf(keys, 4 * k) < STRAIGHT;
    wide ||= arcs;
    const sign = rotates && b > a + 1 && !arcs && dotOf(keys, 4 * k) < 0 ? -1 : 1;
    for (let t = a + 1; t < b; t++) {
      const u = (times[t] - times[a]) / (times[b] - times[a]);
      if (arcs) slerp(keys, k * 4, keys, (k + 1) * 4, u, played, 0);
      else {
        for (let c = 0; c < size; c++) played[c] = (1 - u) * keys[k * size + c] + sign * u * keys[(k + 1) * size + c];
      }
      sum += difference(channel, values, t * size, played, 0);
    }
  }
  return { mean: sum / times.length, wide };
}

/** Cosine of half the turn from one key to the next, below which its chord is not its arc: 2e-5 of a radian at most. */
const STRAIGHT = 0.998;

function cosineOf(keys: Float32Array, at: number): number {
  let squares = 1;
  for (const from of [at, at + 4]) {
    squares *= keys[from] ** 2 + keys[from + 1] ** 2 + keys[from + 2] ** 2 + keys[from + 3] ** 2;
  }
  return Math.abs(dotOf(keys, at)) / Math.sqrt(squares || 1);
}

function dotOf(keys: Float32Array, at: number): number {
  return (
    keys[at] * keys[at + 4] + keys[at + 1] * keys[at + 5] + keys[at + 2] * keys[at + 6] + keys[at + 3] * keys[at + 7]
  );
}

/** Squared: of numbers their distance, of rotations the angle between them. */
function difference({ path, size }: GltfChannel, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number) {
  let sum = 0;
  if (path !== 'rotation') {
    for (let c = 0; c < size; c++) sum += (a[i + c] - b[j + c]) ** 2;
    return sum;
  }
  let [dot, aa, bb] = [0, 0, 0];
  for (let c = 0; c < 4; c++) {
    dot += a[i + c] * b[j + c];
    aa += a[i + c] ** 2;
    bb += b[j + c] ** 2;
  }
  if (aa === 0 || bb === 0) return 0;
  // By the chord of the unit quaternions, for the cosine of a small angle is 1 but for rounding.
  const [p, q] = [1 / Math.sqrt(aa), (dot < 0 ? -1 : 1) / Math.sqrt(bb)];
  for (let c = 0; c < 4; c++) sum += (p * a[i + c] - q * b[j + c]) ** 2;
  return 4 * sum;
}
