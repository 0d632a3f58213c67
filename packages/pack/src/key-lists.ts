/**
 * The lists of keys that channels of one list of times may keep: every r-th key, or as many where they matter most.
 *
 * Minimise the squared error of all channels together, subject to a number of keys: keys are taken out one by one, always
 * the one whose loss adds least to the error between its neighbours. The lists of all lengths follow from one pass.
 */
import type { GltfChannel } from '@pelt/io/internal';
import { PLAIN_COSTS, type TextCosts } from './codec.ts';

export interface KeyList {
  /** Frames of the keys that stay, rising; the first and the last are among them. */
  readonly frames: readonly number[];
  /** Of its times in the file. */
  readonly bytes: number;
}

/** A channel, and the squared distance that an error of one moves. */
export interface WeightedChannel {
  readonly channel: GltfChannel;
  readonly unit: number;
}

/** Strides that are tried, and parts of the keys: time lists are shared, so there are few. */
const STRIDES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
/** Keys that are looked at for the least important one, again and again: beyond these the time is felt. */
const MOST_KEYS = 4000;

/** @param members  channels of one list of times; the first list has all keys */
export function keyLists(members: readonly WeightedChannel[], costs: TextCosts = PLAIN_COSTS): KeyList[] {
  const count = members[0].channel.times.length;
  const strides = STRIDES.filter((stride) => stride === 1 || stride < count);
  const even = strides.map((stride) => keyList(everyNth(count, stride), costs.list, costs.evenKey));
  const thinned = members.filter(({ channel, unit }) => channel.interpolation === 'LINEAR' && unit > 0);
  if (thinned.length === 0 || count < 4 || count > MOST_KEYS) return even;
  const lengths = even.slice(1).map(({ frames }) => frames.length);
  return [
    ...even,
    ...chosenLists(thinned, new Set(lengths)).map((frames) => keyList(frames, costs.list, costs.unevenKey)),
  ];
}

function keyList(frames: readonly number[], text: number, perKey: number): KeyList {
  return { frames, bytes: text + perKey * frames.length };
}

/** Every so many frames, and the last. */
export function everyNth(count: number, stride: number): number[] {
  const frames = [];
  for (let t = 0; t < count - 1; t += stride) frames.push(t);
  return [...frames, count - 1];
}

/** The lists of these lengths that remain as key after key is taken out. */
function chosenLists(members: readonly WeightedChannel[], lengths: ReadonlySet<number>): number[][] {
  const { times } = members[0].channel;
  const rows = jointRows(members);
  const size = rows.length / times.length;
  const gap = (a: number, b: number) => gapError(rows, size, times, a, b);
  const count = times.length;
  const [before, after] = [new Int32Array(count), new Int32Array(count)];
  // What each gap that ends at a key has of error, and what the loss of that key adds.
  const [errors, losses] = [new Float64Array(count), new Float64Array(count).fill(Number.POSITIVE_INFINITY)];
  const update = (t: number) => {
    if (t > 0 && t < count - 1) losses[t] = gap(before[t], after[t]) - errors[t] - errors[after[t]];
  };
  for (let t = 0; t < count; t++) [before[t], after[t]] = [t - 1, t + 1];
  for (let t = 1; t < count - 1; t++) update(t);
  const least = Math.min(...lengths);
  const lists: number[][] = [];
  for (let left = count; left > least; ) {
    let lost = 1;
    for (let t = 2; t < count - 1; t++) if (losses[t] < losses[lost]) lost = t;
    const [a, b] = [before[lost], after[lost]];
    errors[b] = errors[lost] + errors[b] + losses[lost];
    losses[lost] = Number.POSITIVE_INFINITY;
    [after[a], before[b]] = [b, a];
    update(a);
    update(b);
    if (lengths.has(--left)) lists.push(keysFrom(after));
  }
  return lists;
}

function keysFrom(after: Int32Array): number[] {
  const frames = [];
  for (let t = 0; t < after.length; t = after[t]) frames.push(t);
  return frames;
}

/** count × D numbers whose squared differences are what the surface moves; quaternions on one side of the sphere. */
function jointRows(members: readonly WeightedChannel[]): Float64Array {
  const count = members[0].channel.times.length;
  const D = members.reduce((sum, { channel }) => sum + channel.size, 0);
  const rows = new Float64Array(count * D);
  let first = 0;
  for (const { channel, unit } of members) {
    const { values, size, path } = channel;
    const rotates = path === 'rotation';
    // The angle is twice the chord of unit quaternions.
    const scale = (rotates ? 2 : 1) * Math.sqrt(unit);
    for (let t = 0; t < count; t++) {
      let [dot, squares] = [0, 0];
      for (let c = 0; c < size; c++) {
        squares += values[t * size + c] ** 2;
        if (t > 0) dot += values[t * size + c] * rows[(t - 1) * D + first + c];
      }
      const factor = rotates ? ((dot < 0 ? -1 : 1) * scale) / (Math.sqrt(squares) || 1) : scale;
      for (let c = 0; c < size; c++) rows[t * D + first + c] = factor * values[t * size + c];
    }
    first += size;
  }
  return rows;
}

/** Squared distance between the rows inside a gap and the line between its ends. */
function gapError(rows: Float64Array, D: number, times: Float32Array, a: number, b: number): number {
  let sum = 0;
  for (let t = a + 1; t < b; t++) {
    const u = (times[t] - times[a]) / (times[b] - times[a]);
    for (let c = 0; c < D; c++) {
      const difference = rows[t * D + c] - (1 - u) * rows[a * D + c] - u * rows[b * D + c];
      sum += difference * difference;
    }
  }
  return sum;
}
