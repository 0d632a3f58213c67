/**
 * The K bones that a vertex keeps: those of largest effect e_ij = Σ_t ‖w_ij (R_tj p_i + T_tj)‖² (equation 14), which is the
 * displacement that setting the weight to 0 would cause. It depends on where the origin is, as printed.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { TRANSFORM_SIZE } from '@pelt/model';

/**
 * @param system      with weights over all bones
 * @param kept        K
 * @param candidates  n × K bone indices, −1 behind the last, out
 */
export function keepLargestEffects(system: SkinningSystem, kept: number, candidates: Int32Array): void {
  const { n, m, K, boneIndices, weights, rest } = system;
  const [bones, w, p] = [boneIndices.view, weights.view, rest.view];
  const grams = boneGrams(system.transforms.view, m);
  candidates.fill(-1);
  const effects: { bone: number; effect: number }[] = [];
  for (let i = 0; i < n; i++) {
    effects.length = 0;
    for (let s = i * K; s < (i + 1) * K; s++) {
      if (!(w[s] > 0)) continue;
      const effect = w[s] ** 2 * quadratic(grams, 10 * bones[s], p[3 * i], p[3 * i + 1], p[3 * i + 2]);
      effects.push({ bone: bones[s], effect });
    }
    effects.sort((a, b) => b.effect - a.effect || a.bone - b.bone);
    for (let k = 0; k < Math.min(kept, effects.length); k++) candidates[i * kept + k] = effects[k].bone;
  }
}

/** m × 10: the upper triangles of Σ_t M_tjᵀ M_tj, 4 × 4. */
function boneGrams(transforms: Float64Array, m: number): Float64Array {
  const out = new Float64Array(10 * m);
  for (let at = 0; at < transforms.length; at += TRANSFORM_SIZE) {
    const j = (at / TRANSFORM_SIZE) % m;
    for (let row = at; row < at + TRANSFORM_SIZE; row += 4) {
      for (let a = 0, k = 10 * j; a < 4; a++) {
        for (let b = a; b < 4; b++) out[k++] += transforms[row + a] * transforms[row + b];
      }
    }
  }
  return out;
}

/** p̂ᵀ G p̂ */
function quadratic(grams: Float64Array, at: number, x: number, y: number, z: number): number {
  const [xx, xy, xz, xw, yy, yz, yw, zz, zw, ww] = grams.subarray(at, at + 10);
  return x * (xx * x + 2 * (xy * y + xz * z + xw)) + y * (yy * y + 2 * (yz * z + yw)) + z * (zz * z + 2 * zw) + ww;
}
