import type { SkinWeights } from '@pelt/model';
import { packWeights } from '../../shared/pack-weights.ts';

/**
 * The K largest weights of every vertex, renormalised, as importers do.
 *
 * Reference: equation 33 of Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014.
 */
export function kLargestWeights(skin: SkinWeights, K: number): SkinWeights {
  const { bones, weights } = largestSlots(skin, K);
  return packWeights(bones, weights, Math.min(K, skin.slots));
}

/** The first slots of every vertex, which are the largest: n × min(K, slots) bones and convex weights. */
export function largestSlots(skin: SkinWeights, K: number): { bones: Int32Array; weights: Float64Array } {
  const slots = Math.min(K, skin.slots);
  const n = skin.bones.length / skin.slots;
  const kept = { bones: new Int32Array(n * slots), weights: new Float64Array(n * slots) };
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let s = 0; s < slots; s++) {
      kept.bones[i * slots + s] = skin.bones[i * skin.slots + s];
      kept.weights[i * slots + s] = skin.weights[i * skin.slots + s];
      sum += kept.weights[i * slots + s];
    }
    for (let s = 0; s < slots; s++) kept.weights[i * slots + s] /= sum;
  }
  return kept;
}
