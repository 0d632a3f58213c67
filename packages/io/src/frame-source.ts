/**
 * Animations whose frames are read on demand, so that one larger than memory can be sampled: archives, point caches and
 * files of one frame each.
 */
import {
  checkCancelled,
  InputError,
  type Mesh,
  type MeshSequence,
  type RunContext,
  resolveOptions,
  UsageError,
} from '@pelt/model';

/** An animated mesh with random access to its frames. */
export interface FrameSource {
  readonly name: string;
  /** Begins every message: `PC2 'clip.pc2'`. */
  readonly label: string;
  readonly rest: Mesh;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  /** Second of the file's own time at which the first frame is; absent: 0 */
  readonly start?: number;
  /**
   * @param t         frame number, 0 to S − 1
   * @param out       n × 3 positions, or m × 3 if `vertices` is given; overwritten
   * @param vertices  m vertex indices; absent: all vertices. Caches read the ranges that hold them where they increase.
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void;
}

export interface ReadFramesOptions {
  /** Frame numbers to read, strictly increasing; absent: all. */
  readonly frames: ArrayLike<number> | undefined;
}

export const READ_FRAMES_DEFAULTS: ReadFramesOptions = { frames: undefined };

/**
 * Reads an animation into memory: all of its frames, or some. Times start at the first frame that is read.
 * @example
 * {@includeCode ../examples/frame-source.ts}
 */
export function readFrames(
  source: FrameSource,
  options?: Partial<ReadFramesOptions>,
  context?: RunContext,
): MeshSequence {
  const { frames: wanted } = resolveOptions('readFrames', READ_FRAMES_DEFAULTS, options);
  const sequence = emptySequence(source, wanted);
  const size = sequence.rest.positions.length;
  const count = sequence.times.length;
  for (let k = 0; k < count; k++) {
    checkCancelled(context);
    source.readFrame(wanted ? wanted[k] : k, sequence.frames.subarray(k * size, (k + 1) * size));
    context?.onProgress?.({ stage: 'reading frames', fraction: (k + 1) / count });
  }
  return sequence;
}

/**
 * A sequence with room for the frames of an animation, which are still to be read.
 *
 * @param wanted  frame numbers, strictly increasing; absent: all
 * @example
 * {@includeCode ../examples/frame-source.ts}
 */
export function emptySequence(source: FrameSource, wanted?: ArrayLike<number>): MeshSequence {
  const { name, label, rest, times } = source;
  const chosen = wanted && checkedFrames(wanted, times.length);
  const start = chosen ? times[chosen[0]] : 0;
  const kept = chosen ? Float64Array.from(chosen, (t) => times[t] - start) : times;
  return { name, rest, frames: allocateFrames(label, kept.length, rest.positions.length), times: kept };
}

/**
 * Chooses frames evenly: the first, the last, and those between at equal distances.
 *
 * @param total   S, the frames that there are
 * @param wanted  how many to choose; all where there are no more
 * @example
 * {@includeCode ../examples/frame-source.ts}
 */
export function evenFrames(total: number, wanted: number): Uint32Array {
  if (!Number.isInteger(wanted) || wanted < 1) {
    throw new UsageError(`evenFrames: ${wanted} frames are wanted, expected a whole number from 1`);
  }
  const count = Math.min(total, wanted);
  const step = count > 1 ? (total - 1) / (count - 1) : 0;
  return Uint32Array.from({ length: count }, (_, k) => Math.round(k * step));
}

function checkedFrames(frames: ArrayLike<number>, count: number): Uint32Array {
  if (frames.length === 0) throw new UsageError('readFrames: frames is empty');
  for (let k = 0; k < frames.length; k++) {
    if (!Number.isInteger(frames[k]) || frames[k] < 0 || frames[k] >= count) {
      throw new UsageError(`readFrames: there is no frame ${frames[k]}; the animation has 0 to ${count - 1}`);
    }
    if (k > 0 && frames[k] <= frames[k - 1]) throw new UsageError('readFrames: frames must increase');
  }
  return Uint32Array.from(frames);
}

/** A larger array cannot be had in every engine. */
const MAX_NUMBERS = 2 ** 31;

/** Turns an allocation failure into an error with advice. */
function allocateFrames(label: string, count: number, size: number): Float32Array {
  try {
    if (count * size > MAX_NUMBERS) throw new RangeError(`${count * size} numbers`);
    return new Float32Array(count * size);
  } catch (cause) {
    const gigabytes = ((count * size * 4) / 1e9).toFixed(1);
    throw new InputError(
      `${label}: ${count} frames of ${size / 3} vertices need ${gigabytes} GB, ` +
        'which does not fit into memory; read fewer frames',
      { cause },
    );
  }
}

/** Some vertices of frames that can only be read as a whole. */
export class FrameGather {
  #whole = new Float32Array(0);

  /**
   * @param n         vertices of a frame
   * @param vertices  m vertex indices; absent: all
   * @param out       m × 3; overwritten
   * @param read      reads a whole frame
   */
  read(n: number, vertices: ArrayLike<number> | undefined, out: Float32Array, read: (out: Float32Array) => void): void {
    if (!vertices) {
      read(out);
      return;
    }
    if (this.#whole.length === 0) this.#whole = new Float32Array(3 * n);
    read(this.#whole);
    gatherPoints(this.#whole, vertices, out);
  }
}

/** Copies the chosen vertices of a frame. @param out  m × 3 */
function gatherPoints(frame: Float32Array, vertices: ArrayLike<number>, out: Float32Array): void {
  for (let k = 0; k < vertices.length; k++) {
    for (let d = 0; d < 3; d++) out[3 * k + d] = frame[3 * vertices[k] + d];
  }
}

/** Checks the arguments of a `readFrame`. */
export function requireFrameRequest(
  t: number,
  S: number,
  n: number,
  out: Float32Array,
  vertices: ArrayLike<number> | undefined,
): void {
  if (!Number.isInteger(t) || t < 0 || t >= S) {
    throw new UsageError(`readFrame: there is no frame ${t}; the animation has frames 0 to ${S - 1}`);
  }
  const count = vertices?.length ?? n;
  if (out.length !== 3 * count) {
    throw new UsageError(`readFrame: out has ${out.length} numbers, expected ${3 * count} for ${count} vertices`);
  }
  for (let k = 0; vertices && k < vertices.length; k++) {
    if (!(vertices[k] >= 0 && vertices[k] < n)) {
      throw new UsageError(`readFrame: there is no vertex ${vertices[k]}; the mesh has ${n} vertices`);
    }
  }
}
