/**
 * A point cache in a file that need not fit into memory: PC2 and MDD hold all frames one after the other, as float32 of
 * one byte order, so that any frame, and any vertex of it, is found by arithmetic.
 */
import { InputError, type Mesh } from '@pelt/model';
import type { ByteSource } from './byte-source.ts';
import { HOST_IS_LITTLE_ENDIAN } from './cursor.ts';
import { type FrameSource, gatherPoints, requireFrameRequest } from './frame-source.ts';
import { type PointCache, requireCacheOf } from './point-cache.ts';

/** Where the frames are in a file. */
export interface CacheLayout {
  /** The file's name, without folder and extension. */
  readonly name: string;
  /** Begins every message: `PC2 'clip.pc2'`. */
  readonly label: string;
  /** n */
  readonly points: number;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  /** Byte at which the first frame begins; all S × n × 12 bytes are there. */
  readonly start: number;
  readonly littleEndian: boolean;
}

/**
 * An opened point cache, whose frames are read when they are asked for.
 * @example
 * {@includeCode ../examples/frame-source.ts}
 */
export class PointCacheFile {
  readonly name: string;
  readonly label: string;
  /** n */
  readonly points: number;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  readonly #source: ByteSource;
  readonly #start: number;
  readonly #swapped: boolean;
  /** Scratch: a frame of which some vertices are wanted. */
  #whole = new Float32Array(0);

  constructor(source: ByteSource, { name, label, points, times, start, littleEndian }: CacheLayout) {
    this.name = name;
    this.label = label;
    this.points = points;
    this.times = times;
    this.#source = source;
    this.#start = start;
    this.#swapped = littleEndian !== HOST_IS_LITTLE_ENDIAN;
  }

  /**
   * @param t         frame number, 0 to S − 1
   * @param out       n × 3 positions, or m × 3 if `vertices` is given; overwritten
   * @param vertices  m vertex indices, in any order; absent: all vertices
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void {
    requireFrameRequest(t, this.times.length, this.points, out, vertices);
    if (!vertices) {
      this.#readWhole(t, out);
      return;
    }
    if (this.#whole.length === 0) this.#whole = new Float32Array(3 * this.points);
    this.#readWhole(t, this.#whole);
    gatherPoints(this.#whole, vertices, out);
  }

  /** All frames, in memory. */
  readAll(): PointCache {
    const { name, points, times } = this;
    const frames = new Float32Array(times.length * points * 3);
    for (let t = 0; t < times.length; t++) this.#readWhole(t, frames.subarray(t * points * 3, (t + 1) * points * 3));
    return { name, points, times, frames };
  }

  #readWhole(t: number, out: Float32Array): void {
    const room = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
    const bytes = this.#source.read(this.#start + t * room.length, room.length, room);
    // A source may fill the room that it is offered, or give what it has.
    if (bytes.buffer !== room.buffer || bytes.byteOffset !== room.byteOffset) room.set(bytes);
    if (this.#swapped) swapWords(new Uint32Array(out.buffer, out.byteOffset, out.length));
    this.#requireFinite(t, out);
  }

  #requireFinite(t: number, positions: Float32Array): void {
    for (let k = 0; k < positions.length; k++) {
      if (Number.isFinite(positions[k])) continue;
      throw new InputError(
        `${this.label}: point ${Math.floor(k / 3)} of frame ${t} has the coordinate ${positions[k]}, ` +
          'not a finite number; bake the cache again',
      );
    }
  }
}

/**
 * An opened point cache as an animation of the mesh that it was made from.
 * @example
 * {@includeCode ../examples/frame-source.ts}
 */
export function animationFromCache(rest: Mesh, cache: PointCacheFile): FrameSource {
  requireCacheOf(rest, cache);
  const { label, times } = cache;
  return { name: cache.name || rest.name, label, rest, times, readFrame: (t, out) => cache.readFrame(t, out) };
}

/**
 * Positions as the bytes of a cache, behind its header.
 *
 * @param frames        k × n × 3, any number of frames
 * @param littleEndian  as in PC2; big endian as in MDD
 * @returns the memory of `frames` itself where it has the wanted order of bytes
 * @example
 * {@includeCode ../examples/frame-source.ts}
 */
export function frameBytes(frames: Float32Array, littleEndian: boolean): Uint8Array {
  if (littleEndian === HOST_IS_LITTLE_ENDIAN)
    return new Uint8Array(frames.buffer, frames.byteOffset, frames.byteLength);
  const copy = frames.slice();
  swapWords(new Uint32Array(copy.buffer));
  return new Uint8Array(copy.buffer);
}

export function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** Reverses the bytes of every word. */
function swapWords(words: Uint32Array): void {
  for (let k = 0; k < words.length; k++) {
    const word = words[k];
    words[k] = (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
  }
}
