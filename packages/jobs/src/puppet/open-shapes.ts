/** A character without a skeleton: shapes that a performer blends, and what there is to make poses of. */
import { readPairs } from '@pelt/io';
import { type Character, type Run, UsageError } from '@pelt/model';
import { BUILD_POSER_DEFAULTS } from '@pelt/skin/pose/options';
import { isHandleFile, withHandleExamples } from '../input/handle-examples.ts';
import { type LoadedPoser, learnFromFiles, learnFromShapes, morphShapes } from '../input/learn-poser.ts';
import { type OpenedCharacter, openCharacter, warnOfUnkept } from '../input/open-character.ts';
import { isGltf, sourceFile, sourceOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { isShapeSource } from './pair-shapes.ts';
import type { PUPPET } from './table.ts';

type PuppetOptions = Checked<typeof PUPPET>['options'];

/** A character with joints that poses can be given by. */
interface Rigged {
  readonly kind: 'rig';
  readonly opened: OpenedCharacter;
}

/** A character whose poses are blends of shapes; they are learnt when it is known that they are needed. */
interface Shaped {
  readonly kind: 'shapes';
  readonly name: string;
  readonly controls: number;
  readonly learn: (run: Run) => Promise<LoadedPoser>;
}

export async function openPerformer(path: string, options: PuppetOptions, job: Job): Promise<Rigged | Shaped> {
  const { examples = [], controls } = options;
  const handled = examples.filter(isHandleFile);
  const files = examples.filter((file) => !isHandleFile(file));
  const learning = { controls, ...LEARNING };
  const shaped = (learn: (run: Run) => Promise<LoadedPoser>, count = controls): Shaped => ({
    kind: 'shapes',
    name: path,
    controls: count,
    learn: async (run) => {
      const loaded = await learn(run);
      const poser = withHandleExamples(loaded.poser, handled, LEARNING, run, job);
      return { ...loaded, poser };
    },
  });
  if (job.files.stat(path).kind === 'folder') {
    if (files.length > 0) throw new UsageError(`'${path}' is a folder of shapes; leave out --examples`);
    const rest = restOf(path, job);
    return shaped((run) => learnFromFiles(rest, [path], learning, run, job));
  }
  if (files.length > 0) return shaped((run) => learnFromFiles(path, files, learning, run, job));
  if (!isGltf(sourceFile(job.files, path))) {
    throw new UsageError(`'${path}' is a mesh alone; give --examples that pairs can name, or a skinned .glb`);
  }
  const opened = await openCharacter(path, job);
  const { character, asset, bytes } = opened;
  const { poseSpace, joints, morphs } = character;
  const loose = joints.every(({ parent }) => parent < 0);
  if (poseSpace && loose && (options.suggest !== undefined || asksForShapes(options, character, job))) {
    const kept = handled.length === 0 && { opened };
    return shaped(async () => ({ poser: poseSpace, bytes, ...kept }), joints.length);
  }
  if (!asset.skinned && morphs.length > 0) {
    const { sequence, names } = morphShapes(character);
    warnOfUnkept(opened, job.warn);
    return shaped(async (run) => ({ poser: learnFromShapes(sequence, { ...learning, names }, run), bytes }));
  }
  if (handled.length > 0) throw new UsageError(`'${path}' has joints; give handles in the pairs themselves`);
  return { kind: 'rig', opened };
}

/** Whether pairs speak of examples; those that speak of controls as of bones move them as such. */
function asksForShapes({ pairs }: PuppetOptions, { puppet }: Character, job: Job): boolean {
  if (pairs === undefined) return puppet === undefined || puppet.pairs.pairs.some(({ character }) => character.shape);
  return readPairs(job.files.read(pairs), { name: pairs }).pairs.some(({ character }) => isShapeSource(character));
}

/** As `pelt pose` learns without further options. */
const { proxies, details, regions } = BUILD_POSER_DEFAULTS;
const LEARNING = { proxies, details, regions, mirror: true } as const;

/** What a folder calls its rest pose, else its first mesh. */
function restOf(folder: string, { files }: Job): string {
  const { meshes } = sourceOf(files, [folder]);
  if (meshes.length < 2) throw new UsageError(`'${folder}' has ${meshes.length} shapes; give a rest pose and others`);
  return (meshes.find(({ path }) => /(?:^|[/\\])rest\.[^./\\]+$/i.test(path)) ?? meshes[0]).path;
}
