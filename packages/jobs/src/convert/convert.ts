/** `pelt convert`: one form of a sequence into another. */

import { compressGlb, FrameMeshes } from '@pelt/io';
import { frameAt, frameCount, type MeshSequence, stageOf, UsageError } from '@pelt/model';
import { loadClips } from '../input/load-clips.ts';
import { gltfFile, type InputFigures, inputFigures } from '../input/load-sequence.ts';
import { isGltf, type SourceFile, sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { warnOfGrowth } from '../outputs/growth.ts';
import { totalBytes } from '../outputs/outputs.ts';
import { refuseToReplace } from '../outputs/refuse-to-replace.ts';
import { outputFormat, outputPaths, writeMesh, writeSequence } from '../outputs/sequence-files.ts';
import type { Checked } from '../request/table.ts';
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
  readonly seconds: { readonly read: number; readonly write: number };
}

export async function convert({ inputs, output, options }: Checked<typeof CONVERT>, job: Job): Promise<ConvertReport> {
  const { frame } = options;
  const format = outputFormat(output);
  const source = sourceOf(job.files, inputs, options.rest);
  requireCompressible(output, options);
  const [loaded, read] = await timed(() => loadClips(inputs, options, job, stageOf(job.context, 0, 0.5)));
  const { clips } = loaded;
  const { name = loaded.sequence.rest.name } = options;
  const sequence = { ...loaded.sequence, rest: { ...loaded.sequence.rest, name } };
  const S = frame === undefined ? frameCount(sequence) : 1;
  refuseToReplace(job.files, outputPaths(output, S), loaded.paths);
  const [, write] = await timed(async () => {
    const asItIs = options.compress === 'meshopt' && keepsAll(options) && !source.cache && isGltf(source.meshes[0]);
    if (asItIs) await packFile(source.meshes[0], output, job);
    else if (frame !== undefined) await writeMesh(output, meshOf(sequence, frame), job, options);
    else await writeSequence(output, sequence, job, { ...options, clips }, stageOf(job.context, 0.5, 1));
  });
  if (clips.length > 1 && frame === undefined && format !== 'glb') {
    const names = clips.map((clip) => `'${clip.name}' (${clip.times.length} frames)`).join(', ');
    job.warn(`the clips follow each other: ${names}; --clip chooses one`);
  }
  warnOfGrowth(job, source, totalBytes(job.outputs));
  if ((format === 'pc2' || format === 'mdd') && !source.cache) {
    job.warn(`'${output}' holds points only; its mesh is written by --frame rest -o rest.obj`);
  }
  return {
    input: inputFigures(loaded),
    clips: clips.map((clip) => clip.name),
    output: {
      file: output,
      bytes: totalBytes(job.outputs),
      frames: S,
      files: job.outputs.written.map(({ path, bytes }) => ({ file: path, bytes })),
    },
    seconds: { read, write },
  };
}

function requireCompressible(output: string, { compress }: Checked<typeof CONVERT>['options']): void {
  if (compress === 'meshopt' && outputFormat(output) !== 'glb') {
    throw new UsageError(`--compress meshopt packs a .glb; '${output}' is not one`);
  }
}

/** Whether a glTF is to be written with everything that it has. */
function keepsAll({ clip, frame, fps, rest, name }: Checked<typeof CONVERT>['options']): boolean {
  return [clip, frame, fps, rest, name].every((option) => option === undefined);
}

/** The file as it is, in fewer bytes: skins, morph targets, nodes and names stay. */
async function packFile(file: SourceFile, output: string, job: Job): Promise<void> {
  const { bytes, resolve } = await gltfFile(file, job);
  job.outputs.write(output, (await compressGlb(bytes, { resolve })).bytes);
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
