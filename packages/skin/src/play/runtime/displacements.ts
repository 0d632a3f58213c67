import type { ReducedEnvelope, SkinWeights } from '@pelt/model';

/**
 * Adds the displacements of a learnt skin: vᵢ += F Σ_e b_ie d_ei, where F are the axes of the vertex's key gradient and
 * b_ie = Σ_j w_ij c_je the weights of the stored displacements, blended over the joints.
 *
 * @param weights   n × K over the m joints
 * @param cardinal  m × E
 * @param axes      L × 9, row-major
 * @param out       n × 3 positions; added to
 */
export function addDisplacements(
  { displacements, axes: axesOf }: NonNullable<ReducedEnvelope['displacements']>,
  { slots, bones, weights }: SkinWeights,
  cardinal: Float64Array,
  axes: Float64Array,
  out: Float32Array,
): void {
  const size = out.length;
  const E = size > 0 ? displacements.length / size : 0;
  const blend = new Float64Array(E);
  for (let i = 0; 3 * i < size; i++) {
    blend.fill(0);
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      const w = weights[s];
      if (w !== 0) for (let e = 0; e < E; e++) blend[e] += w * cardinal[bones[s] * E + e];
    }
    let x = 0;
    let y = 0;
    let z = 0;
    for (let e = 0, at = 3 * i; e < E; e++, at += size) {
      x += blend[e] * displacements[at];
      y += blend[e] * displacements[at + 1];
      z += blend[e] * displacements[at + 2];
    }
    const r = 9 * axesOf[i];
    out[3 * i] += axes[r] * x + axes[r + 1] * y + axes[r + 2] * z;
    out[3 * i + 1] += axes[r + 3] * x + axes[r + 4] * y + axes[r + 5] * z;
    out[3 * i + 2] += axes[r + 6] * x + axes[r + 7] * y + axes[r + 8] * z;
  }
}
