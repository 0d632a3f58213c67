/** The rotation of a joint's channels, multiplied in their order. */
import { cos, sin } from '@pelt/math';

const HALF_DEGREE = Math.PI / 360;

/** Axis of each rotation channel. */
const AXES: Readonly<Record<string, number>> = { xrotation: 0, yrotation: 1, zrotation: 2 };

/**
 * @param channels  names in lower case
 * @param values    degrees, from index `from`, one for each channel
 * @param out       4, a unit quaternion x, y, z, w, from index `at`
 */
export function channelRotation(
  channels: readonly string[],
  values: Float64Array,
  from: number,
  out: Float64Array,
  at: number,
): void {
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 1;
  for (let k = 0; k < channels.length; k++) {
    const axis = AXES[channels[k]];
    if (axis === undefined) continue;
    const s = sin(values[from + k] * HALF_DEGREE);
    const c = cos(values[from + k] * HALF_DEGREE);
    // q ← q · (s on the axis, c): a turn about one axis mixes two pairs of components.
    const [qx, qy, qz, qw] = [x, y, z, w];
    if (axis === 0) {
      x = qx * c + qw * s;
      y = qy * c + qz * s;
      z = qz * c - qy * s;
      w = qw * c - qx * s;
    } else if (axis === 1) {
      x = qx * c - qz * s;
      y = qy * c + qw * s;
      z = qz * c + qx * s;
      w = qw * c - qy * s;
    } else {
      x = qx * c + qy * s;
      y = qy * c - qx * s;
      z = qz * c + qw * s;
      w = qw * c - qz * s;
    }
  }
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = w;
}
