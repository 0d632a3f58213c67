/**
 * A two-layer skin as the rig that it stands for: the weights of every vertex over the master bones, W = D·A. What is
 * reduced of such a file are its masters; virtual bones are a way to store their weights.
 */
import { readTwoLayer } from '@pelt/io';
import { type Rig, type SkinWeights, TRANSFORM_SIZE, type TwoLayerSkin, virtualCount } from '@pelt/model';
import type { ReductionSource } from './reduction-source.ts';

/** The source over its master bones; undefined where it has no layers. */
export function flattenLayers(source: ReductionSource): ReductionSource | undefined {
  const layers = readTwoLayer(source.asset);
  if (!layers) return undefined;
  const virtual = virtualCount(layers);
  const { rig, clips, boneExtras } = source;
  const m = rig.bones.length;
  const masters: Rig = {
    ...rig,
    bones: rig.bones.slice(virtual).map((bone) => ({ ...bone, parent: bone.parent < 0 ? -1 : bone.parent - virtual })),
    weights: productOf(layers, virtual),
  };
  return {
    ...source,
    rig: masters,
    clips: clips.map((clip) => ({ ...clip, transforms: rowsBehind(clip.transforms, m, virtual) })),
    boneExtras: boneExtras.slice(virtual),
    flattened: true,
  };
}

/** Σ_r a_ir D_jr for every vertex i and master j, largest first. */
function productOf({ masters, vertices }: TwoLayerSkin, virtual: number): SkinWeights {
  const n = vertices.bones.length / vertices.slots;
  const rows = Array.from({ length: n }, (_, i) => {
    const sums = new Map<number, number>();
    for (let s = i * vertices.slots; s < (i + 1) * vertices.slots; s++) {
      if (vertices.weights[s] === 0) continue;
      const from = vertices.bones[s] * masters.slots;
      for (let k = from; k < from + masters.slots; k++) {
        const weight = vertices.weights[s] * masters.weights[k];
        if (weight > 0) sums.set(masters.bones[k] - virtual, (sums.get(masters.bones[k] - virtual) ?? 0) + weight);
      }
    }
    return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  });
  const slots = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const out = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
  rows.forEach((row, i) => {
    const sum = row.reduce((total, [, weight]) => total + weight, 0);
    row.forEach(([bone, weight], s) => {
      out.bones[i * slots + s] = bone;
      out.weights[i * slots + s] = weight / sum;
    });
  });
  return out;
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
