/** `pelt clean`: takes the tremor out of animations, plants feet, and closes loops. */
import { type CharacterClip, InputError, linearRigOf, UsageError } from '@pelt/model';
import { fitCapsules } from '@pelt/skin/capsules';
import { cleanClip, measureTake, type TakeQuality } from '@pelt/skin/puppet';
import { encodeCharacter, type OpenedCharacter, openCharacter } from '../input/open-character.ts';
import { withSkinMorphs } from '../input/skin-morphs.ts';
import { type Job, timed } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import type { CLEAN } from './table.ts';

type CleanRequest = Checked<typeof CLEAN>;

export interface CleanReport {
  readonly input: { readonly character: string; readonly bones: number };
  readonly clips: readonly {
    readonly name: string;
    readonly before: TakeQuality;
    readonly after: TakeQuality;
    /** Bones that were planted. */
    readonly feet: readonly string[];
    /** Seconds of the take that became the loop. */
    readonly loop?: { readonly from: number; readonly to: number };
  }[];
  readonly seconds: { readonly read: number; readonly clean: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
}

export async function clean({ inputs, output, options }: CleanRequest, job: Job): Promise<CleanReport> {
  const [path] = inputs;
  if (!/\.(?:glb|vrm)$/i.test(output)) throw new UsageError(`'${output}' is not a .glb file, which is what is written`);
  job.outputs.reserve(output);
  const [opened, read] = await timed(() => openCharacter(path, job));
  const { character } = opened;
  const wanted = wantedClips(opened, options.clips);
  const rig = linearRigOf(character);
  const [cleaned, seconds] = await timed(async () => {
    const capsules = await withNumerics(job, async (run) => fitCapsules(rig, undefined, run));
    return wanted.map((k, done) => {
      const clip = character.clips[k];
      job.context.onProgress?.({ stage: 'cleaning', fraction: done / wanted.length, detail: clip.name });
      const { humanBones } = character;
      const { jitter, feet, loop } = options;
      const made = cleanClip({ character: rig, humanBones, clip }, { jitter, feet, loop }, job.context);
      const measured = { character: rig, humanBones, capsules };
      if (loop && !made.loop)
        job.warn(`'${clip.name}' is shorter than the shortest loop, half a second, and stays whole`);
      return {
        clip: withMorphs(clip, made.clip, made.loop),
        figures: {
          name: clip.name,
          before: measureTake({ ...measured, clip }),
          after: measureTake({ ...measured, clip: made.clip }),
          feet: made.feet,
          ...(made.loop && { loop: made.loop }),
        },
      };
    });
  });
  warnOfOthers(opened, wanted, job);
  const [bytes, write] = await timed(async () => {
    job.context.onProgress?.({ stage: 'writing', fraction: 1 });
    const clips = await Promise.all(
      cleaned.map(async ({ clip }) => (clip.morphWeights ? clip : withSkinMorphs(character, clip))),
    );
    const keep = character.clips.map((_, k) => k).filter((k) => !wanted.includes(k));
    const file = await encodeCharacter(opened, { clips, keep }, job.warn);
    job.outputs.write(output, file);
    return file.length;
  });
  return {
    input: { character: path, bones: character.joints.length },
    clips: cleaned.map(({ figures }) => figures),
    seconds: { read, clean: seconds, write },
    output: { file: output, bytes },
  };
}

/** Numbers of the clips to clean. */
function wantedClips({ character, path }: OpenedCharacter, names: readonly string[] | undefined): number[] {
  const { clips } = character;
  if (clips.length === 0) throw new InputError(`'${path}' has no animations, so there is nothing to clean`);
  if (!names) return clips.map((_, k) => k);
  return names.map((name) => {
    const found = clips.findIndex((clip) => clip.name === name);
    if (found >= 0) return found;
    throw new UsageError(
      `'${path}' has no animation '${name}'; it has ${clips.map((clip) => `'${clip.name}'`).join(', ')}`,
    );
  });
}

/** The morph targets of the frames that stay. */
function withMorphs(
  { times, morphWeights }: CharacterClip,
  made: CharacterClip,
  loop: { readonly from: number; readonly to: number } | undefined,
): CharacterClip {
  if (!morphWeights) return made;
  const R = morphWeights.length / times.length;
  const first = loop ? times.indexOf(loop.from) : 0;
  return { ...made, morphWeights: morphWeights.slice(first * R, (first + made.times.length) * R) };
}

/** Curves of what is no joint are not part of a clip of the character. */
function warnOfOthers({ asset, path }: OpenedCharacter, wanted: readonly number[], { warn }: Job): void {
  const joints = new Set(asset.scene.bones.map(({ node }) => node));
  for (const k of wanted) {
    const animation = asset.animations[k];
    const lost = animation?.channels.filter(({ node, path: what }) => what !== 'weights' && !joints.has(node)) ?? [];
    const nodes = [...new Set(lost.map(({ node }) => `'${asset.scene.nodes[node].name}'`))];
    if (nodes.length > 0) {
      warn(
        `'${path}': '${animation.name}' also moves ${nodes.slice(0, 5).join(', ')}, which the cleaned one does only with its joints`,
      );
    }
  }
}
