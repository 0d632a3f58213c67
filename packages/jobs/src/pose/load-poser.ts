/** From the files of `pelt pose` to a character that can be posed: opened again, learnt from examples, or transferred. */
import { linearRigOf, type Run, UsageError } from '@pelt/model';
import { transferPoser } from '@pelt/skin/pose';
import { isHandleFile, withHandleExamples } from '../input/handle-examples.ts';
import { type LoadedPoser, learnFromClips, learnFromFiles } from '../input/learn-poser.ts';
import { openCharacter, warnOfUnkept } from '../input/open-character.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { POSE } from './table.ts';

type PoseOptions = Checked<typeof POSE>['options'];

export async function loadPoser(model: string, options: PoseOptions, run: Run, job: Job): Promise<LoadedPoser> {
  const { examples = [], transfer } = options;
  const handled = examples.filter(isHandleFile);
  const shapes = examples.filter((file) => !isHandleFile(file));
  if (examples.length > 0 && transfer !== undefined) {
    throw new UsageError('--examples and --transfer both say how to pose; give one of them');
  }
  const loaded =
    shapes.length > 0
      ? await learnFromFiles(model, shapes, options, run, job)
      : await openPosable(model, options, run, job);
  if (handled.length === 0) return loaded;
  const poser = withHandleExamples(loaded.poser, handled, options, run, job);
  const { opened, ...rest } = loaded;
  // Details are morph targets of the file, one for each example: with other examples it is another file.
  const stays = opened && poser.exampleDetails.length === 0;
  if (opened && !stays) warnOfUnkept(opened, job.warn);
  return { ...rest, poser, ...(stays && { opened }) };
}

async function openPosable(
  model: string,
  { transfer, proxies, regions, mirror }: PoseOptions,
  run: Run,
  job: Job,
): Promise<LoadedPoser> {
  if (!isGltf(sourceFile(job.files, model))) {
    throw new UsageError(`'${model}' is a mesh alone; give --examples to learn from, or a .glb with a character`);
  }
  const opened = await openCharacter(model, job);
  const { character, bytes } = opened;
  if (transfer !== undefined) {
    const source = (await openCharacter(transfer, job)).character.poseSpace;
    if (!source) throw new UsageError(`'${transfer}' holds no poser; make one with pelt pose --examples … --save`);
    const poser = transferPoser({ source, rig: linearRigOf(character) }, { proxies }, run);
    return { poser, bytes, opened };
  }
  const poser = character.poseSpace ?? learnFromClips(opened, { proxies, regions, mirror }, run, job);
  return { poser, bytes, opened };
}
