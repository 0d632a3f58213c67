/** A glTF file as a character: whatever skin it has, over the joints that drive it. */
import {
  type Bone,
  type Character,
  type CharacterClip,
  type CharacterMorph,
  type CharacterSkin,
  type Clip,
  InputError,
  TRANSFORM_SIZE,
  validateCharacter,
  virtualCount,
} from '@pelt/model';
import { readBody } from './body-extension.ts';
import { readDynamics } from './dynamics-extension.ts';
import { type EditedGltf, editGltf, type GltfChanges, type StoredGltf } from './edit/edit-gltf.ts';
import { readEnvelope } from './envelope-extension.ts';
import { readPoser } from './poser-extension.ts';
import { readPuppet } from './puppet-extension.ts';
import { readHumanBones } from './read-human-bones.ts';
import { type MorphDriver, morphDrivers, type ReadRigOptions, readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';
import { hasDualQuaternions, readEigenSkin } from './skin-extensions.ts';
import { readTwoLayer } from './two-layer-extension.ts';

/**
 * The character that a glTF file has. Joints are the bones of the file, without those that its skin computes: of a skin in
 * two layers they are the masters.
 *
 * @param options  where its animations are sampled
 * @example
 * {@includeCode ../../examples/characters.ts}
 */
export function readCharacter(asset: GltfAsset, options?: Partial<ReadRigOptions>): Character {
  const { rig, clips, morphs } = readRig(asset, options);
  const drivers = morphDrivers(asset.scene);
  const layers = readTwoLayer(asset);
  const virtual = layers ? virtualCount(layers) : 0;
  const joints = rig.bones
    .slice(virtual)
    .map((bone): Bone => ({ ...bone, parent: Math.max(bone.parent - virtual, -1) }));
  const skin = skinOf(asset, rig.weights, virtual, drivers);
  const poser = readPoser(asset);
  const dynamics = readDynamics(asset);
  const puppet = readPuppet(asset, joints.length);
  const body = readBody(asset, joints.length);
  const human = [...readHumanBones(asset)].flatMap(([name, bone]) => (bone < virtual ? [] : [[name, bone - virtual]]));
  const character: Character = {
    name: rig.name,
    mesh: rig.mesh,
    joints,
    skin,
    morphs: drivers.map((driver, r): CharacterMorph => {
      const { node } = driver;
      const object = asset.mesh.objects?.findIndex((_, k) => objectNodes(asset)[k] === node) ?? 0;
      return { name: driver.name, object: Math.max(object, 0), deltas: morphs?.deltas[r] as Float32Array };
    }),
    clips: clips.map((clip, c): CharacterClip => {
      // Targets that follow the pose do so where an animation does not say otherwise.
      const says = skin.kind !== 'eigenskin' || asset.animations[c].channels.some(({ path }) => path === 'weights');
      const moved = says ? morphs?.weights[c] : undefined;
      return { ...clip, transforms: behind(clip, rig.bones.length, virtual), ...(moved && { morphWeights: moved }) };
    }),
    ...(dynamics && { dynamics }),
    ...(poser && { poseSpace: poser }),
    ...(puppet && { puppet }),
    ...(body && { body }),
    ...(human.length > 0 && { humanBones: Object.fromEntries(human) }),
  };
  validateCharacter(character);
  return character;
}

/** The nodes of the mesh's objects, in their order. */
function objectNodes({ scene }: GltfAsset): number[] {
  return [...new Set(scene.ranges.map(({ node }) => node))];
}

function skinOf(
  asset: GltfAsset,
  weights: Extract<CharacterSkin, { kind: 'linear' }>['weights'],
  virtual: number,
  drivers: readonly MorphDriver[],
): CharacterSkin {
  const envelope = readEnvelope(asset);
  const layers = readTwoLayer(asset);
  const eigenskin = readEigenSkin(asset);
  const dual = hasDualQuaternions(asset);
  const kinds = [
    envelope && 'a learnt skin',
    layers && 'two layers',
    eigenskin && 'EigenSkin',
    dual && 'dual quaternions',
  ];
  const found = kinds.filter(Boolean);
  if (found.length > 1) throw new InputError(`it has ${found.join(' and ')} at once; a character has one skin`);
  if (envelope) {
    const { rig: _, ...learnt } = envelope;
    return { kind: 'envelope', weights, envelope: learnt };
  }
  if (layers) {
    const { masters, vertices } = layers;
    // The file counts all of its joints, the character those that drive it.
    const bones = masters.bones.map((bone, k) => (masters.weights[k] > 0 ? bone - virtual : 0));
    return { kind: 'two-layer', layers: { masters: { ...masters, bones }, vertices } };
  }
  if (eigenskin) {
    const fields = Int32Array.from(drivers, ({ target }) => (target < eigenskin.fields ? target : -1));
    return { kind: 'eigenskin', weights, examples: { poses: eigenskin.poses, amounts: eigenskin.amounts }, fields };
  }
  return dual ? { kind: 'dual-quaternion', weights } : { kind: 'linear', weights };
}

/** Of S × m transforms those of the bones behind the first. */
function behind({ transforms, times }: Clip, m: number, first: number): Float64Array {
  if (first === 0) return transforms;
  const size = (m - first) * TRANSFORM_SIZE;
  const out = new Float64Array(times.length * size);
  for (let t = 0; t < times.length; t++) {
    const end = (t + 1) * m * TRANSFORM_SIZE;
    out.set(transforms.subarray(end - size, end), t * size);
  }
  return out;
}

/**
 * Writes the file of a character again with other clips or extensions, and everything else as it was. New clips are over
 * the joints of the character; joints that its skin computes are baked, so that any player shows them.
 *
 * @param file   as it is stored
 * @param asset  what was read from it
 * @example
 * {@includeCode ../../examples/characters.ts}
 */
export function saveCharacter(file: StoredGltf, asset: GltfAsset, changes: GltfChanges): Promise<EditedGltf> {
  const layers = readTwoLayer(asset);
  if (!layers || !changes.clips) return editGltf(file, asset, changes);
  const virtual = virtualCount(layers);
  const m = asset.scene.bones.length;
  const { slots, bones, weights } = layers.masters;
  const clips = changes.clips.map((clip): CharacterClip => {
    const S = clip.times.length;
    const transforms = new Float64Array(S * m * TRANSFORM_SIZE);
    for (let t = 0; t < S; t++) {
      const all = transforms.subarray(t * m * TRANSFORM_SIZE, (t + 1) * m * TRANSFORM_SIZE);
      const size = (m - virtual) * TRANSFORM_SIZE;
      all.set(clip.transforms.subarray(t * size, (t + 1) * size), virtual * TRANSFORM_SIZE);
      for (let k = 0; k < virtual * slots; k++) {
        const [to, from] = [Math.floor(k / slots) * TRANSFORM_SIZE, bones[k] * TRANSFORM_SIZE];
        if (weights[k] > 0) for (let c = 0; c < TRANSFORM_SIZE; c++) all[to + c] += weights[k] * all[from + c];
      }
    }
    return { ...clip, transforms };
  });
  return editGltf(file, asset, { ...changes, clips });
}
