/**
 * A sequence from one file a frame: rest pose, order, times, and the promise that every file has the rest pose's
 * vertices and triangles. Files are opened one at a time, so that their text is never in memory all at once.
 */
import {
  InputError,
  type Mesh,
  type MeshSequence,
  type RunContext,
  resolveOptions,
  UnsupportedError,
  UsageError,
  uniformTimes,
  vertexCount,
} from '@pelt/model';
import { detectFormat } from './detect.ts';
import { trianglesOfFaces } from './faces.ts';
import { FrameGather, type FrameSource, readFrames, requireFrameRequest } from './frame-source.ts';
import { type FrameNumbers, frameNumbers, naturalCompare } from './natural-order.ts';
import { parseObj } from './obj/parse-obj.ts';
import { READ_OBJ_DEFAULTS, readObj } from './obj/read-obj.ts';
import { scanObjFrame } from './obj/scan-obj-frame.ts';
import { readPly } from './ply/read-ply.ts';
import { DEFAULT_FPS } from './point-cache.ts';
import { fileLabel } from './read-options.ts';
import { WarningTally } from './warning-tally.ts';

/** One frame's file; its bytes, or how to get them when their turn comes. */
export interface FrameFile {
  readonly name: string;
  readonly bytes: Uint8Array | (() => Uint8Array);
}

export interface FramesOptions {
  /** Name of the sequence; empty: that of its rest pose. */
  readonly name: string;
  /** The rest pose; absent: the first frame. */
  readonly rest: Mesh | undefined;
  readonly fps: number;
  /** Gives the files that the first frame names, where it is the rest pose (materials, textures). */
  readonly resolve: ((path: string) => Uint8Array | undefined) | undefined;
  readonly onWarning: ((message: string) => void) | undefined;
}

export const FRAMES_DEFAULTS: FramesOptions = {
  name: '',
  rest: undefined,
  fps: DEFAULT_FPS,
  resolve: READ_OBJ_DEFAULTS.resolve,
  onWarning: READ_OBJ_DEFAULTS.onWarning,
};

/**
 * Reads one OBJ or PLY file per frame as a sequence.
 *
 * @param files  in any order: they are sorted by their names
 * @example
 * {@includeCode ../examples/sequences.ts}
 */
export function sequenceFromFrames(
  files: readonly FrameFile[],
  options?: Partial<FramesOptions>,
  context?: RunContext,
): MeshSequence {
  return readFrames(new FrameFiles(files, options), {}, context);
}

/**
 * One OBJ or PLY file per frame as an animation: a file is opened when its frame is read.
 * @example
 * {@includeCode ../examples/frame-source.ts}
 */
export class FrameFiles implements FrameSource {
  readonly name: string;
  readonly label = 'frames';
  readonly rest: Mesh;
  readonly times: Float64Array;
  /** In the order of the frames. */
  readonly files: readonly FrameFile[];
  /** Of the first file, which has been opened for the rest pose, until it is read as a frame. */
  #first: Uint8Array | undefined;
  /** Hashes of face texts that were parsed and found to be the rest pose's. */
  readonly #knownFaces = new Set<number>();
  readonly #gather = new FrameGather();

