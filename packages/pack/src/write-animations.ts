/** Animations into the accessors of a file: the keys that stay, in their bits, over shared lists of times. */
import type { GLTF } from '@gltf-transform/core';
import type { GltfAnimation, GltfChannel, GltfDocument, JsonObject } from '@pelt/io/internal';
import type { AccessorWriter, WrittenArray } from './accessor-writer.ts';
import type { ClipCoding } from './clip-choice.ts';
import type { Codec } from './codec.ts';
import { bytesOf } from './columns.ts';
import { encodeExponential, exponentFor } from './exponential.ts';
import { everyNth } from './key-lists.ts';
import { pointerCurves } from './pointer-curves.ts';
import { meanValue, STILL, type TrackCoding, valuesAt } from './track-options.ts';

const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
const [SHORT, FLOAT] = [5122, 5126] as const;
/** Steps of times: 15 µs move nothing that can be seen. */
const TIME_EXPONENT = -16;
/** Longest row of the codec. */
const MOST_STRIDE = 256;

export class AnimationWriter {
  readonly #accessors: AccessorWriter;
  readonly #stored: GltfDocument['accessors'];
  readonly #codec: Codec | undefined;

  /**
   * @param stored  accessors of the file that is packed
   * @param codec   absent: all numbers stay as they are
   */
  constructor(accessors: AccessorWriter, stored: GltfDocument['accessors'], codec: Codec | undefined) {
    this.#accessors = accessors;
    this.#stored = stored;
    this.#codec = codec;
  }

  /**
   * @param json    of the animation: what is not written here stays
   * @param coding  of each channel; absent: all keys as they are
   */
  write(json: JsonObject, animation: GltfAnimation, coding: ClipCoding | undefined): GLTF.IAnimation {
    const samplers: GLTF.IAnimationSampler[] = [];
    const channels: GLTF.IAnimationChannel[] = [];
    const add = (input: number, output: number, interpolation: string, target: JsonObject) => {
      const sampler = { input, output, ...(interpolation !== 'LINEAR' && { interpolation }) };
      let at = samplers.findIndex(
        (own) => own.input === input && own.output === output && (own.interpolation ?? 'LINEAR') === interpolation,
      );
      if (at < 0) at = samplers.push(sampler as GLTF.IAnimationSampler) - 1;
      channels.push({ sampler: at, target } as unknown as GLTF.IAnimationChannel);
    };
    for (const [c, code] of withWholeLength(animation, coding).entries()) {
      if (!code) continue;
      const channel = animation.channels[c];
      const { input, output } = this.#track(channel, code);
      add(input, output, channel.interpolation, { node: channel.node, path: channel.path });
    }
    for (const { target, interpolation, times, values } of pointerCurves(json, this.#stored, animation.end)) {
      const input = this.#accessors.share(this.#times(times));
      const mode = this.#codec && values.stride % 4 === 0 ? 'ATTRIBUTES' : 'RAW';
      add(input, this.#accessors.share({ ...values, purpose: 'data', mode }), interpolation, target);
    }
    const { samplers: _, channels: __, ...rest } = json;
    return { ...rest, samplers, channels };
  }

  #track(channel: GltfChannel, code: Coding): { readonly input: number; readonly output: number } {
    const frames = code === 'all' ? everyNth(channel.times.length, 1) : code.frames;
    const times = Float32Array.from(frames, (t) => channel.times[t]);
    const values = (code !== 'all' && code.values) || valuesAt(channel, frames);
    const precision = code === 'all' ? undefined : code.precision;
    return {
      input: this.#accessors.share(this.#times(times)),
      output: this.#accessors.share(this.#values(channel, values, precision)),
    };
  }

  #times(times: Float32Array): WrittenArray {
    const shape = { stride: 4, purpose: 'data', componentType: FLOAT, type: 'SCALAR', count: times.length } as const;
    const exponent = exponentFor(times, TIME_EXPONENT);
    const steps = Float32Array.from(times, (time) => Math.round(time / 2 ** exponent) * 2 ** exponent);
    // Keys that are nearer than a step stay as they are.
    const rising = steps.every((time, k) => k === 0 || time > steps[k - 1]);
    const stored = this.#codec && rising ? steps : times;
    const bounds = { min: [stored[0]], max: [stored[stored.length - 1]] };
    if (!this.#codec) return { ...shape, ...bounds, bytes: bytesOf(times), mode: 'RAW' };
    if (!rising) return { ...shape, ...bounds, bytes: bytesOf(times), mode: 'ATTRIBUTES' };
    const bytes = bytesOf(encodeExponential(times, [exponent], 1));
    return { ...shape, ...bounds, bytes, mode: 'ATTRIBUTES', filter: 'EXPONENTIAL' };
  }

  /**
   * Weights of all targets in a frame make a row for the codec, which then compares each with itself a frame before;
   * unless a view for rows of that length takes more text than that saves.
   */
  #weightStride(bytes: Uint8Array, targets: number): number {
    const codec = this.#codec as Codec;
    const row = 4 * targets;
    if (row > MOST_STRIDE) return 4;
    return codec.attributeSize(bytes, row) + codec.costs.view < codec.attributeSize(bytes, 4) ? row : 4;
  }

