import type { SkinWeights } from '@pelt/model';

/**
 * Solver weights (f64, slots in any order) as the SkinWeights of the model: largest first, float32, with a float32 sum
 * of 1 as near as float32 can; unused slots are bone 0 with weight 0.
 *
 * @param boneIndices  n × K
 * @param weights      n × K
 * @param smallest     weights below it are dropped and their share given to the others
 */
export function packWeights(
  boneIndices: Int32Array,
  weights: Float64Array,
  slots: number,
  smallest = SMALLEST_WEIGHT,
): SkinWeights {
  const n = weights.length / slots;
  const packed = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
  const order = Array.from({ length: slots }, (_, s) => s);
  for (let i = 0; i < n; i++) {
    const row = i * slots;
    order.sort((a, b) => weights[row + b] - weights[row + a] || a - b);
    let total = 0;
    for (const s of order) if (weights[row + s] >= smallest) total += weights[row + s];
    let rest = 1;
    for (let k = slots - 1; k > 0; k--) {
      const w = weights[row + order[k]];
      if (w < smallest) continue;
      packed.bones[row + k] = boneIndices[row + order[k]];
      packed.weights[row + k] = w / total;
      rest -= packed.weights[row + k];
    }
    // The largest takes what rounding left, so that the sum holds.
    packed.bones[row] = boneIndices[row + order[0]];
    packed.weights[row] = rest;
  }
  return packed;
}

/** Less than this moves no vertex visibly: a millionth of the way between two bones. */
const SMALLEST_WEIGHT = 1e-6;
