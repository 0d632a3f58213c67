/**
 * Rotations as vectors: ω = angle · axis, R = exp [ω]×, and back on a chosen branch.
 *
 * A rotation has many logarithms, (θ + 2πk) times its axis. The principal one jumps where the angle passes π; choosing
 * the one nearest to a logarithm that is already known (the last frame's, a neighbour's) keeps a sequence continuous.
 * Both ways go through the quaternion, which keeps its digits at 0 and at π.
 *
 * Reference: Grassia. Practical parameterization of rotations using the exponential map. 1998.
 */
import { atan2 } from '../elementary/arcs.ts';
import { cos, sin } from '../elementary/trigonometric.ts';
import { quaternionFromRotation, rotationFromQuaternion } from './quaternion.ts';

/** Half-angle's sine below which the axis of a rotation is rounding noise. */
const NO_AXIS = 1e-12;

/**
 * The rotation matrix of a rotation vector (exponential map).
 *
 * @param log  3, angle · axis in radians, any length, from index `at`
 * @param out  3 × 3 row-major, from index `outAt`; may not alias `log`
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function rotationExp(log: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  const [x, y, z] = [log[at], log[at + 1], log[at + 2]];
  const angle = Math.sqrt(x * x + y * y + z * z);
  const factor = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  const q = [factor * x, factor * y, factor * z, cos(0.5 * angle)];
  rotationFromQuaternion(q, 0, out, outAt);
}

/**
 * The rotation vector of a rotation matrix, 0 ≤ angle ≤ π. At π the sign of the axis is the one that the rounded matrix
 * suggests.
 *
 * @param r    3 × 3 row-major, a rotation, from index `at`
 * @param out  3, from index `outAt`
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function rotationLog(r: ArrayLike<number>, at: number, out: Float64Array, outAt: number): void {
  const q = new Float64Array(4);
  quaternionFromRotation(r, at, q, 0);
  const sine = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const factor = sine > 0 ? (2 * atan2(sine, q[3])) / sine : 2;
  for (let k = 0; k < 3; k++) out[outAt + k] = factor * q[k];
}

/**
 * The rotation vector of a rotation matrix that is nearest to `reference`. Where R is the identity to rounding its axis
 * is free, and that of the reference is taken.
 *
 * @param r          3 × 3 row-major, a rotation, from index `at`
 * @param reference  3, from index `referenceAt`
 * @param out        3, from index `outAt`; may alias `reference`
 * @example
 * {@includeCode ../../examples/rotations.ts}
 */
export function rotationLogNear(
  r: ArrayLike<number>,
  at: number,
  reference: ArrayLike<number>,
  referenceAt: number,
  out: Float64Array,
  outAt: number,
): void {
  const [rx, ry, rz] = [reference[referenceAt], reference[referenceAt + 1], reference[referenceAt + 2]];
  rotationLog(r, at, out, outAt);
  let [x, y, z] = [out[outAt], out[outAt + 1], out[outAt + 2]];
  let angle = Math.sqrt(x * x + y * y + z * z);
  if (angle < 2 * NO_AXIS) {
    const length = Math.sqrt(rx * rx + ry * ry + rz * rz);
    if (length < Math.PI) return;
    [x, y, z] = [rx / length, ry / length, rz / length];
    angle = 0;
  } else [x, y, z] = [x / angle, y / angle, z / angle];
  const turns = Math.round((rx * x + ry * y + rz * z - angle) / (2 * Math.PI));
  if (turns === 0) return;
  const turned = angle + 2 * Math.PI * turns;
  out[outAt] = turned * x;
  out[outAt + 1] = turned * y;
  out[outAt + 2] = turned * z;
}
