/**
 * A point cache in a file that need not fit into memory: PC2 and MDD hold all frames one after the other, as float32 of
 * one byte order, so that any frame, and any vertex of it, is found by arithmetic.
 */
import { InputError, type Mesh } from '@pelt/model';
import type { ByteSource } from './byte-source.ts';
import { HOST_IS_LITTLE_ENDIAN } from './cursor.ts';
import { FrameGather, type FrameSource, requireFrameRequest } from './frame-source.ts';
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

/** Points between two that are wanted which are rather read than skipped: a read costs as much as some 16 KB. */
const NEAR = 1365;
/** Most points that are read at once. */
const LONGEST = 1 << 18;

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
  /** Scratch: a range of a frame of which some vertices are wanted. */
  #range = new Float32Array(0);
  readonly #gather = new FrameGather();

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
   * @param vertices  m vertex indices, in any order; absent: all vertices. Where they increase, only the ranges of the
   *                  file that hold them are read.
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void {
    requireFrameRequest(t, this.times.length, this.points, out, vertices);
    if (vertices && increases(vertices)) this.#readRuns(t, vertices, out);
    else this.#gather.read(this.points, vertices, out, (whole) => this.#readRange(t, 0, whole));
  }

  /** All frames, in memory. */
  readAll(): PointCache {
    const { name, points, times } = this;
    const frames = new Float32Array(times.length * points * 3);
    for (let t = 0; t < times.length; t++) this.#readRange(t, 0, frames.subarray(t * points * 3, (t + 1) * points * 3));
    return { name, points, times, frames };
  }

  /** Reads run by run: vertices that are near each other are read together. */
  #readRuns(t: number, vertices: ArrayLike<number>, out: Float32Array): void {
    for (let k = 0; k < vertices.length; ) {
      const first = vertices[k];
      let end = k + 1;
      const near = () => vertices[end] - vertices[end - 1] <= NEAR && vertices[end] - first < LONGEST;
      while (end < vertices.length && near()) end++;
      const size = 3 * (vertices[end - 1] - first + 1);
      if (this.#range.length < size) this.#range = new Float32Array(Math.max(size, Math.min(LONGEST, this.points) * 3));
      const run = this.#range.subarray(0, size);
      this.#readRange(t, first, run);
      for (; k < end; k++) {
        const at = 3 * (vertices[k] - first);
        for (let d = 0; d < 3; d++) out[3 * k + d] = run[at + d];
      }
    }
  }

  /** @param out  the points from `first` on, as many as it has room for */
  #readRange(t: number, first: number, out: Float32Array): void {
    const room = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
    const bytes = this.#source.read(this.#start + 12 * (t * this.points + first), room.length, room);
    // A source may fill the room that it is offered, or give what it has.
    if (bytes.buffer !== room.buffer || bytes.byteOffset !== room.byteOffset) room.set(bytes);
    if (this.#swapped) swapWords(new Uint32Array(out.buffer, out.byteOffset, out.length));
    this.#requireFinite(t, first, out);
  }

  #requireFinite(t: number, first: number, positions: Float32Array): void {
    for (let k = 0; k < positions.length; k++) {
      if (Number.isFinite(positions[k])) continue;
      throw new InputError(
        `${this.label}: point ${first + Math.floor(k / 3)} of frame ${t} has the coordinate ${positions[k]}, ` +
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
  const name = cache.name || rest.name;
  return { name, label, rest, times, readFrame: (t, out, vertices) => cache.readFrame(t, out, vertices) };
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

function increases(values: ArrayLike<number>): boolean {
  for (let k = 1; k < values.length; k++) if (values[k] <= values[k - 1]) return false;
  return true;
}

/** Reverses the bytes of every word. */
function swapWords(words: Uint32Array): void {
  for (let k = 0; k < words.length; k++) {
    const word = words[k];
    words[k] = (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
  }
}
