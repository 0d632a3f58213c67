/** A sequence as files: the format by the name's extension, one file or one a frame. */
import {
  FrameMeshes,
  frameBytes,
  mddHeader,
  pc2Header,
  withKhrMeshopt,
  writeAlembic,
  writeGlb,
  writeMorphGlb,
  writeObj,
  writePly,
} from '@pelt/io';
import {
  checkCancelled,
  frameCount,
  type Mesh,
  type MeshSequence,
  type RunContext,
  UnsupportedError,
  UsageError,
} from '@pelt/model';
import { compressGlb, type Transport } from '@pelt/pack';
import type { ClipSpan } from '../input/load-clips.ts';
import type { Job } from '../job.ts';

export type OutputFormat = 'obj' | 'ply' | 'pc2' | 'mdd' | 'abc' | 'glb';

const FORMATS: readonly OutputFormat[] = ['obj', 'ply', 'pc2', 'mdd', 'abc', 'glb'];
/** Formats that hold all frames in one file. */
const SEQUENCE_FORMATS: readonly OutputFormat[] = ['pc2', 'mdd', 'abc', 'glb'];

export interface WriteOptions {
  readonly fps?: number;
  /** PLY as text. */
  readonly ascii?: boolean;
  /** A GLB packed within an error that cannot be seen. */
  readonly compress?: 'none' | 'meshopt' | 'khr';
  /** What the packed file is compressed by on its way. */
  readonly for?: Transport | undefined;
  /** What the frames are, where they are several clips. */
  readonly clips?: readonly ClipSpan[];
}

/** What writing takes of a job. */
type Writer = Pick<Job, 'files' | 'outputs' | 'warn'>;

export function outputFormat(path: string): OutputFormat {
  const extension = extensionOf(path).slice(1).toLowerCase();
  const format = FORMATS.find((known) => known === extension);
  if (format) return format;
  const what = extension ? `'.${extension}' files are not written` : `'${path}' has no extension to say its format`;
  throw new UnsupportedError(
    `${what}; use ${FORMATS.map((known) => `.${known}`).join(', ')}, .fbx, .usdz, .usda, .vrm, .vrma`,
  );
}

/** With its dot; empty where there is none, or where the dot begins the name. */
function extensionOf(path: string): string {
  return /[^/\\](\.[^./\\]*)$/.exec(path)?.[1] ?? '';
}

/**
 * Where frame t of S goes: a run of # in the name is replaced by its number, else the number is put before the
 * extension, with as many digits as all of them need. Frames count from 1, as animation programs do.
 */
export function framePath(path: string, t: number, S: number): string {
  const extension = extensionOf(path);
  const stem = path.slice(0, path.length - extension.length);
  const digits = Math.max(4, String(S).length);
  const marks = /#+(?=[^#/\\]*$)/.exec(stem);
  if (!marks) return `${stem}-${String(t + 1).padStart(digits, '0')}${extension}`;
  const number = String(t + 1).padStart(marks[0].length, '0');
  return stem.slice(0, marks.index) + number + stem.slice(marks.index + marks[0].length) + extension;
}

/** All files of a sequence of S frames, but for material libraries and pictures. */
export function outputPaths(path: string, S: number): string[] {
  const format = outputFormat(path);
  if (S === 1 || SEQUENCE_FORMATS.includes(format)) return [path];
  return Array.from({ length: S }, (_, t) => framePath(path, t, S));
}

/** Makes sure that a sequence can be written, before the number of its frames is known. */
export function probeSequence(path: string, many: boolean, { outputs }: Writer): void {
  // Reserving the first of several frames stands for all, as they lie in one folder.
  if (!many || SEQUENCE_FORMATS.includes(outputFormat(path))) outputs.reserve(path);
  else outputs.probe(framePath(path, 0, 1));
}

/** Whether a sequence can be written in parts: then it need not be in memory as a whole. */
export function isWrittenInParts(path: string): boolean {
  const format = outputFormat(path);
  return format !== 'abc' && format !== 'glb';
}

export async function writeSequence(
  path: string,
  sequence: MeshSequence,
  job: Writer,
  options: WriteOptions,
  context?: RunContext,
): Promise<void> {
  const { outputs, warn } = job;
  const format = outputFormat(path);
  if (format === 'abc') outputs.write(path, writeAlembic(sequence));
  else if (format === 'glb' && frameCount(sequence) > 1) {
    const { bytes } = await writeMorphGlb(sequence, { onWarning: warn, clips: options.clips ?? [] });
    outputs.write(path, await packed(bytes, options));
  } else await new PartWriter(path, sequence, job, options).add(sequence.frames, context);
}

