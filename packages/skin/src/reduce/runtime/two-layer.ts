import { type SkinWeights, TRANSFORM_SIZE, type TwoLayerSkin } from '@pelt/model';
import { deformLinear } from '../../shared/blending/linear.ts';

/**
 * Linear blend skinning in two layers: V_r = Σⱼ D_jr Mⱼ, v'ᵢ = Σᵣ a_ir V_r p̂ᵢ.
 *
 * Reference: Le, Deng. Two-layer sparse compression of dense-weight blend skinning. 2013.
 *
 * @param rest        n × 3 rest positions
 * @param skin        q virtual bones over m master bones, and two of them per vertex
 * @param transforms  m × 12 transforms of the master bones, rest → pose
 * @param virtual     q × 12 transforms of the virtual bones; overwritten
 * @param out         n × 3 posed positions; overwritten; may not alias `rest`
 * @returns           `out`
 *
 * @example
 * {@includeCode ../../../examples/deform-two-layer.ts}
 */
export function deformTwoLayer(
  rest: Float32Array,
  skin: TwoLayerSkin,
  transforms: Float64Array,
  virtual: Float64Array,
  out: Float32Array,
): Float32Array {
  blendTransforms(skin.masters, transforms, virtual);
  return deformLinear(rest, skin.vertices, virtual, out);
}

/**
 * Blends transforms component-wise, as the first layer of `deformTwoLayer` does.
 *
 * @param blends      q × c convex weights with their transforms
 * @param transforms  m × 12
 * @param out         q × 12; overwritten
 * @returns           `out`
 *
 * @example
 * {@includeCode ../../../examples/blend-transforms.ts}
 */
export function blendTransforms(blends: SkinWeights, transforms: Float64Array, out: Float64Array): Float64Array {
  const { slots, bones, weights } = blends;
  for (let r = 0, slot = 0; r * slots < bones.length; r++) {
    const to = r * TRANSFORM_SIZE;
    out.fill(0, to, to + TRANSFORM_SIZE);
    for (let s = 0; s < slots; s++, slot++) {
      const w = weights[slot];
      if (w === 0) continue;
      const from = bones[slot] * TRANSFORM_SIZE;
      for (let k = 0; k < TRANSFORM_SIZE; k++) out[to + k] += w * transforms[from + k];
    }
  }
  return out;
}
