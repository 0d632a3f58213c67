/** From the files of `pelt pose` to a character that can be posed: opened again, learnt from examples, or transferred. */
import { readPoser } from '@pelt/io';
import { frameCount, type Poser, type Run, stageOf, UsageError, vertexCount } from '@pelt/model';
import { decompose } from '@pelt/skin/decompose';
import { buildPoser, transferPoser } from '@pelt/skin/pose';
import { loadSequence } from '../input/load-sequence.ts';
import { namedRig } from '../input/names.ts';
import { openRig } from '../input/open-rig.ts';
import { isGltf, sourceFile, sourceOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { POSE } from './table.ts';

type PoseOptions = Checked<typeof POSE>['options'];

export interface LoadedPoser {
  readonly poser: Poser;
  /** Every file that was asked for by name. */
  readonly bytes: number;
}

export async function loadPoser(model: string, options: PoseOptions, run: Run, job: Job): Promise<LoadedPoser> {
  const { examples, transfer, proxies } = options;
  if (examples) {
    if (transfer !== undefined) {
      throw new UsageError('--examples and --transfer both say how to pose; give one of them');
    }
    return learn(model, examples, options, run, job);
  }
  if (!isGltf(sourceFile(job.files, model))) {
    throw new UsageError(`'${model}' is a mesh alone; give --examples to learn from, or a .glb with a character`);
  }
  const opened = await openRig(model, job, { unskinned: true });
  const { rig, clips, asset, bytes } = opened;
  if (transfer !== undefined) {
    const source = readPoser((await openRig(transfer, job, { unskinned: true })).asset);
    if (!source) throw new UsageError(`'${transfer}' holds no poser; make one with pelt pose --examples … --save`);
    const poser = transferPoser({ source, rig }, { proxies }, run);
    return { poser, bytes };
  }
  const saved = readPoser(asset);
  if (saved) return { poser: saved, bytes };
  if (!asset.skinned || clips.length === 0) {
    throw new UsageError(`'${model}' has neither a poser nor a skinned animation; give --examples to learn from`);
  }
  job.expectFrames(vertexCount(rig.mesh), clips[0].times.length);
  const poser = buildPoser({ rig, clip: clips[0] }, { proxies, consecutive: true }, run);
  return { poser, bytes };
}

async function learn(
  model: string,
  examples: readonly string[],
  { controls, proxies, details }: PoseOptions,
  run: Run,
  job: Job,
): Promise<LoadedPoser> {
  const learning = stageOf(run, 0, 0.9);
  const source = sourceOf(job.files, examples, model);
  const { sequence, bytes } = await loadSequence(source, { rest: model }, job, stageOf(learning, 0, 0.05));
  const fitting = {
    method: 'affine',
    bones: controls,
    weights: 4,
    // Handles are given on the user's own mesh: its rest pose stays.
    restPose: 'keep',
  } as const;
  const { rig, clip } = decompose(sequence, fitting, stageOf(learning, 0.05, 0.9));
  const consecutive = examples.length === 1 && frameCount(sequence) > 1;
  const data = { rig: namedRig(rig), clip, examples: sequence };
  return { poser: buildPoser(data, { proxies, consecutive, details }, stageOf(learning, 0.9, 1)), bytes };
}
