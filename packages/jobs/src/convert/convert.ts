/** `pelt convert`: one form of a sequence into another. */

import { FrameMeshes, readFrames } from '@pelt/io';
import {
  type Mesh,
  stageOf,
  triangleCount,
  UsageError,
  validateMesh,
  validateMeshSequence,
  vertexCount,
} from '@pelt/model';
import { type InputFigures, type OpenedSequence, openSequence } from '../input/load-sequence.ts';
import { namedMesh, namedSequence } from '../input/names.ts';
import { readAnimation } from '../input/read-animation.ts';
import { sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
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
import type { CONVERT } from './table.ts';

export interface ConvertReport {
  readonly input: InputFigures;
  readonly output: {
    readonly file: string;
    readonly bytes: number;
    readonly frames: number;
    readonly files: readonly { readonly file: string; readonly bytes: number }[];
  };
  readonly seconds: { readonly read: number; readonly write: number };
}

/** Bytes of positions that are read and written at a time, where the output can be written in parts. */
export const PART_BYTES = 2 ** 27;

export async function convert({ inputs, output, options }: Checked<typeof CONVERT>, job: Job): Promise<ConvertReport> {
  const { frame } = options;
  const format = outputFormat(output);
  probeSequence(output, frame === undefined, job);
  const source = sourceOf(job.files, inputs, options.rest);
  const [opened, opening] = await timed(() => openSequence(source, options, job, job.context));
  const mesh = namedMesh(opened.source.rest);
  const rest = { ...mesh, name: options.name ?? mesh.name };
  const S = frame === undefined ? opened.count : 1;
  job.outputs.claim(outputPaths(output, S));
  const { read, write } =
    frame === undefined
      ? await convertAll(output, opened, rest, job, options)
      : await convertOne(output, opened, rest, frame, job, options);
  if ((format === 'pc2' || format === 'mdd') && !source.cache) {
    job.warn(`'${output}' holds points only; its mesh is written by --frame rest -o rest.obj`);
  }
  return {
    input: {
      name: opened.label,
      bytes: opened.bytes,
      vertices: vertexCount(rest),
      triangles: triangleCount(rest),
      frames: opened.count,
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
