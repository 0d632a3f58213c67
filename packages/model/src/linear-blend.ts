import { TRANSFORM_SIZE } from './rig.ts';
import type { SkinWeights } from './skin-weights.ts';

/**
 * Linear blend skinning: v'ᵢ = Σⱼ wᵢⱼ (Rⱼ pᵢ + tⱼ).
 *
 * @param positions   n × 3
 * @param skin        n × K convex weights with their bones
 * @param transforms  m × 12, row-major 3 × 4 [R | t], rest → pose
 * @param out         n × 3 posed positions; overwritten; may be `positions`
 */
export function blendLinear(
  positions: Float32Array | Float64Array,
  { slots, bones, weights }: SkinWeights,
  transforms: Float32Array | Float64Array,
  out: Float32Array,
): Float32Array {
  for (let i = 0, slot = 0; 3 * i < out.length; i++) {
    const px = positions[3 * i];
    const py = positions[3 * i + 1];
    const pz = positions[3 * i + 2];
    let x = 0;
    let y = 0;
    let z = 0;
    for (let s = 0; s < slots; s++, slot++) {
      const w = weights[slot];
      if (w === 0) continue;
      const b = bones[slot] * TRANSFORM_SIZE;
      x += w * (transforms[b] * px + transforms[b + 1] * py + transforms[b + 2] * pz + transforms[b + 3]);
      y += w * (transforms[b + 4] * px + transforms[b + 5] * py + transforms[b + 6] * pz + transforms[b + 7]);
      z += w * (transforms[b + 8] * px + transforms[b + 9] * py + transforms[b + 10] * pz + transforms[b + 11]);
    }
    out[3 * i] = x;
    out[3 * i + 1] = y;
    out[3 * i + 2] = z;
  }
  return out;
}
