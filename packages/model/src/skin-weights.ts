import { InputError } from './errors.ts';
import { requireFinite, requireIndices, requireLength } from './require.ts';

/**
 * Which bones move a vertex, and by how much. Every vertex has K slots, largest weight first; an unused slot has bone 0
 * and weight 0. Weights are convex: not negative, sum 1.
 */
export interface SkinWeights {
  /** K, slots a vertex */
  readonly slots: number;
  /** n × K bone indices, row-major */
  readonly bones: Uint16Array;
  /** n × K weights, row-major */
  readonly weights: Float32Array;
}

/**
 * The largest number of non-zero weights that any vertex has; at least one.
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function mostWeights({ slots, weights }: SkinWeights): number {
  let most = 1;
  for (let row = 0; row < weights.length; row += slots) {
    let used = 0;
    for (let k = row; k < row + slots; k++) if (weights[k] > 0) used++;
    most = Math.max(most, used);
  }
  return most;
}

/** How far a vertex's float32 weights may sum from 1, per non-zero weight: the limit glTF's validator sets. */
export const WEIGHT_SUM_TOLERANCE = 2e-7;

/**
 * Throws `InputError` unless sizes fit, bones exist, weights are convex and no vertex names a bone twice.
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function validateSkinWeights(skin: SkinWeights, vertices: number, bones: number): void {
  const K = skin.slots;
  if (!Number.isInteger(K) || K < 1) throw new InputError(`skin weights: ${K} slots a vertex, expected 1 or more`);
  requireLength('skin weights: bones', skin.bones, vertices * K);
  requireLength('skin weights: weights', skin.weights, vertices * K);
  requireIndices('skin weights: bones', skin.bones, bones);
  requireFinite('skin weights: weights', skin.weights, K);
  for (let i = 0; i < vertices; i++) {
    let sum = 0;
    let used = 0;
    for (let s = 0; s < K; s++) {
      const w = skin.weights[i * K + s];
      if (w < 0) throw new InputError(`skin weights: vertex ${i} has the negative weight ${w}`);
      sum += w;
      if (w === 0) continue;
      used++;
      for (let r = 0; r < s; r++) {
        if (skin.weights[i * K + r] > 0 && skin.bones[i * K + r] === skin.bones[i * K + s]) {
          throw new InputError(`skin weights: vertex ${i} names bone ${skin.bones[i * K + s]} twice`);
        }
      }
    }
    // Ten times the file limit: this checks for wrong data, not for the last bit.
    if (Math.abs(sum - 1) > 10 * WEIGHT_SUM_TOLERANCE * Math.max(used, 1)) {
      throw new InputError(`skin weights: vertex ${i} has weights that sum to ${sum}, not to 1`);
    }
  }
}
