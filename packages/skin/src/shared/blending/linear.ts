import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';

/**
 * Deforms a mesh by linear blend skinning: v'ᵢ = Σⱼ wᵢⱼ (Rⱼ pᵢ + tⱼ).
 *
 * Reference: Magnenat-Thalmann, Laperrière, Thalmann. Joint-dependent local deformations. 1988.
 *
 * @param rest        n × 3 rest positions
 * @param skin        n × K convex weights with their bones
 * @param transforms  m × 12, row-major 3 × 4 [R | t], rest → pose
 * @param out         n × 3 posed positions; overwritten; may not alias `rest`
 * @returns           `out`
 *
 * @example
 * {@includeCode ../../../examples/deform-linear.ts}
 */
export function deformLinear(
  rest: Float32Array,
  skin: SkinWeights,
  transforms: Float64Array,
  out: Float32Array,
): Float32Array {
  const { slots, bones, weights } = skin;
  for (let i = 0, slot = 0; 3 * i < rest.length; i++) {
    const px = rest[3 * i];
    const py = rest[3 * i + 1];
    const pz = rest[3 * i + 2];
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
