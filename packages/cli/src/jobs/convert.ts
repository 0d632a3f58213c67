/** `pelt convert`: one form of a sequence into another. */

import { FrameMeshes } from '@pelt/io';
import { frameAt, frameCount, type MeshSequence, stageOf, triangleCount, UsageError, vertexCount } from '@pelt/model';
import { type InputOptions, loadSequence } from '../input/load-sequence.ts';
import { sourceOf } from '../input/source-files.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { outputFormat, outputPaths, writeMesh, writeSequence } from '../output/sequence-files.ts';
import { type Job, timed } from '../thread/job.ts';

export interface ConvertRequest {
  readonly files: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  /** One frame alone, from 1, or the rest pose. */
  readonly frame?: number | 'rest';
  readonly ascii: boolean;
}

export interface ConvertReport {
  readonly input: {
    readonly name: string;
    readonly bytes: number;
    readonly vertices: number;
    readonly triangles: number;
    readonly frames: number;
  };
  readonly output: {
    readonly file: string;
    readonly bytes: number;
    readonly frames: number;
    readonly files: readonly { readonly file: string; readonly bytes: number }[];
  };
  readonly seconds: { readonly read: number; readonly write: number };
}

export async function convert(request: ConvertRequest, job: Job): Promise<ConvertReport> {
  const { output, frame, ascii, input } = request;
  const format = outputFormat(output);
  const source = sourceOf(request.files, input.rest);
  const [loaded, read] = await timed(() => loadSequence(source, input, job.warn, stageOf(job.context, 0, 0.5)));
  const { sequence } = loaded;
  const S = frame === undefined ? frameCount(sequence) : 1;
  refuseToReplace(outputPaths(output, S), loaded.paths);
  const options = { fps: input.fps, ascii };
  const [, write] = await timed(async () => {
    if (frame !== undefined) await writeMesh(output, meshOf(sequence, frame), job.outputs, options, job.warn);
    else await writeSequence(output, sequence, job.outputs, options, job.warn, stageOf(job.context, 0.5, 1));
  });
  if ((format === 'pc2' || format === 'mdd') && !source.cache) {
    job.warn(`'${output}' holds points only; its mesh is written by --frame rest -o rest.obj`);
  }
  return {
    input: {
      name: loaded.label,
      bytes: loaded.bytes,
      vertices: vertexCount(sequence.rest),
      triangles: triangleCount(sequence.rest),
      frames: frameCount(sequence),
    },
    output: {
      file: output,
      bytes: job.outputs.totalBytes,
      frames: S,
      files: job.outputs.files.map(({ target, bytes }) => ({ file: target, bytes })),
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
