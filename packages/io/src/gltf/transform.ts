/**
 * Affine transforms as the model keeps them, 12 numbers, row-major 3 × 4 [A | t], and the translation, rotation and
 * scale of glTF's nodes. Every function writes to `out`, which may be one of its arguments, and returns it.
 */
import { composeTransforms, determinant3, invertTransform, transformPoint } from '@pelt/math';

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
  composeTransforms(a, 0, b, 0, out, 0);
  return out;
}

/** Of the linear part. */
export function determinant(a: Transform): number {
  return determinant3(a, 0, 4);
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
  invertTransform(a, 0, out, 0);
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
    transformPoint(a, 0, points[k], points[k + 1], points[k + 2], out, first + k);
  }
}
