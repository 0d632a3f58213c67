/** A sequence as files: the format by the name's extension, one file or one a frame. */
import {
  compressGlb,
  FrameMeshes,
  writeAlembic,
  writeGlb,
  writeMdd,
  writeMorphGlb,
  writeObj,
  writePc2,
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
  readonly compress?: 'none' | 'meshopt';
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
  throw new UnsupportedError(`${what}; use ${FORMATS.map((known) => `.${known}`).join(', ')}`);
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

export async function writeSequence(
  path: string,
  sequence: MeshSequence,
  job: Writer,
  options: WriteOptions,
  context?: RunContext,
): Promise<void> {
  const { outputs, warn } = job;
  const format = outputFormat(path);
  const S = frameCount(sequence);
  const { fps } = options;
  if (format === 'pc2') outputs.write(path, writePc2(sequence, { fps, onWarning: warn }));
  else if (format === 'mdd') outputs.write(path, writeMdd(sequence));
  else if (format === 'abc') outputs.write(path, writeAlembic(sequence));
  else if (format === 'glb' && S > 1) {
    const { bytes } = await writeMorphGlb(sequence, { onWarning: warn, clips: options.clips ?? [] });
    outputs.write(path, await packed(bytes, options));
  } else {
    const meshes = new FrameMeshes(sequence);
    for (let t = 0; t < S; t++) {
      checkCancelled(context);
      // What the format cannot hold is lost in every frame alike: say it once.
      const writer = t === 0 ? job : { ...job, warn: () => {} };
      const file = S > 1 ? framePath(path, t, S) : path;
      if (format === 'obj') writeObjFrame(file, path, t, meshes.at(t), writer);
      else await writeMesh(file, meshes.at(t), writer, options);
      context?.onProgress?.({ stage: 'writing', fraction: (t + 1) / S });
    }
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
async function packed(bytes: Uint8Array, { compress }: WriteOptions): Promise<Uint8Array> {
  return compress === 'meshopt' ? (await compressGlb(bytes)).bytes : bytes;
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
