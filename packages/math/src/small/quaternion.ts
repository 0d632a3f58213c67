/**
 * Unit quaternions (x, y, z, w), w the real part, as glTF has them; rotations are 3 × 3 row-major.
 *
 * References: Shepperd. Quaternion from rotation matrix. 1978. Shoemake. Animating rotation with quaternion curves. 1985.
 */
import { atan2 } from '../elementary/arcs.ts';
import { sin } from '../elementary/trigonometric.ts';

/** Angle below which an arc and its chord are the same to rounding. */
const SMALL_ANGLE = 1e-6;

/**
 * The unit quaternion (x, y, z, w) of a rotation, with w ≥ 0. It keeps its digits at every angle, and accepts a matrix
 * that is a rotation only to rounding.
 *
 * @param r    3 × 3 row-major, from index `at`
 * @param out  4, from index `outAt`
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function quaternionFromRotation(r: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  const xx = r[at];
  const yy = r[at + 4];
  const zz = r[at + 8];
  const trace = xx + yy + zz;
  let x: number;
  let y: number;
  let z: number;
  let w: number;
  if (trace >= xx && trace >= yy && trace >= zz) {
    w = 1 + trace;
    x = r[at + 7] - r[at + 5];
    y = r[at + 2] - r[at + 6];
    z = r[at + 3] - r[at + 1];
  } else if (xx >= yy && xx >= zz) {
    w = r[at + 7] - r[at + 5];
    x = 1 + xx - yy - zz;
    y = r[at + 1] + r[at + 3];
    z = r[at + 2] + r[at + 6];
  } else if (yy >= zz) {
    w = r[at + 2] - r[at + 6];
    x = r[at + 1] + r[at + 3];
    y = 1 + yy - xx - zz;
    z = r[at + 5] + r[at + 7];
  } else {
    w = r[at + 3] - r[at + 1];
    x = r[at + 2] + r[at + 6];
    y = r[at + 5] + r[at + 7];
    z = 1 + zz - xx - yy;
  }
  const factor = (w < 0 ? -1 : 1) / Math.sqrt(x * x + y * y + z * z + w * w);
  out[outAt] = factor * x;
  out[outAt + 1] = factor * y;
  out[outAt + 2] = factor * z;
  out[outAt + 3] = factor * w;
}

/**
 * The rotation matrix of a unit quaternion (x, y, z, w).
 *
 * @param q    4, of unit length, from index `at`
 * @param out  3 × 3 row-major, from index `outAt`; may not alias `q`
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function rotationFromQuaternion(q: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  const [x, y, z, w] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  out[outAt] = 1 - 2 * (y * y + z * z);
  out[outAt + 1] = 2 * (x * y - w * z);
  out[outAt + 2] = 2 * (x * z + w * y);
  out[outAt + 3] = 2 * (x * y + w * z);
  out[outAt + 4] = 1 - 2 * (x * x + z * z);
  out[outAt + 5] = 2 * (y * z - w * x);
  out[outAt + 6] = 2 * (x * z - w * y);
  out[outAt + 7] = 2 * (y * z + w * x);
  out[outAt + 8] = 1 - 2 * (x * x + y * y);
}

/**
 * out = a b for quaternions of four numbers: the rotation b, then a. `out` may alias either.
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function multiplyQuaternions(
  a: ArrayLike<number>,
  aAt: number,
  b: ArrayLike<number>,
  bAt: number,
  out: Float64Array,
  outAt: number,
): void {
  const [ax, ay, az, aw] = [a[aAt], a[aAt + 1], a[aAt + 2], a[aAt + 3]];
  const [bx, by, bz, bw] = [b[bAt], b[bAt + 1], b[bAt + 2], b[bAt + 3]];
  out[outAt] = aw * bx + ax * bw + ay * bz - az * by;
  out[outAt + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[outAt + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[outAt + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/**
 * Spherical linear interpolation: the rotation at fraction t of the shorter arc from a to b (a at 0, ±b at 1).
 *
 * @param a    4, of unit length, from index `aAt`
 * @param b    4, of unit length, from index `bAt`
 * @param out  4, from index `outAt`; may alias either
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function slerp(
  a: ArrayLike<number>,
  aAt: number,
  b: ArrayLike<number>,
  bAt: number,
  t: number,
  out: Float64Array,
  outAt: number,
): void {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += a[aAt + k] * b[bAt + k];
  const sign = dot < 0 ? -1 : 1;
  let difference = 0;
  let sum = 0;
  for (let k = 0; k < 4; k++) {
    difference += (a[aAt + k] - sign * b[bAt + k]) ** 2;
    sum += (a[aAt + k] + sign * b[bAt + k]) ** 2;
  }
  // From chord and half-chord the angle keeps its digits where the arc cosine of the dot product would not.
  const angle = 2 * atan2(Math.sqrt(difference), Math.sqrt(sum));
  const small = angle < SMALL_ANGLE;
  const wa = small ? 1 - t : sin((1 - t) * angle) / sin(angle);
  const wb = sign * (small ? t : sin(t * angle) / sin(angle));
  let squared = 0;
  for (let k = 0; k < 4; k++) {
    const value = wa * a[aAt + k] + wb * b[bAt + k];
    out[outAt + k] = value;
    squared += value * value;
  }
  const inverse = 1 / Math.sqrt(squared);
  for (let k = 0; k < 4; k++) out[outAt + k] *= inverse;
}
