/** A character with its pose space, and a clip of it where it was posed over time. */
import {
  type GltfAsset,
  type GltfExtension,
  POSER_EXTENSION,
  poserExtension,
  saveCharacter,
  writeSkinnedGlb,
} from '@pelt/io';
import type { Character, CharacterClip, Clip, Poser } from '@pelt/model';
import type { LoadedPoser } from '../input/learn-poser.ts';
import { encodeCharacter, type OpenedCharacter } from '../input/open-character.ts';
import { withSkinMorphs } from '../input/skin-morphs.ts';
import type { Job } from '../job.ts';

/** A clip with S × E shares of the examples. */
export type PosedClip = Clip & { readonly blends: Float32Array };

/** Curves of nodes that are further than this from the poses are not them. */
const SAME = 1e-5;

/** @param extensions  beside that of the pose space */
export async function writePosable(
  file: string,
  loaded: LoadedPoser,
  clip: PosedClip | undefined,
  job: Job,
  extensions: readonly GltfExtension[] = [],
) {
  const bytes = await encode(loaded, clip, extensions, job);
  job.outputs.write(file, bytes);
  return { file, bytes: bytes.length };
}

async function encode(
  { poser, opened }: LoadedPoser,
  clip: PosedClip | undefined,
  further: readonly GltfExtension[],
  job: Job,
): Promise<Uint8Array> {
  if (!opened) return newFile(poser, clip ? [clip] : [], further, job);
  const { character, file, asset } = opened;
  const clips = clip ? [await withMorphs(character, poser, clip)] : [];
  const changes = { clips, extensions: [poserExtension(poser), ...further] };
  if (clip && isBare(opened)) {
    // Controls stretch, which nodes with a translation, rotation and scale do not; two for each do.
    const { bytes, lost } = await saveCharacter(file, asset, changes);
    return lost <= SAME ? bytes : newFile(poser, [clip], further, job);
  }
  return encodeCharacter(opened, changes, job.warn);
}

/** With two nodes for each control that stretches. */
async function newFile(
  poser: Poser,
  clips: readonly PosedClip[],
  further: readonly GltfExtension[],
  job: Job,
): Promise<Uint8Array> {
  const morphs = { deltas: poser.exampleDetails, weights: clips.map(({ blends }) => blends) };
  const extensions = (vertexMap: Uint32Array) => [poserExtension(poser, vertexMap), ...further];
  const options = { affine: 'pair', onWarning: job.warn } as const;
  return (await writeSkinnedGlb({ rig: poser.rig, clips, morphs, extensions }, options)).bytes;
}

/** Whether a file has nothing but controls of their own, a skin and a pose space: then nothing is lost with its nodes. */
function isBare({ character, asset }: OpenedCharacter): boolean {
  const loose = character.joints.every(({ parent }) => parent < 0);
  const alone = asset.extensions.every(({ name }) => name === POSER_EXTENSION);
  return loose && alone && character.clips.length === 0 && nodeCount(asset) <= 0;
}

/** Nodes beside meshes, controls, and the two that pelt itself puts above controls. */
function nodeCount({ scene }: GltfAsset): number {
  const own = new Set([...scene.bones.map(({ node }) => node), ...scene.ranges.map(({ node }) => node)]);
  for (const { node } of scene.bones) if (scene.nodes[node].parent >= 0) own.add(scene.nodes[node].parent);
  for (const node of [...own]) if (scene.nodes[node].parent >= 0) own.add(scene.nodes[node].parent);
  return scene.nodes.length - own.size;
}

/** The details of the examples are morph targets of every object, in the order of the examples. */
async function withMorphs(character: Character, poser: Poser, { blends, ...clip }: PosedClip): Promise<CharacterClip> {
  const E = poser.exampleDetails.length;
  if (E === 0) return withSkinMorphs(character, clip);
  const R = character.morphs.length;
  const morphWeights = new Float32Array(clip.times.length * R);
  for (let t = 0; t < clip.times.length; t++) {
    for (let r = 0; r < R; r++) morphWeights[t * R + r] = blends[t * E + (r % E)];
  }
  return { ...clip, morphWeights };
}
