/**
 * Orthonormal frames from two directions. A frame is a rotation, 3 × 3 row-major, whose columns are the primary direction, the secondary direction made orthogonal
 * to it, and their cross product.
 */

/** Sine of the angle between two directions below which they do not determine a frame. */
const PARALLEL = 1e-4;

/**
 * @param a    3, the primary direction, from index `aAt`; of any length
 * @param b    3, the secondary direction, from index `bAt`
 * @param out  9, from index `at`; unchanged where the directions are zero or parallel
 * @returns    whether the directions determine a frame
 */
export function setFrame(
  a: ArrayLike<number>,
  aAt: number,
  b: ArrayLike<number>,
  bAt: number,
  out: Float64Array,
  at: number,
): boolean {
  let x = a[aAt];
  let y = a[aAt + 1];
  let z = a[aAt + 2];
  const first = Math.sqrt(x * x + y * y + z * z);
  x /= first;
  y /= first;
  z /= first;
  let u = b[bAt];
  let v = b[bAt + 1];
  let w = b[bAt + 2];
  const size = Math.sqrt(u * u + v * v + w * w);
  const along = u * x + v * y + w * z;
  u -= along * x;
  v -= along * y;
  w -= along * z;
  const second = Math.sqrt(u * u + v * v + w * w);
  if (!(first > 0 && second > PARALLEL * size)) return false;
  u /= second;
  v /= second;
  w /= second;
  out[at] = x;
  out[at + 1] = u;
  out[at + 2] = y * w - z * v;
  out[at + 3] = y;
  out[at + 4] = v;
  out[at + 5] = z * u - x * w;
  out[at + 6] = z;
  out[at + 7] = w;
  out[at + 8] = x * v - y * u;
  return true;
}

/** out = A Bᵀ for 3 × 3 matrices; `out` may not alias either. */
export function multiplyByTransposed(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  out: Float64Array,
  at: number,
): void {
  for (let r = 0; r < 3; r++) {
    const x = a[aAt + 3 * r];
    const y = a[aAt + 3 * r + 1];
    const z = a[aAt + 3 * r + 2];
    for (let c = 0; c < 3; c++) {
      out[at + 3 * r + c] = x * b[bAt + 3 * c] + y * b[bAt + 3 * c + 1] + z * b[bAt + 3 * c + 2];
    }
  }
}
