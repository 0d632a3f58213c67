/** `pelt convert`: one form of a sequence into another. */

import { FrameMeshes, readFrames } from '@pelt/io';
import {
  frameCount,
  type Mesh,
  stageOf,
  triangleCount,
  UsageError,
  validateMesh,
  validateMeshSequence,
  vertexCount,
} from '@pelt/model';
import { type LoadedClips, openClips, readClips } from '../input/load-clips.ts';
import { type InputFigures, loadGltf, type OpenedSequence, requireAlembic } from '../input/load-sequence.ts';
import { namedMesh, namedSequence } from '../input/names.ts';
import { readAnimation } from '../input/read-animation.ts';
import { isGltf, type Source, sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { warnOfGrowth, warnOfSize } from '../outputs/growth.ts';
import { totalBytes } from '../outputs/outputs.ts';
import {
  isWrittenInParts,
  outputFormat,
  outputPaths,
  PartWriter,
  probeSequence,
  type WriteOptions,
  writeMesh,
  writeSequence,
} from '../outputs/sequence-files.ts';
import type { Checked } from '../request/table.ts';
import { convertScene, sceneFormat } from './convert-scene.ts';
import { convertVat, type VatFigures } from './convert-vat.ts';
import { keepFile } from './keep-file.ts';
import type { CONVERT } from './table.ts';

export interface ConvertReport {
  readonly input: InputFigures;
  readonly clips: readonly string[];
  readonly output: {
    readonly file: string;
    readonly bytes: number;
    readonly frames: number;
    readonly files: readonly { readonly file: string; readonly bytes: number }[];
  };
  /** Of a glTF that was packed as it is: root mean square distance of its surface to the input's, in % of the diagonal. */
  readonly rmsePercent?: number;
  /** Of frames as a texture. */
  readonly vat?: VatFigures;
  readonly seconds: { readonly read: number; readonly write: number };
}

/** Bytes of positions that are read and written at a time, where the output can be written in parts. */
export const PART_BYTES = 2 ** 27;

export async function convert(request: Checked<typeof CONVERT>, job: Job): Promise<ConvertReport> {
  if (request.options.vat !== undefined) return convertVat(request, request.options.vat, job);
  const scene = sceneFormat(request.output);
  if (scene) requireCompressible(request.output, request.options);
  return scene ? convertScene(request, scene, job, convertFrames) : convertFrames(request, job);
}

async function convertFrames({ inputs, output, options }: Checked<typeof CONVERT>, job: Job): Promise<ConvertReport> {
  const { frame } = options;
  const format = outputFormat(output);
  probeSequence(output, frame === undefined, job);
  const source = sourceOf(job.files, inputs, options.rest);
  requireCompressible(output, options);
  if (keeps(format, options) && isOneGltf(source)) {
    const { mesh, up, scale } = options;
    requireAlembic(source.meshes[0], { mesh, up, scale });
    return keepFile(source, output, options, job);
  }
  requireBaking(options);
  const [clips, opening] = await timed(() => openClips(inputs, options, job, job.context));
  const [{ opened }] = clips.parts;
  const mesh = namedMesh(opened.source.rest);
  const rest = { ...mesh, name: options.name ?? mesh.name };
  const names = await clipNames(source, opened, options, job);
  const several = clips.parts.length > 1 && frame === undefined;
  const all = several ? await readClips(clips, job, job.context) : undefined;
  const S = frame !== undefined ? 1 : all ? frameCount(all.sequence) : opened.count;
  job.outputs.claim(outputPaths(output, S));
  if (isOneGltf(source)) warnOfSize(job, source, estimatedBytes(format, S, rest), format === 'glb');
  const { read, write } = all
    ? await convertClips(output, all, rest, job, options)
    : frame === undefined
      ? await convertAll(output, opened, rest, job, options)
      : await convertOne(output, opened, rest, frame, job, options);
  if (all && format !== 'glb') {
    const listed = all.clips.map((clip) => `'${clip.name}' (${clip.times.length} frames)`).join(', ');
    job.warn(`the clips follow each other: ${listed}; --clip chooses one`);
  }
  warnOfGrowth(job, source, totalBytes(job.outputs), /\.glb$/i.test(output) ? undefined : 'it holds every frame');
  if ((format === 'pc2' || format === 'mdd') && !source.cache) {
    job.warn(`'${output}' holds points only; its mesh is written by --frame rest -o rest.obj`);
  }
  return {
    clips: all ? all.clips.map(({ name }) => name) : names,
    input: {
      name: opened.label,
      bytes: opened.bytes,
      vertices: vertexCount(rest),
      triangles: triangleCount(rest),
      frames: all ? frameCount(all.sequence) : opened.count,
    },
    output: {
      file: output,
      bytes: totalBytes(job.outputs),
      frames: S,
      files: job.outputs.written.map(({ path, bytes }) => ({ file: path, bytes })),
    },
    seconds: { read: opening + read, write },
  };
}

function requireCompressible(output: string, { compress }: Checked<typeof CONVERT>['options']): void {
  const scene = sceneFormat(output);
  if (compress !== 'none' && scene !== 'vrm' && (scene || outputFormat(output) !== 'glb')) {
    throw new UsageError(`--compress ${compress} packs a .glb or .vrm; '${output}' is neither`);
  }
}

function isOneGltf({ meshes, cache }: Source): boolean {
  return !cache && meshes.length === 1 && isGltf(meshes[0]);
}

/** The clips that are written: all of a glTF, unless one is chosen. */
async function clipNames(
  source: Source,
  { animation }: OpenedSequence,
  { clip, rest }: Checked<typeof CONVERT>['options'],
  job: Job,
): Promise<string[]> {
  if (clip !== undefined || rest !== undefined || !isOneGltf(source)) return animation ? [animation] : [];
  const { animations } = await loadGltf(source.meshes[0], { ...job, warn: () => {} });
  return animations.map(({ name }, k) => name || `clip-${k}`);
}

/** Whether a glTF is to be written with everything that it has: frames of positions are asked for. */
function keeps(format: string, { bake, frame, rest }: Checked<typeof CONVERT>['options']): boolean {
  return format === 'glb' && !bake && frame === undefined && rest === undefined;
}

function requireBaking({ blending }: Checked<typeof CONVERT>['options']): void {
  if (blending === undefined) return;
  throw new UsageError('--blending is kept in a glTF that keeps its skin; give one glTF and a .glb, without --bake');
}

/** Several clips behind each other. */
async function convertClips(
  output: string,
  { sequence, clips }: LoadedClips,
  rest: Mesh,
  job: Job,
  options: WriteOptions,
): Promise<Seconds> {
  const [, write] = await timed(() =>
    writeSequence(output, { ...sequence, rest }, job, { ...options, clips }, stageOf(job.context, 0.5, 1)),
  );
  return { read: 0, write };
}

/** Positions of every frame, and in a GLB their normals. */
function estimatedBytes(format: string, S: number, rest: Mesh): number {
  return S * rest.positions.length * (format === 'glb' && rest.normals ? 8 : 4);
}

type Seconds = ConvertReport['seconds'];

/** In parts where the output allows it, so that a sequence may be larger than memory. */
async function convertAll(
  output: string,
  { source, frames, count, meshes, animation }: OpenedSequence,
  rest: Mesh,
  job: Job,
  options: WriteOptions,
): Promise<Seconds> {
  const n = vertexCount(rest);
  const step = isWrittenInParts(output) ? Math.max(1, Math.floor(PART_BYTES / (12 * n))) : count;
  job.expectFrames(n, Math.min(step, count));
  const seconds = { read: 0, write: 0 };
  const chosen = frames ?? Uint32Array.from({ length: count }, (_, t) => t);
  const times = Float64Array.from(chosen, (t) => source.times[t] - source.times[chosen[0]]);
  let writer: PartWriter | undefined;
  for (let from = 0; from < count; from += step) {
    const to = Math.min(count, from + step);
    const [middle, end] = [(from + to) / 2 / count, to / count];
    const part = chosen.subarray(from, to);
    const [read, reading] = await timed(() =>
      readAnimation(source, part, meshes, job, stageOf(job.context, from / count, middle)),
    );
    const sequence = { ...namedSequence(read, animation), rest };
    validateMeshSequence(sequence);
    const [, writing] = await timed(async () => {
      const context = stageOf(job.context, middle, end);
      if (!isWrittenInParts(output)) return writeSequence(output, sequence, job, options, context);
      writer ??= new PartWriter(output, { rest, times }, job, options);
      return writer.add(sequence.frames, context);
    });
    seconds.read += reading;
    seconds.write += writing;
  }
  return seconds;
}

/** One frame, or the rest pose; nothing else is read. */
async function convertOne(
  output: string,
  { source, frames, count }: OpenedSequence,
  rest: Mesh,
  frame: number | 'rest',
  job: Job,
  options: WriteOptions,
): Promise<Seconds> {
  if (frame !== 'rest' && frame > count) {
    throw new UsageError(`there is no frame ${frame}; the animation has ${count}`);
  }
  const [mesh, read] = await timed(() => {
    if (frame === 'rest') return rest;
    const sequence = readFrames(source, { frames: [frames ? frames[frame - 1] : frame - 1] }, job.context);
    return new FrameMeshes({ ...sequence, rest }).at(0);
  });
  validateMesh(mesh);
  const [, write] = await timed(() => writeMesh(output, mesh, job, options));
  return { read, write };
}
