/**
 * Affine transforms as the model keeps them, 12 numbers, row-major 3 × 4 [A | t], and the translation, rotation and
 * scale of glTF's nodes. Every function writes to `out`, which may be one of its arguments, and returns it.
 */
export type Transform = Float64Array;

export interface Trs {
  /** 3 numbers */
  readonly translation: Float64Array;
  /** unit quaternion x, y, z, w */
  readonly rotation: Float64Array;
  /** 3 numbers */
  readonly scale: Float64Array;
}

export function identityTransform(): Transform {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
}

export function identityTrs(): Trs {
  return {
    translation: new Float64Array(3),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
  };
}

/** out = a · b: first b, then a. */
export function multiply(a: Transform, b: Transform, out: Transform): Transform {
  const [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11] = b;
  for (let r = 0; r < 12; r += 4) {
    const x = a[r];
    const y = a[r + 1];
    const z = a[r + 2];
    out[r] = x * b0 + y * b4 + z * b8;
    out[r + 1] = x * b1 + y * b5 + z * b9;
    out[r + 2] = x * b2 + y * b6 + z * b10;
    out[r + 3] = x * b3 + y * b7 + z * b11 + a[r + 3];
  }
  return out;
}

export function determinant(a: Transform): number {
  return a[0] * (a[5] * a[10] - a[6] * a[9]) - a[1] * (a[4] * a[10] - a[6] * a[8]) + a[2] * (a[4] * a[9] - a[5] * a[8]);
}

/** A linear part that flattens space by more than this, against its own size, counts as singular. */
const SINGULAR = 1e-12;

export function isSingular(a: Transform): boolean {
  const size = Math.max(linearSize(a), Number.MIN_VALUE);
  return !(Math.abs(determinant(a)) > SINGULAR * size ** 3);
}

/** Largest element of the linear part. */
export function linearSize(a: Transform): number {
  let size = 0;
  for (let k = 0; k < 12; k++) if (k % 4 !== 3) size = Math.max(size, Math.abs(a[k]));
  return size;
}

/** out = a⁻¹; the caller has made sure that there is one. */
export function invert(a: Transform, out: Transform): Transform {
  const [a0, a1, a2, tx, a4, a5, a6, ty, a8, a9, a10, tz] = a;
  const s = 1 / determinant(a);
  out[0] = (a5 * a10 - a6 * a9) * s;
  out[1] = (a2 * a9 - a1 * a10) * s;
  out[2] = (a1 * a6 - a2 * a5) * s;
  out[4] = (a6 * a8 - a4 * a10) * s;
  out[5] = (a0 * a10 - a2 * a8) * s;
  out[6] = (a2 * a4 - a0 * a6) * s;
  out[8] = (a4 * a9 - a5 * a8) * s;
  out[9] = (a1 * a8 - a0 * a9) * s;
  out[10] = (a0 * a5 - a1 * a4) * s;
  for (let r = 0; r < 12; r += 4) out[r + 3] = -(out[r] * tx + out[r + 1] * ty + out[r + 2] * tz);
  return out;
}

/** T · R · S, the rotation taken as if it had unit length. */
export function composeTrs({ translation, rotation, scale }: Trs, out: Transform): Transform {
  const [x, y, z, w] = rotation;
  const square = x * x + y * y + z * z + w * w;
  // A quaternion of zeros, which some exporters write for "none", leaves the identity.
  const k = square > 0 ? 2 / square : 0;
  const [sx, sy, sz] = scale;
  out[0] = (1 - k * (y * y + z * z)) * sx;
  out[1] = k * (x * y - z * w) * sy;
  out[2] = k * (x * z + y * w) * sz;
  out[4] = k * (x * y + z * w) * sx;
  out[5] = (1 - k * (x * x + z * z)) * sy;
  out[6] = k * (y * z - x * w) * sz;
  out[8] = k * (x * z - y * w) * sx;
  out[9] = k * (y * z + x * w) * sy;
  out[10] = (1 - k * (x * x + y * y)) * sz;
  for (let r = 0; r < 3; r++) out[4 * r + 3] = translation[r];
  return out;
}

/** From glTF's 16 numbers in column order; the last row is (0, 0, 0, 1). */
export function fromColumns(columns: ArrayLike<number>, first = 0): Transform {
  const out = new Float64Array(12);
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) out[4 * r + c] = columns[first + 4 * c + r];
  return out;
}

/** Into glTF's 16 numbers in column order. */
export function toColumns(a: Transform, out: Float32Array, first: number): void {
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) out[first + 4 * c + r] = a[4 * r + c];
  out[first + 3] = out[first + 7] = out[first + 11] = 0;
  out[first + 15] = 1;
}

/** out = A p + t for n points, packed by threes. */
export function transformPoints(a: Transform, points: Float32Array, out: Float32Array, first = 0): void {
  for (let k = 0; k < points.length; k += 3) {
    const x = points[k];
    const y = points[k + 1];
    const z = points[k + 2];
    out[first + k] = a[0] * x + a[1] * y + a[2] * z + a[3];
    out[first + k + 1] = a[4] * x + a[5] * y + a[6] * z + a[7];
    out[first + k + 2] = a[8] * x + a[9] * y + a[10] * z + a[11];
  }
}
