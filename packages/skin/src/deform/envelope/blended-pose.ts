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
 * @param frames    n × 9 rotations F
 * @param out       n × 3; added to
 */
export function addDisplacements(
  given: PoseDisplacements,
  skin: SkinWeights,
  cardinal: Float64Array,
  frames: Float64Array,
  out: Float64Array,
): void {
  const { slots, bones, weights } = skin;
  const { displacements } = given;
  const size = out.length;
  const E = displacements.length / size;
  const c = new Float64Array(E);
  for (let i = 0; 3 * i < size; i++) {
    c.fill(0);
    for (let s = 0; s < slots; s++) {
      const w = weights[i * slots + s];
      if (w !== 0) for (let e = 0; e < E; e++) c[e] += w * cardinal[bones[i * slots + s] * E + e];
    }
    let x = 0;
    let y = 0;
    let z = 0;
    for (let e = 0; e < E; e++) {
      const at = e * size + 3 * i;
      x += c[e] * displacements[at];
      y += c[e] * displacements[at + 1];
      z += c[e] * displacements[at + 2];
    }
    for (let r = 0; r < 3; r++) {
      const F = 9 * i + 3 * r;
      out[3 * i + r] += frames[F] * x + frames[F + 1] * y + frames[F + 2] * z;
    }
  }
}
