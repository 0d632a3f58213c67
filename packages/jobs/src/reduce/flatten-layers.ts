/**
 * A two-layer skin as the rig that it stands for: the weights of every vertex over the master bones, W = D·A. What is
 * reduced of such a file are its masters; virtual bones are a way to store their weights.
 */
import { linearRigOf, TRANSFORM_SIZE, virtualCount } from '@pelt/model';
import { characterOf } from '../input/asset-motion.ts';
import type { ReductionSource } from './reduction-source.ts';

/** The source over its master bones; undefined where it has no layers. */
export function flattenLayers(source: ReductionSource): ReductionSource | undefined {
  const character = characterOf(source.asset, source.name);
  if (character.skin.kind !== 'two-layer') return undefined;
  const { rig, clips, boneExtras } = source;
  const virtual = virtualCount(character.skin.layers);
  return {
    ...source,
    rig: { ...linearRigOf(character), name: rig.name },
    clips: clips.map((clip) => ({ ...clip, transforms: rowsBehind(clip.transforms, rig.bones.length, virtual) })),
    boneExtras: boneExtras.slice(virtual),
    flattened: true,
  };
}

/** Of S × m transforms those of the bones behind the first. */
function rowsBehind(transforms: Float64Array, m: number, first: number): Float64Array {
  const S = transforms.length / (m * TRANSFORM_SIZE);
  const size = (m - first) * TRANSFORM_SIZE;
  const out = new Float64Array(S * size);
  for (let t = 0; t < S; t++) {
    const end = (t + 1) * m * TRANSFORM_SIZE;
    out.set(transforms.subarray(end - size, end), t * size);
  }
  return out;
}