  #values({ path, size, interpolation }: GltfChannel, values: Float32Array, precision?: number): WrittenArray {
    const type = TYPES[path];
    const numbers = path === 'weights' ? 1 : size;
    const count = values.length / numbers;
    const shape = { stride: 4 * numbers, purpose: 'data', componentType: FLOAT, type, count } as const;
    if (!this.#codec || precision === undefined) return { ...shape, bytes: bytesOf(values), mode: 'RAW' };
    if (path === 'rotation' && interpolation !== 'CUBICSPLINE') {
      return {
        ...shape,
        bytes: this.#codec.encoder.encodeFilterQuat(unitQuaternions(values), count, 8, precision),
        stride: 8,
        mode: 'ATTRIBUTES',
        filter: 'QUATERNION',
        componentType: SHORT,
        normalized: true,
      };
    }
    const bytes = bytesOf(encodeExponential(values, [exponentFor(values, precision)], numbers));
    const stride = path === 'weights' ? this.#weightStride(bytes, size) : shape.stride;
    return { ...shape, bytes, stride, mode: 'ATTRIBUTES', filter: 'EXPONENTIAL' };
  }
}

type Coding = 'all' | TrackCoding;

/** Codings with the frames that they keep. A clip keeps its length: one of its channels reaches from end to end. */
function withWholeLength(animation: GltfAnimation, coding: ClipCoding | undefined): (Coding | undefined)[] {
  const { channels, start, end } = animation;
  if (!coding) return channels.map(() => 'all');
  const reaches = ({ times }: GltfChannel, { frames }: TrackCoding) =>
    times[frames[0]] <= start && times[frames[frames.length - 1]] >= end;
  if (coding.some((code, c) => code && reaches(channels[c], code))) return [...coding];
  // Else the one that ends last, or is most like that, stands still over all of it.
  const longest = channels.reduce((best, { times }, c) => {
    const other = channels[best].times;
    return times[times.length - 1] - times[0] > other[other.length - 1] - other[0] ? c : best;
  }, 0);
  return coding.map((code, c) =>
    c === longest && (!code || code.frames === STILL) ? stands(channels[c], code) : code,
  );
}

/** One value at the first and at the last key. */
function stands(channel: GltfChannel, code: TrackCoding | undefined): TrackCoding {
  const frames = [...new Set([0, channel.times.length - 1])];
  const mean = meanValue(channel);
  const values = Float32Array.from({ length: frames.length * mean.length }, (_, k) => mean[k % mean.length]);
  return { frames, values, precision: code?.precision ?? stillPrecision(channel) };
}

/** Of a curve that stands: bits of a rotation, the exponent of everything else. */
function stillPrecision({ path, interpolation }: GltfChannel): number {
  return path === 'rotation' && interpolation !== 'CUBICSPLINE' ? 16 : -20;
}

/** Quaternions of unit length, for the filter takes them as such. */
function unitQuaternions(values: Float32Array): Float32Array {
  const out = new Float32Array(values.length);
  for (let k = 0; k < values.length; k += 4) {
    const length = Math.hypot(values[k], values[k + 1], values[k + 2], values[k + 3]) || 1;
    for (let c = 0; c < 4; c++) out[k + c] = values[k + c] / length;
  }
  return out;
}
