/** What a file has beside its character, for comparing one with another: everything but where arrays are stored. */
import { type Character, TRANSFORM_SIZE } from '@pelt/model';
import { type Player, playerOf } from '@pelt/skin/play/runtime';
import { type Json, jsonOf } from '../../../io/test/gltf/glb-json.ts';

/** A tree of names, extras, cameras, materials and extensions, without numbers of accessors and buffer views. */
export function keptOf(glb: Uint8Array): Json {
  const json = jsonOf(glb);
  const {
    accessors: _,
    bufferViews: __,
    buffers: ___,
    animations = [],
    meshes,
    skins = [],
    asset: ____,
    ...rest
  } = json;
  const extensions = Object.fromEntries(
    Object.entries(json.extensions ?? {}).filter(([name]) => !name.startsWith('PELT_')),
  );
  return {
    ...rest,
    extensionsUsed: (json.extensionsUsed ?? []).filter((name: string) => !name.startsWith('PELT_')).sort(),
    extensions,
    meshes: meshes.map(({ primitives, ...mesh }: Json) => ({
      ...mesh,
      primitives: primitives.map(({ attributes, indices: _, targets, mode = 4, ...primitive }: Json) => ({
        mode,
        ...primitive,
        attributes: Object.keys(attributes).sort(),
        targets: targets?.map((target: Json) => Object.keys(target)),
      })),
    })),
    skins: skins.map(({ inverseBindMatrices: _, ...skin }: Json) => skin),
    animations: animations.map(({ name, channels }: Json) => ({
      name,
      pointers: channels.filter(({ target }: Json) => target.path === 'pointer').map(({ target }: Json) => target),
    })),
  };
}

/** Largest distance of what two characters show, relative to the size, at every key of a clip. */
export function farthest(a: Character, b: Character, clip: number, other = clip): number {
  const [first, second] = [playerOf(a), playerOf(b)];
  const [ca, cb] = [a.clips[clip], b.clips[other]];
  if (ca.times.length !== cb.times.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  ca.times.forEach((time, t) => {
    if (Math.abs(time - cb.times[t]) > 1e-5) most = Number.POSITIVE_INFINITY;
    most = Math.max(most, apart(framesOf(first, clip, t), framesOf(second, other, t)));
  });
  return most / sizeOf(a);
}

export function framesOf(player: Player, clip: number, t: number): Float32Array {
  const { character } = player;
  const [size, R] = [character.joints.length * TRANSFORM_SIZE, character.morphs.length];
  const { transforms, morphWeights } = character.clips[clip];
  const weights = morphWeights?.subarray(t * R, (t + 1) * R);
  const out = new Float32Array(character.mesh.positions.length);
  return player.positions(transforms.subarray(t * size, (t + 1) * size), weights, out);
}

export function apart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k] - b[k]));
  return most;
}

export function sizeOf({ mesh: { positions } }: Character): number {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const value of positions) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high - low;
}
