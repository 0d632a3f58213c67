/**
 * Linear blending with displacements at example poses on top: pose space deformation,
 *
 *   y_i = Σⱼ w_ij M_j p̂_i + F_i Σ_e c_ie(q) d_ie,   c_i = Σⱼ w_ij c_j,
 *
 * F_i the rotation of the blended transform. The weights c of a vertex are those of its bones blended by its skin
 * weights, so no seam shows where one bone's part ends.
 *
 * References: Lewis, Cordner, Fong. Pose space deformation. 2000. Kry, James, Pai. EigenSkin. 2002.
 */
import { polarDecomposition } from '@pelt/math';
import { type PoseDisplacements, type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';

/** Linear blend skinning in double precision, with the rotation of each vertex's blended transform where asked for. */
export function blendPose(
  rest: Float32Array,
  skin: SkinWeights,
  transforms: Float64Array,
  out: Float64Array,
  frames?: Float64Array,
): Float64Array {
  const { slots, bones, weights } = skin;
  const M = new Float64Array(TRANSFORM_SIZE);
  const linear = new Float64Array(9);
  const stretch = new Float64Array(9);
  for (let i = 0; 3 * i < rest.length; i++) {
    M.fill(0);
    for (let s = 0; s < slots; s++) {
      const w = weights[i * slots + s];
      const at = bones[i * slots + s] * TRANSFORM_SIZE;
      if (w !== 0) for (let k = 0; k < TRANSFORM_SIZE; k++) M[k] += w * transforms[at + k];
    }
    for (let c = 0; c < 3; c++) {
      const r = 4 * c;
      out[3 * i + c] = M[r] * rest[3 * i] + M[r + 1] * rest[3 * i + 1] + M[r + 2] * rest[3 * i + 2] + M[r + 3];
      linear.set(M.subarray(r, r + 3), 3 * c);
    }
    if (frames) polarDecomposition(linear, 0, frames, 9 * i, stretch, 0);
  }
  return out;
}

/**
 * Adds F_i Σ_e c_ie d_ie to every vertex.
 *
 * @param cardinal  m × E weights of the examples by bone (PoseInterpolation)
 * @param frames    rotations F, 9 each: one a vertex, or those that `axes` names
 * @param out       n × 3; added to
 * @param axes      n, which of the frames is whose; absent: each vertex its own
 */
export function addDisplacements(
  given: PoseDisplacements,
  skin: SkinWeights,
  cardinal: Float64Array,
  frames: Float64Array,
  out: Float64Array | Float32Array,
  axes?: Uint16Array,
): void {
  const d = new Float64Array(3);
  const mix = new Float64Array(given.displacements.length / out.length);
  for (let i = 0; 3 * i < out.length; i++) {
    mixDisplacements(given, skin, cardinal, i, out.length, mix, d);
    for (let r = 0; r < 3; r++) {
      const F = 9 * (axes ? axes[i] : i) + 3 * r;
      out[3 * i + r] += frames[F] * d[0] + frames[F + 1] * d[1] + frames[F + 2] * d[2];
    }
  }
}

/** Σ_e c_ie d_ie of vertex i; `size` is 3n, `mix` has room for a weight an example. */
function mixDisplacements(
  { displacements }: PoseDisplacements,
  { slots, bones, weights }: SkinWeights,
  cardinal: Float64Array,
  i: number,
  size: number,
  mix: Float64Array,
  out: Float64Array,
): void {
  const E = mix.length;
  mix.fill(0);
  for (let s = i * slots; s < (i + 1) * slots; s++) {
    if (weights[s] !== 0) for (let e = 0; e < E; e++) mix[e] += weights[s] * cardinal[bones[s] * E + e];
  }
  out.fill(0);
  for (let e = 0, at = 3 * i; e < E; e++, at += size) {
    for (let c = 0; c < 3; c++) out[c] += mix[e] * displacements[at + c];
  }
}
