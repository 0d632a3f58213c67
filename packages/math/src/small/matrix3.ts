/**
 * 3 × 3 matrices, row-major, as nine numbers of an array from an index on. Sums go from left to right, so that the same
 * numbers give the same bits wherever they are multiplied.
 */

/**
 * out = A B for 3 × 3 matrices; `out` may alias either.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function multiply3(
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
  for (let r = 0; r < 9; r += 3) {
    const x = a[aAt + r];
    const y = a[aAt + r + 1];
    const z = a[aAt + r + 2];
    out[outAt + r] = x * b0 + y * b3 + z * b6;
    out[outAt + r + 1] = x * b1 + y * b4 + z * b7;
    out[outAt + r + 2] = x * b2 + y * b5 + z * b8;
  }
}

/**
 * out = Aᵀ B for 3 × 3 matrices; `out` may not alias either.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function multiplyTransposed3(
  a: ArrayLike<number>,
  aAt: number,
  b: ArrayLike<number>,
  bAt: number,
  out: Float64Array,
  outAt: number,
): void {
  for (let r = 0; r < 3; r++) {
    const x = a[aAt + r];
    const y = a[aAt + 3 + r];
    const z = a[aAt + 6 + r];
    for (let c = 0; c < 3; c++) out[outAt + 3 * r + c] = x * b[bAt + c] + y * b[bAt + 3 + c] + z * b[bAt + 6 + c];
  }
}

/**
 * out = A v for a 3 × 3 matrix and three numbers; `out` may not alias `v`.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function rotate3(
  a: ArrayLike<number>,
  aAt: number,
  v: ArrayLike<number>,
  vAt: number,
  out: Float64Array | number[],
  outAt: number,
): void {
  const x = v[vAt];
  const y = v[vAt + 1];
  const z = v[vAt + 2];
  out[outAt] = a[aAt] * x + a[aAt + 1] * y + a[aAt + 2] * z;
  out[outAt + 1] = a[aAt + 3] * x + a[aAt + 4] * y + a[aAt + 5] * z;
  out[outAt + 2] = a[aAt + 6] * x + a[aAt + 7] * y + a[aAt + 8] * z;
}

/**
 * The transpose of a 3 × 3 matrix.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function transposed3(m: ArrayLike<number>): Float64Array<ArrayBuffer> {
  return Float64Array.of(m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]);
}

/**
 * Sets the 3 × 3 matrix at index `at` of `out` to the identity.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function setIdentity3(out: Float64Array, at: number): void {
  for (let k = 0; k < 9; k++) out[at + k] = k % 4 === 0 ? 1 : 0;
}

/**
 * The adjugate of a 3 × 3 matrix, A⁻¹ times the determinant; may alias `a`.
 *
 * @param stride  numbers from row to row of `a`: 4 for the linear part of a transform
 * @returns       the determinant
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function adjugate3(a: ArrayLike<number>, at: number, out: Float64Array, outAt: number, stride = 3): number {
  const second = at + stride;
  const third = second + stride;
  const m0 = a[at];
  const m1 = a[at + 1];
  const m2 = a[at + 2];
  const m3 = a[second];
  const m4 = a[second + 1];
  const m5 = a[second + 2];
  const m6 = a[third];
  const m7 = a[third + 1];
  const m8 = a[third + 2];
  const c0 = m4 * m8 - m5 * m7;
  const c3 = m5 * m6 - m3 * m8;
  const c6 = m3 * m7 - m4 * m6;
  out[outAt] = c0;
  out[outAt + 1] = m2 * m7 - m1 * m8;
  out[outAt + 2] = m1 * m5 - m2 * m4;
  out[outAt + 3] = c3;
  out[outAt + 4] = m0 * m8 - m2 * m6;
  out[outAt + 5] = m2 * m3 - m0 * m5;
  out[outAt + 6] = c6;
  out[outAt + 7] = m1 * m6 - m0 * m7;
  out[outAt + 8] = m0 * m4 - m1 * m3;
  return m0 * c0 + m1 * c3 + m2 * c6;
}

/**
 * The determinant of a 3 × 3 matrix.
 *
 * @param stride  numbers from row to row: 4 for the linear part of a transform
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function determinant3(a: ArrayLike<number>, at: number, stride = 3): number {
  const m = at + stride;
  const n = m + stride;
  return (
    a[at] * (a[m + 1] * a[n + 2] - a[m + 2] * a[n + 1]) +
    a[at + 1] * (a[m + 2] * a[n] - a[m] * a[n + 2]) +
    a[at + 2] * (a[m] * a[n + 1] - a[m + 1] * a[n])
  );
}

/**
 * out = A⁻¹ of an invertible 3 × 3 matrix; may alias `a`.
 * @example
 * {@includeCode ../../examples/transforms.ts}
 */
export function invert3(a: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  const s = 1 / adjugate3(a, at, out, outAt);
  for (let k = outAt; k < outAt + 9; k++) out[k] *= s;
}
