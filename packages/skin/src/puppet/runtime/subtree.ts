/**
 * Rigid motion of a bone with its descendants, applied to posed transforms in place, for corrections of a pose.
 */
import { atan2, cos, sin } from '@pelt/math';

/**
 * The bone and its descendants.
 *
 * @param parents  m, in any order
 */
export function subtreeOf(parents: Int32Array, root: number): Int32Array {
  return Int32Array.from(parents.keys()).filter((bone) => {
    for (let j = bone; j >= 0; j = parents[j]) if (j === root) return true;
    return false;
  });
}

/**
 * Rotates bones around a point, and then translates them.
 *
 * @param transforms  m × 12; updated in place
 * @param rotation    9, row-major
 * @param centre      3, from index `at`
 * @param shift       3
 */
export function turnInPlace(
  transforms: Float64Array,
  bones: Int32Array,
  rotation: Float64Array,
  centre: Float64Array,
  at: number,
  shift: Float64Array,
): void {
  const cx = centre[at];
  const cy = centre[at + 1];
  const cz = centre[at + 2];
  for (let k = 0; k < bones.length; k++) {
    const base = 12 * bones[k];
    for (let c = 0; c < 4; c++) {
      const isOffset = c === 3;
      const x = transforms[base + c] - (isOffset ? cx : 0);
      const y = transforms[base + 4 + c] - (isOffset ? cy : 0);
      const z = transforms[base + 8 + c] - (isOffset ? cz : 0);
      transforms[base + c] = rotation[0] * x + rotation[1] * y + rotation[2] * z + (isOffset ? cx + shift[0] : 0);
      transforms[base + 4 + c] = rotation[3] * x + rotation[4] * y + rotation[5] * z + (isOffset ? cy + shift[1] : 0);
      transforms[base + 8 + c] = rotation[6] * x + rotation[7] * y + rotation[8] * z + (isOffset ? cz + shift[2] : 0);
    }
  }
}

/**
 * The smallest rotation that takes the direction of a to that of b, with its angle limited.
 *
 * @param a      3; neither vector may be 0
 * @param b      3
 * @param limit  radians, at most π
 * @param out    9, row-major
 */
export function shortestRotation(a: Float64Array, b: Float64Array, limit: number, out: Float64Array): void {
  let x = a[1] * b[2] - a[2] * b[1];
  let y = a[2] * b[0] - a[0] * b[2];
  let z = a[0] * b[1] - a[1] * b[0];
  const sine = Math.sqrt(x * x + y * y + z * z);
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const angle = Math.min(atan2(sine, cosine), limit);
  if (sine > 0) {
    x /= sine;
    y /= sine;
    z /= sine;
  } else {
    // Parallel or opposite: any axis orthogonal to a.
    const flat = Math.abs(a[0]) < Math.abs(a[1]);
    x = flat ? 0 : -a[2];
    y = flat ? a[2] : 0;
    z = flat ? -a[1] : a[0];
    const length = Math.sqrt(x * x + y * y + z * z);
    x /= length;
    y /= length;
    z /= length;
  }
  axisRotation(x, y, z, angle, out);
}

/** Rotation around a unit axis (Rodrigues' formula), 9 numbers, row-major. */
export function axisRotation(x: number, y: number, z: number, angle: number, out: Float64Array): void {
  const c = cos(angle);
  const s = sin(angle);
  const t = 1 - c;
  out[0] = t * x * x + c;
  out[1] = t * x * y - s * z;
  out[2] = t * x * z + s * y;
  out[3] = t * x * y + s * z;
  out[4] = t * y * y + c;
  out[5] = t * y * z - s * x;
  out[6] = t * x * z - s * y;
  out[7] = t * y * z + s * x;
  out[8] = t * z * z + c;
}
