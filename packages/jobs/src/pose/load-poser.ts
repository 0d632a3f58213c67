/** From the files of `pelt pose` to a character that can be posed: opened again, learnt from examples, or transferred. */
import {
  type Character,
  type Clip,
  frameCount,
  linearRigOf,
  type Poser,
  type Run,
  stageOf,
  UsageError,
  vertexCount,
} from '@pelt/model';
import { decompose } from '@pelt/skin/decompose';
import { buildPoser, transferPoser } from '@pelt/skin/pose';
import { joinedTimes } from '../input/load-clips.ts';
import { loadSequence } from '../input/load-sequence.ts';
import { namedRig } from '../input/names.ts';
import { type OpenedCharacter, openCharacter } from '../input/open-character.ts';
import { isGltf, sourceFile, sourceOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { POSE } from './table.ts';

type PoseOptions = Checked<typeof POSE>['options'];

export interface LoadedPoser {
  readonly poser: Poser;
  /** Every file that was asked for by name. */
  readonly bytes: number;
  /** The character that it belongs to; absent where it was learnt from shapes. */
  readonly opened?: OpenedCharacter;
}

export async function loadPoser(model: string, options: PoseOptions, run: Run, job: Job): Promise<LoadedPoser> {
  const { examples, transfer, proxies, regions, mirror } = options;
  if (examples) {
    if (transfer !== undefined) {
      throw new UsageError('--examples and --transfer both say how to pose; give one of them');
    }
    return learn(model, examples, options, run, job);
  }
  if (!isGltf(sourceFile(job.files, model))) {
    throw new UsageError(`'${model}' is a mesh alone; give --examples to learn from, or a .glb with a character`);
  }
  const opened = await openCharacter(model, job);
  const { character, asset, bytes } = opened;
  const rig = linearRigOf(character);
  if (transfer !== undefined) {
    const source = (await openCharacter(transfer, job)).character.poseSpace;
    if (!source) throw new UsageError(`'${transfer}' holds no poser; make one with pelt pose --examples … --save`);
    const poser = transferPoser({ source, rig }, { proxies }, run);
    return { poser, bytes, opened };
  }
  if (character.poseSpace) return { poser: character.poseSpace, bytes, opened };
  if (!asset.skinned || character.clips.length === 0) {
    throw new UsageError(`'${model}' has neither a poser nor a skinned animation; give --examples to learn from`);
  }
  const clip = allClips(character);
  job.expectFrames(vertexCount(rig.mesh), clip.times.length);
  const poser = buildPoser({ rig, clip }, { proxies, consecutive: true, regions, mirror }, run);
  return { poser, bytes, opened };
}

/** All clips behind each other: each of them shows poses that the character can take. */
function allClips({ clips }: Character): Clip {
  if (clips.length === 1) return clips[0];
  const transforms = new Float64Array(clips.reduce((sum, clip) => sum + clip.transforms.length, 0));
  let at = 0;
  for (const clip of clips) {
    transforms.set(clip.transforms, at);
    at += clip.transforms.length;
  }
  return { name: clips[0].name, times: joinedTimes(clips), transforms };
}

async function learn(
  model: string,
  examples: readonly string[],
  { controls, proxies, details, regions, mirror }: PoseOptions,
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
  const building = { proxies, consecutive, details, regions, mirror };
  return { poser: buildPoser(data, building, stageOf(learning, 0.9, 1)), bytes };
}
