/**
 * Affine transforms, row-major 3 × 4 [A | t], as twelve numbers of an array from an index on: x ↦ A x + t.
 */

/**
 * out = A ∘ B for 3 × 4 transforms: first B, then A. `out` may alias either.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function composeTransforms(
  a: ArrayLike<number>,
  aAt: number,
  b: ArrayLike<number>,
  bAt: number,
  out: Float64Array,
  outAt: number,
): void {
  const b0 = b[bAt];
  const b1 = b[bAt + 1];
  const b2 = b[bAt + 2];
  const b3 = b[bAt + 3];
  const b4 = b[bAt + 4];
  const b5 = b[bAt + 5];
  const b6 = b[bAt + 6];
  const b7 = b[bAt + 7];
  const b8 = b[bAt + 8];
  const b9 = b[bAt + 9];
  const b10 = b[bAt + 10];
  const b11 = b[bAt + 11];
  for (let r = 0; r < 12; r += 4) {
    const x = a[aAt + r];
    const y = a[aAt + r + 1];
    const z = a[aAt + r + 2];
    out[outAt + r] = x * b0 + y * b4 + z * b8;
    out[outAt + r + 1] = x * b1 + y * b5 + z * b9;
    out[outAt + r + 2] = x * b2 + y * b6 + z * b10;
    out[outAt + r + 3] = x * b3 + y * b7 + z * b11 + a[aAt + r + 3];
  }
}

/**
 * out = A⁻¹ of a 3 × 4 transform whose linear part has an inverse; may alias `a`.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function invertTransform(a: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  const m0 = a[at];
  const m1 = a[at + 1];
  const m2 = a[at + 2];
  const x = a[at + 3];
  const m4 = a[at + 4];
  const m5 = a[at + 5];
  const m6 = a[at + 6];
  const y = a[at + 7];
  const m8 = a[at + 8];
  const m9 = a[at + 9];
  const m10 = a[at + 10];
  const z = a[at + 11];
  const c0 = m5 * m10 - m6 * m9;
  const c4 = m6 * m8 - m4 * m10;
  const c8 = m4 * m9 - m5 * m8;
  const s = 1 / (m0 * c0 + m1 * c4 + m2 * c8);
  out[outAt] = c0 * s;
  out[outAt + 1] = (m2 * m9 - m1 * m10) * s;
  out[outAt + 2] = (m1 * m6 - m2 * m5) * s;
  out[outAt + 4] = c4 * s;
  out[outAt + 5] = (m0 * m10 - m2 * m8) * s;
  out[outAt + 6] = (m2 * m4 - m0 * m6) * s;
  out[outAt + 8] = c8 * s;
  out[outAt + 9] = (m1 * m8 - m0 * m9) * s;
  out[outAt + 10] = (m0 * m5 - m1 * m4) * s;
  for (let r = outAt; r < outAt + 12; r += 4) out[r + 3] = -(out[r] * x + out[r + 1] * y + out[r + 2] * z);
}

/**
 * out = A (x, y, z) + t, three numbers, for a 3 × 4 transform [A | t].
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function transformPoint(
  a: ArrayLike<number>,
  at: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array | Float32Array,
  outAt: number,
): void {
  out[outAt] = a[at] * x + a[at + 1] * y + a[at + 2] * z + a[at + 3];
  out[outAt + 1] = a[at + 4] * x + a[at + 5] * y + a[at + 6] * z + a[at + 7];
  out[outAt + 2] = a[at + 8] * x + a[at + 9] * y + a[at + 10] * z + a[at + 11];
}

/**
 * out = A, the linear part of a 3 × 4 transform as a 3 × 3 matrix.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function linearPart(a: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[outAt + 3 * r + c] = a[at + 4 * r + c];
}

/**
 * The 3 × 4 transform [A | t] of a 3 × 3 matrix and three numbers.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function transformOf(a: ArrayLike<number>, at: number, t: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const out = new Float64Array(12);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[4 * r + c] = a[at + 3 * r + c];
    out[4 * r + 3] = t[r];
  }
  return out;
}