  /** @param files  in any order: they are sorted by their names */
  constructor(files: readonly FrameFile[], options?: Partial<FramesOptions>) {
    const { name, rest, fps, resolve, onWarning } = resolveOptions('sequenceFromFrames', FRAMES_DEFAULTS, options);
    if (files.length === 0) throw new UsageError('sequenceFromFrames: no frames are given');
    if (!(fps > 0 && Number.isFinite(fps))) throw new UsageError(`sequenceFromFrames: fps is ${fps}, expected above 0`);
    this.files = files.toSorted((a, b) => naturalCompare(a.name, b.name));
    const [first] = this.files;
    if (!rest) this.#first = bytesOf(first);
    this.rest = rest ?? readFrameMesh(first.name, this.#first as Uint8Array, resolve, onWarning);
    this.name = name || this.rest.name;
    const numbers = frameNumbers(this.files.map((file) => file.name));
    const warnings = new WarningTally('frames', onWarning);
    if (numbers) tellGaps(this.files, numbers, warnings);
    warnings.flush();
    this.times = frameTimes(files.length, numbers, fps);
  }

  /**
   * @param t         frame number, 0 to S − 1
   * @param out       n × 3 positions, or m × 3 if `vertices` is given; overwritten
   * @param vertices  m vertex indices, in any order; absent: all vertices
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void {
    const n = vertexCount(this.rest);
    requireFrameRequest(t, this.files.length, n, out, vertices);
    this.#gather.read(n, vertices, out, (whole) => this.#readWhole(t, whole));
  }

  #readWhole(t: number, out: Float32Array): void {
    const { name } = this.files[t];
    const bytes = (t === 0 && this.#first) || bytesOf(this.files[t]);
    if (t === 0) this.#first = undefined;
    if (detectFormat(name, bytes) === 'obj') this.#readObj(name, bytes, out);
    else this.#readMesh(name, bytes, out);
  }

  /**
   * Whether the faces of a file are known to be the rest pose's, by the hash that `scanObjFrame` gave in another thread.
   * Where they are not, the frame has to be read here.
   */
  knowsFaces(hash: number): boolean {
    // A file of points alone says nothing of triangles, and so nothing against them.
    return hash === 0 || this.#knownFaces.has(hash);
  }

  #readObj(name: string, bytes: Uint8Array, out: Float32Array): void {
    const hash = scanObjFrame(bytes, vertexCount(this.rest), name, out);
    if (this.knowsFaces(hash)) return;
    const label = fileLabel('OBJ', name);
    const { faceSizes, corners } = parseObj(bytes, name, new WarningTally(label, undefined));
    // Cut on the rest pose: a polygon may be cut in another way where it moved.
    this.#requireTriangles(label, trianglesOfFaces(this.rest.positions, faceSizes, corners, label).triangles);
    this.#knownFaces.add(hash);
  }

  #readMesh(name: string, bytes: Uint8Array, out: Float32Array): void {
    const mesh = readFrameMesh(name, bytes, undefined, undefined);
    const label = fileLabel('frame', name);
    if (vertexCount(mesh) !== vertexCount(this.rest)) {
      throw new InputError(
        `${label}: ${vertexCount(mesh)} vertices, but the rest pose has ${vertexCount(this.rest)}; ` +
          'all frames need the same vertices in the same order',
      );
    }
    if (mesh.triangles.length > 0) this.#requireTriangles(label, mesh.triangles);
    out.set(mesh.positions);
  }

  #requireTriangles(label: string, triangles: Uint32Array): void {
    const expected = this.rest.triangles;
    const cure = 'all frames need one connectivity: export them from one mesh, with its vertex order kept';
    if (triangles.length !== expected.length) {
      throw new InputError(
        `${label}: ${triangles.length / 3} triangles, but the rest pose has ${expected.length / 3}; ${cure}`,
      );
    }
    const differs = triangles.findIndex((vertex, c) => vertex !== expected[c]);
    if (differs >= 0) {
      throw new InputError(`${label}: triangle ${Math.floor(differs / 3)} is not that of the rest pose; ${cure}`);
    }
  }
}

function bytesOf({ bytes }: FrameFile): Uint8Array {
  return typeof bytes === 'function' ? bytes() : bytes;
}

function readFrameMesh(
  name: string,
  bytes: Uint8Array,
  resolve: FramesOptions['resolve'],
  onWarning: FramesOptions['onWarning'],
): Mesh {
  switch (detectFormat(name, bytes)) {
    case 'obj':
      return readObj(bytes, { name, resolve, onWarning });
    case 'ply':
      return readPly(bytes, { name, onWarning });
    default:
      throw new UnsupportedError(`'${name}' cannot be one frame of many; frames are OBJ or PLY files`);
  }
}

function tellGaps(files: readonly FrameFile[], { numbers, step }: FrameNumbers, warnings: WarningTally): void {
  for (let t = 1; t < numbers.length; t++) {
    const from = numbers[t - 1] + step;
    const to = from + Math.ceil((numbers[t] - from) / step - 1) * step;
    if (to < from) continue;
    const missing = from === to ? `frame ${from} is` : `frames ${from} to ${to} are`;
    warnings.add(`${missing} missing between '${files[t - 1].name}' and '${files[t].name}'; the time between is kept`);
  }
}

/** A missing frame leaves its time empty, so that what comes after it is not early. */
function frameTimes(count: number, numbers: FrameNumbers | undefined, fps: number): Float64Array {
  if (!numbers) return uniformTimes(count, fps);
  const [start] = numbers.numbers;
  return Float64Array.from(numbers.numbers, (number) => (number - start) / numbers.step / fps);
}
