/** Edge matrices of tetrahedra: with E at rest and E′ in a pose, the gradient of the deformation is E′ E⁻¹. */
import { adjugate3 } from '@pelt/math';

/** The edges from the first corner as columns, 3 × 3 row-major. */
export function edgesOf(positions: ArrayLike<number>, tetrahedra: Uint32Array, e: number, out: Float64Array): void {
  const o = 3 * tetrahedra[4 * e];
  for (let corner = 0; corner < 3; corner++) {
    const p = 3 * tetrahedra[4 * e + corner + 1];
    for (let axis = 0; axis < 3; axis++) out[3 * axis + corner] = positions[p + axis] - positions[o + axis];
  }
}

export function inverseOf(m: Float64Array): Float64Array {
  const out = new Float64Array(9);
  const determinant = adjugate3(m, 0, out, 0);
  return out.map((cofactor) => cofactor / determinant);
}