/** Writes the frames of a sequence in parts, in their order. */
export class PartWriter {
  readonly #path: string;
  readonly #rest: Mesh;
  readonly #times: Float64Array;
  readonly #meshes: FrameMeshes;
  readonly #job: Writer;
  readonly #options: WriteOptions;
  #written = 0;

  /** @param sequence  its rest pose, and the times of all frames */
  constructor(path: string, { rest, times }: Pick<MeshSequence, 'rest' | 'times'>, job: Writer, options: WriteOptions) {
    this.#path = path;
    this.#rest = rest;
    this.#times = times;
    this.#meshes = new FrameMeshes({ name: '', rest, times, frames: rest.positions });
    this.#job = job;
    this.#options = options;
  }

  /** @param frames  k × n × 3, the frames that come next */
  async add(frames: Float32Array, context?: RunContext): Promise<void> {
    const size = this.#rest.positions.length;
    const format = outputFormat(this.#path);
    if (format === 'pc2' || format === 'mdd') {
      if (this.#written === 0) this.#job.outputs.append(this.#path, this.#header(format));
      this.#job.outputs.append(this.#path, frameBytes(frames, format === 'pc2'));
      this.#written += frames.length / size;
      return;
    }
    for (let k = 0; k < frames.length; k += size) {
      checkCancelled(context);
      await this.#writeFrame(frames.subarray(k, k + size));
      context?.onProgress?.({ stage: 'writing', fraction: (k + size) / frames.length });
    }
  }

  #header(format: 'pc2' | 'mdd'): Uint8Array {
    const n = this.#rest.positions.length / 3;
    const { fps } = this.#options;
    return format === 'mdd' ? mddHeader(n, this.#times) : pc2Header(n, this.#times, { fps, onWarning: this.#job.warn });
  }

  async #writeFrame(positions: Float32Array): Promise<void> {
    const t = this.#written++;
    const S = this.#times.length;
    // What the format cannot hold is lost in every frame alike: say it once.
    const writer = t === 0 ? this.#job : { ...this.#job, warn: () => {} };
    const file = S > 1 ? framePath(this.#path, t, S) : this.#path;
    const mesh = this.#meshes.posed(positions);
    if (outputFormat(this.#path) === 'obj') writeObjFrame(file, this.#path, t, mesh, writer);
    else await writeMesh(file, mesh, writer, this.#options);
  }
}

/** One mesh; caches hold no mesh. */
export async function writeMesh(path: string, mesh: Mesh, writer: Writer, options: WriteOptions): Promise<void> {
  const { ascii = false } = options;
  const { outputs, warn } = writer;
  switch (outputFormat(path)) {
    case 'obj':
      writeObjFrame(path, path, 0, mesh, writer);
      break;
    case 'ply':
      outputs.write(path, writePly(mesh, { name: path, encoding: ascii ? 'ascii' : undefined, onWarning: warn }));
      break;
    case 'abc':
      outputs.write(path, writeAlembic({ name: '', rest: mesh, frames: mesh.positions, times: Float64Array.of(0) }));
      break;
    case 'glb':
      outputs.write(path, await packed((await writeGlb({ mesh }, { onWarning: warn })).bytes, options));
      break;
    default:
      throw new UsageError(`'${path}' is a cache of many frames; write a single one as .obj, .ply or .glb`);
  }
}

/** A GLB as it is, or compressed. */
async function packed(bytes: Uint8Array, { compress, for: transport }: WriteOptions): Promise<Uint8Array> {
  if (compress === undefined || compress === 'none') return bytes;
  const small = (await compressGlb(bytes, transport && { transport })).bytes;
  return compress === 'khr' ? withKhrMeshopt(small) : small;
}

/** Frames share one material library, named after the sequence; it and its pictures are written with the first. */
function writeObjFrame(
  path: string,
  sequencePath: string,
  t: number,
  mesh: Mesh,
  { outputs, warn, files: { paths } }: Writer,
): void {
  const { join, dirname, basename } = paths;
  const stem = basename(sequencePath.slice(0, sequencePath.length - extensionOf(sequencePath).length));
  const library = `${stem.replaceAll('#', '') || 'materials'}.mtl`;
  const [obj, ...look] = writeObj(mesh, { name: basename(path), library, onWarning: warn });
  outputs.write(path, obj.bytes);
  // Names of pictures came from a file: only their last part counts, so that they stay in this folder.
  if (t === 0) for (const { name, bytes } of look) outputs.write(join(dirname(path), basename(name)), bytes);
}
