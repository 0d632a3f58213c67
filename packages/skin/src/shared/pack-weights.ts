import type { SkinWeights } from '@pelt/model';

/**
 * Converts solver weights (f64, slots in any order) to SkinWeights: float32, largest first, with a sum as close to 1 as
 * float32 allows; unused slots have bone 0 and weight 0.
 *
 * @param boneIndices  n × K
 * @param weights      n × K
 * @param smallest     smaller weights are dropped and the others renormalised
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
    // The largest weight absorbs rounding errors, so that the sum is 1.
    packed.bones[row] = boneIndices[row + order[0]];
    packed.weights[row] = rest;
  }
  return packed;
}

/** Weights below this have no visible effect. */
const SMALLEST_WEIGHT = 1e-6;
