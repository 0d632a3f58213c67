/** Edge matrices of tetrahedra: with E at rest and E′ in a pose, the gradient of the deformation is E′ E⁻¹. */

/** The edges from the first corner as columns, 3 × 3 row-major. */
export function edgesOf(positions: ArrayLike<number>, tetrahedra: Uint32Array, e: number, out: Float64Array): void {
  const o = 3 * tetrahedra[4 * e];
  for (let corner = 0; corner < 3; corner++) {
    const p = 3 * tetrahedra[4 * e + corner + 1];
    for (let axis = 0; axis < 3; axis++) out[3 * axis + corner] = positions[p + axis] - positions[o + axis];
  }
}

export function inverseOf(m: Float64Array): Float64Array {
  const determinant =
    m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  const minor = (a: number, b: number, c: number, d: number) => (m[a] * m[d] - m[b] * m[c]) / determinant;
  // biome-ignore format: the rows of the adjugate
  return Float64Array.of(
    minor(4, 5, 7, 8), -minor(1, 2, 7, 8), minor(1, 2, 4, 5),
    -minor(3, 5, 6, 8), minor(0, 2, 6, 8), -minor(0, 2, 3, 5),
    minor(3, 4, 6, 7), -minor(0, 1, 6, 7), minor(0, 1, 3, 4),
  );
}

/** out = a b; may not alias either. */
export function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[3 * r + c] = a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
  }
}
