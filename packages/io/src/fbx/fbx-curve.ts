/**
 * A curve of an FBX: keys of a time and a value, each with how to go on to the next: constant (this value, or already
 * the next), linear, or cubic, a Bézier segment given by the slopes at its ends and, where a tangent is weighted, how
 * far along it the handles are.
 */

import { InputError } from '@pelt/model';
import { lastKeyAt } from '../last-key.ts';
import { childNamed, type FbxNode, finiteNumbersIn, isArray } from './fbx-node.ts';

export const TICKS_PER_SECOND = 46_186_158_000;

const CONSTANT = 0x2;
const CUBIC = 0x8;
const CONSTANT_NEXT = 0x100;
const TCB = 0x200;
const WEIGHTED_RIGHT = 0x1000000;
const WEIGHTED_NEXT_LEFT = 0x2000000;
const DEFAULT_WEIGHT = 1 / 3;
/** Weights are stored as whole numbers up to this. */
const WHOLE_WEIGHT = 9999;
/** Numbers for each run of equal keys: right slope, next left slope, both weights as 16 bits, both velocities. */
const DATA_PER_RUN = 4;
/** Bisections for the parameter of a weighted segment, to the last bits of a float. */
const BISECTIONS = 40;

export class FbxCurve {
  /** Seconds, rising. */
  readonly times: Float64Array;
  /** Whether it bends anywhere. */
  readonly isCubic: boolean;
  readonly #values: Float64Array;
  readonly #flags: Int32Array;
  #last = 0;
  /** Keys × 4: slopes per second and handle weights of the segment that begins at each. */
  readonly #segments: Float64Array;

  constructor(node: FbxNode, what: string) {
    const ticks = finiteNumbersIn(node, 'KeyTime', what);
    const values = finiteNumbersIn(node, 'KeyValueFloat', what);
    if (ticks.length !== values.length) {
      throw new InputError(`${what}: ${ticks.length} key times, but ${values.length} values; export it again`);
    }
    const { flags, data } = runsOf(node, ticks.length, what);
    const kept = keptKeys(ticks);
    this.times = new Float64Array(kept.length);
    this.#values = new Float64Array(kept.length);
    this.#flags = new Int32Array(kept.length);
    for (let place = 0; place < kept.length; place++) {
      const k = kept[place];
      this.times[place] = ticks[k] / TICKS_PER_SECOND;
      this.#values[place] = values[k];
      this.#flags[place] = flags[k];
    }
    this.isCubic = this.#flags.some((flag) => (flag & CUBIC) !== 0);
    this.#segments = new Float64Array(this.isCubic ? 4 * kept.length : 0);
    if (!this.isCubic) return;
    kept.forEach((k, place) => {
      this.#segments.set(segmentOf(flags[k], data.subarray(DATA_PER_RUN * k, DATA_PER_RUN * (k + 1))), 4 * place);
    });
    this.#tcbSlopes(Array.from(kept, (k) => data.subarray(DATA_PER_RUN * k, DATA_PER_RUN * (k + 1))));
  }

  get length(): number {
    return this.times.length;
  }

  /** Whether the value stands still from key k to the next. */
  isConstant(k: number): boolean {
    return (this.#flags[k] & CONSTANT) !== 0;
  }

  /** The last key not after a time; curves are mostly asked for one moment after the other. */
  #keyAt(time: number): number {
    const { times } = this;
    let k = this.#last;
    if (k < times.length && times[k] <= time) {
      if (k + 1 === times.length || times[k + 1] > time) return k;
      if (k + 2 === times.length || times[k + 2] > time) {
        this.#last = k + 1;
        return k + 1;
      }
    }
    k = lastKeyAt(times, time);
    this.#last = Math.max(k, 0);
    return k;
  }

  evaluate(time: number): number {
    const { times } = this;
    const k = this.#keyAt(time);
    const values = this.#values;
    if (k < 0) return values[0];
    if (k === times.length - 1 || times[k] === time) return values[k];
    const flags = this.#flags[k];
    if (flags & CONSTANT) return values[flags & CONSTANT_NEXT ? k + 1 : k];
    const span = times[k + 1] - times[k];
    const u = (time - times[k]) / span;
    return flags & CUBIC ? this.#cubic(k, u, span) : values[k] + u * (values[k + 1] - values[k]);
  }

  #cubic(k: number, u: number, span: number): number {
    const [a, b] = [this.#values[k], this.#values[k + 1]];
    const [right, left, rightWeight, leftWeight] = this.#segments.subarray(4 * k, 4 * k + 4);
    const plain = rightWeight === DEFAULT_WEIGHT && leftWeight === DEFAULT_WEIGHT;
    const s = plain ? u : parameterAt(u, rightWeight, 1 - leftWeight);
    return bezier(s, a, a + right * rightWeight * span, b - left * leftWeight * span, b);
  }

