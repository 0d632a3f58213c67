import type { SkinWeights } from './skin-weights.ts';

/**
 * Weights in two layers, W = D·A: q virtual bones, each a blend of a few master bones; and every vertex a blend of two
 * virtual bones. What vertices share is blended once.
 */
export interface TwoLayerSkin {
  /** q × c, the master bones of each virtual bone */
  readonly masters: SkinWeights;
  /** n × 2, the virtual bones of each vertex */
  readonly vertices: SkinWeights;
}

/**
 * The number q of virtual bones of a two-layer skin.
 * @example
 * {@includeCode ../examples/two-layer.ts}
 */
export function virtualCount({ masters }: TwoLayerSkin): number {
  return masters.bones.length / masters.slots;
}

/**
 * The weights of every vertex over the master bones that two layers stand for, W = D·A: largest first.
 * @example
 * {@includeCode ../examples/two-layer.ts}
 */
export function flattenedWeights({ masters, vertices }: TwoLayerSkin): SkinWeights {
  const n = vertices.bones.length / vertices.slots;
  const rows = Array.from({ length: n }, (_, i) => {
    const sums = new Map<number, number>();
    for (let s = i * vertices.slots; s < (i + 1) * vertices.slots; s++) {
      if (vertices.weights[s] === 0) continue;
      const from = vertices.bones[s] * masters.slots;
      for (let k = from; k < from + masters.slots; k++) {
        const weight = vertices.weights[s] * masters.weights[k];
        if (weight > 0) sums.set(masters.bones[k], (sums.get(masters.bones[k]) ?? 0) + weight);
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
