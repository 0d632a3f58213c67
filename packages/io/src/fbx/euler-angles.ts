/** Quaternions as Euler angles: about x first, then y, then z, in degrees, without jumps from key to key. */
import { atan2 } from '@pelt/math';
import type { Way } from '../scene/linear-keys.ts';
import { quaternionOf } from './fbx-transform.ts';

const DEGREES = 180 / Math.PI;
/** Cosine of the middle angle below which the other two turn about the same axis. */
const LOCKED = 1e-7;

export function eulerOf(q: ArrayLike<number>): number[] {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  const sine = 2 * (w * y - x * z);
  const [a, b] = [2 * (w * x + y * z), 1 - 2 * (x * x + y * y)];
  // Near a quarter turn the arc sine would lose half of its digits.
  const cosine = Math.hypot(a, b);
  const middle = DEGREES * atan2(sine, cosine);
  if (cosine < LOCKED) return [0, middle, DEGREES * atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))];
  return [DEGREES * atan2(a, b), middle, DEGREES * atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
}

/** The angles of a rotation nearest to others: full turns away, or by the second set that gives the same rotation. */
export function eulerNear(q: ArrayLike<number>, last: ArrayLike<number>): number[] {
  const first = eulerOf(q);
  const second = [first[0] + 180, 180 - first[1], first[2] + 180];
  const near = [first, second].map((angles) =>
    angles.map((angle, c) => angle - 360 * Math.round((angle - last[c]) / 360)),
  );
  const distance = (angles: readonly number[]) => angles.reduce((sum, angle, c) => sum + Math.abs(angle - last[c]), 0);
  return distance(near[0]) <= distance(near[1]) ? near[0] : near[1];
}

/** What players do that interpolate each angle by itself. */
export const alongEuler: Way = (a, b, u, out) => {
  const from = eulerOf(a);
  const to = eulerNear(b, from);
  out.set(
    quaternionOf(
      from.map((angle, c) => angle + u * (to[c] - angle)),
      0,
    ),
  );
};

/** Angles of keys, each near to the one before. @param values  S × 4 */
export function eulerCurves(values: Float64Array): Float64Array[] {
  const count = values.length / 4;
  const curves = [0, 1, 2].map(() => new Float64Array(count));
  let last = count > 0 ? eulerOf(values) : [];
  for (let k = 0; k < count; k++) {
    last = eulerNear(values.subarray(4 * k, 4 * k + 4), last);
    curves.forEach((curve, c) => {
      curve[k] = last[c];
    });
  }
  return curves;
}