  /** Slopes of keys with tension, continuity and bias (Kochanek, Bartels. Interpolating splines with local tension. 1984). */
  #tcbSlopes(data: readonly Float32Array[]): void {
    const { times } = this;
    const values = this.#values;
    const isTcb = (k: number) => k < times.length && (this.#flags[k] & (CUBIC | TCB)) === (CUBIC | TCB);
    for (let k = 0; k < times.length; k++) {
      if (!isTcb(k)) continue;
      const [tension, continuity, bias] = data[k];
      const before = k > 0 ? (values[k] - values[k - 1]) / (times[k] - times[k - 1]) : 0;
      const after = k + 1 < times.length ? (values[k + 1] - values[k]) / (times[k + 1] - times[k]) : 0;
      const mix = (c: number) => ((1 - tension) * ((1 + bias) * (1 + c) * before + (1 - bias) * (1 - c) * after)) / 2;
      this.#segments[4 * k] = mix(continuity);
      if (k > 0) this.#segments[4 * (k - 1) + 1] = mix(-continuity);
    }
  }
}

/** How far along a segment the handle is whose time is u: the time is a monotonic cubic of the parameter. */
function parameterAt(u: number, first: number, second: number): number {
  let low = 0;
  let high = 1;
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = (low + high) / 2;
    if (bezier(middle, 0, first, second, 1) < u) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function bezier(s: number, a: number, b: number, c: number, d: number): number {
  const r = 1 - s;
  return r * r * r * a + 3 * r * r * s * b + 3 * r * s * s * c + s * s * s * d;
}

function segmentOf(flags: number, data: Float32Array): Float64Array {
  const weights = new Int16Array(Float32Array.of(data[2]).buffer);
  const clamp = (value: number) => Math.min(Math.max(value / WHOLE_WEIGHT, 0), 1);
  const slope = (value: number) => (Number.isFinite(value) ? value : 0);
  return Float64Array.of(
    slope(data[0]),
    slope(data[1]),
    flags & WEIGHTED_RIGHT ? clamp(weights[0]) : DEFAULT_WEIGHT,
    flags & WEIGHTED_NEXT_LEFT ? clamp(weights[1]) : DEFAULT_WEIGHT,
  );
}

/** Flags and data of every key; the file has them once for each run of equal keys. */
function runsOf(node: FbxNode, count: number, what: string) {
  const runs = finiteNumbersIn(node, 'KeyAttrFlags', what);
  const lengths = finiteNumbersIn(node, 'KeyAttrRefCount', what);
  const stored = dataBits(node);
  const flags = new Int32Array(count);
  // Slopes matter to curves that bend.
  const bends = runs.some((flag: number) => (flag & CUBIC) !== 0);
  const data = new Float32Array(bends ? DATA_PER_RUN * count : 0);
  let k = 0;
  for (let run = 0; run < runs.length && k < count; run++) {
    const end = run + 1 === runs.length ? count : Math.min(count, k + Math.max(0, lengths[run] ?? 0));
    const own = stored.subarray(DATA_PER_RUN * run, DATA_PER_RUN * (run + 1));
    flags.fill(runs[run], k, end);
    if (bends) for (let key = k; key < end; key++) data.set(own, DATA_PER_RUN * key);
    k = Math.max(k, end);
  }
  return { flags, data };
}

/** Floats of which some are pairs of 16-bit numbers; text files have the bits of all of them, as whole numbers. */
function dataBits(node: FbxNode): Float32Array {
  const value = childNamed(node, 'KeyAttrDataFloat')?.values[0];
  const numbers = isArray(value) ? value.numbers() : new Float64Array(0);
  if (numbers instanceof Float32Array) return numbers;
  if (!numbers.every(Number.isInteger)) return Float32Array.from(numbers);
  return new Float32Array(Int32Array.from(numbers).buffer);
}

/** Keys in the order of time; of those at one time the last. */
function keptKeys(ticks: ArrayLike<number>): Uint32Array {
  const order = new Uint32Array(ticks.length);
  let [sorted, distinct] = [true, true];
  for (let k = 0; k < order.length; k++) {
    order[k] = k;
    if (k > 0 && ticks[k] < ticks[k - 1]) sorted = false;
    if (k > 0 && ticks[k] === ticks[k - 1]) distinct = false;
  }
  if (sorted && distinct) return order;
  if (!sorted) order.sort((a, b) => ticks[a] - ticks[b] || a - b);
  return order.filter((k, place) => place + 1 === order.length || ticks[order[place + 1]] > ticks[k]);
}
