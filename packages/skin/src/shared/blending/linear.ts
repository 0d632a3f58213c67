import type { SkinWeights } from '@pelt/model';
import { blendLinear } from '@pelt/model/internal';

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
  return blendLinear(rest, skin, transforms, out);
}
