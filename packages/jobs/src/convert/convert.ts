/** `pelt convert`: one form of a sequence into another. */

import { FrameMeshes } from '@pelt/io';
import { frameAt, frameCount, type MeshSequence, stageOf, UsageError } from '@pelt/model';
import { type InputFigures, inputFigures, loadSequence } from '../input/load-sequence.ts';
import { sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { totalBytes } from '../outputs/outputs.ts';
import { outputFormat, outputPaths, probeSequence, writeMesh, writeSequence } from '../outputs/sequence-files.ts';
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

export async function convert({ inputs, output, options }: Checked<typeof CONVERT>, job: Job): Promise<ConvertReport> {
  const { frame } = options;
  const format = outputFormat(output);
  probeSequence(output, frame === undefined, job);
  const source = sourceOf(job.files, inputs, options.rest);
  const [loaded, read] = await timed(() => loadSequence(source, options, job, stageOf(job.context, 0, 0.5)));
  const { name = loaded.sequence.rest.name } = options;
  const sequence = { ...loaded.sequence, rest: { ...loaded.sequence.rest, name } };
  const S = frame === undefined ? frameCount(sequence) : 1;
  job.outputs.claim(outputPaths(output, S));
  const [, write] = await timed(async () => {
    if (frame !== undefined) await writeMesh(output, meshOf(sequence, frame), job, options);
    else await writeSequence(output, sequence, job, options, stageOf(job.context, 0.5, 1));
  });
  if ((format === 'pc2' || format === 'mdd') && !source.cache) {
    job.warn(`'${output}' holds points only; its mesh is written by --frame rest -o rest.obj`);
  }
  return {
    input: inputFigures(loaded),
    output: {
      file: output,
      bytes: totalBytes(job.outputs),
      frames: S,
      files: job.outputs.written.map(({ path, bytes }) => ({ file: path, bytes })),
    },
    seconds: { read, write },
  };
}

function meshOf(sequence: MeshSequence, frame: number | 'rest') {
  if (frame === 'rest') return sequence.rest;
  const S = frameCount(sequence);
  if (frame > S) throw new UsageError(`there is no frame ${frame}; the animation has ${S}`);
  return new FrameMeshes({
    ...sequence,
    frames: frameAt(sequence, frame - 1),
    times: sequence.times.subarray(frame - 1, frame),
  }).at(0);
}
