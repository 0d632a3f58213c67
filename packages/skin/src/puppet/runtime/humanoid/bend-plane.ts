/**
 * The axis in which an elbow or a knee bends, which determines the twist of the limb.
 *
 * A bent limb shows its axis: upper × lower. A nearly straight one does not: there the axis of the last frame is carried
 * along, and drifts to the anatomical one, a hint. A knee that appears to bend backwards by a little, as the joint centres
 * of capture files do, is straight.
 */
import { cos, exp, sin } from '@pelt/math';

/** Sines of the bend between which the measured axis takes over from the hint. */
const STRAIGHT = 0.087; // 5°
const BENT = 0.42; // 25°
/** The same for a bend against the hint. */
const BACKWARDS_STRAIGHT = 0.34; // 20°
const BACKWARDS_BENT = 0.71; // 45°
/** Time constant in seconds of the drift of a straight limb's axis to the hint. */
const DRIFT = 0.5;
/** Largest angular speed of the twist, in radians per second: an axis that turns out to be the opposite does not flip. */
const FASTEST = 12;
/** Length of a sum of axes below which they cancel. */
const CANCELLED = 0.05;

export class BendPlane {
  /** 3: the axis, a unit vector orthogonal to the upper segment. */
  readonly axis = new Float64Array(3);
  #started = false;

  reset(): void {
    this.#started = false;
  }

  /**
   * @param upper    3: unit direction of the upper segment
   * @param lower    3: unit direction of the lower segment
   * @param hint     3: the anatomical axis, from 0 for none to unit length for a certain one
   * @param seconds  since the last frame
   */
  update(upper: Float64Array, lower: Float64Array, hint: Float64Array, seconds: number): void {
    const { axis } = this;
    const cx = upper[1] * lower[2] - upper[2] * lower[1];
    const cy = upper[2] * lower[0] - upper[0] * lower[2];
    const cz = upper[0] * lower[1] - upper[1] * lower[0];
    const sine = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const cosine = upper[0] * lower[0] + upper[1] * lower[1] + upper[2] * lower[2];
    const isBackwards = cx * hint[0] + cy * hint[1] + cz * hint[2] < 0;
    const low = isBackwards ? BACKWARDS_STRAIGHT : STRAIGHT;
    const high = isBackwards ? BACKWARDS_BENT : BENT;
    const bent = cosine < 0 ? 1 : Math.min(1, Math.max(0, (sine - low) / (high - low)));
    const measured = sine > 0 ? (bent * bent * (3 - 2 * bent)) / sine : 0;
    const unmeasured = 1 - measured * sine;
    const drift = this.#started ? 1 - exp(-seconds / DRIFT) : 1;
    const keep = this.#started ? 1 - drift : 0;
    let x = measured * cx + unmeasured * (keep * axis[0] + drift * hint[0]);
    let y = measured * cy + unmeasured * (keep * axis[1] + drift * hint[1]);
    let z = measured * cz + unmeasured * (keep * axis[2] + drift * hint[2]);
    const along = x * upper[0] + y * upper[1] + z * upper[2];
    x -= along * upper[0];
    y -= along * upper[1];
    z -= along * upper[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > CANCELLED)) return;
    this.#turnTo(x / length, y / length, z / length, upper, this.#started ? FASTEST * seconds : Math.PI);
    this.#started = true;
  }

  /** Turns the axis about the upper segment to a unit vector across it, by an angle at most. */
  #turnTo(x: number, y: number, z: number, upper: Float64Array, limit: number): void {
    const { axis } = this;
    const along = axis[0] * upper[0] + axis[1] * upper[1] + axis[2] * upper[2];
    let px = axis[0] - along * upper[0];
    let py = axis[1] - along * upper[1];
    let pz = axis[2] - along * upper[2];
    const across = Math.sqrt(px * px + py * py + pz * pz);
    const cosine = (px * x + py * y + pz * z) / across;
    if (limit >= Math.PI || !(across > CANCELLED) || cosine >= cos(limit)) {
      axis[0] = x;
      axis[1] = y;
      axis[2] = z;
      return;
    }
    px /= across;
    py /= across;
    pz /= across;
    // upper × p, towards the wanted axis.
    const qx = upper[1] * pz - upper[2] * py;
    const qy = upper[2] * px - upper[0] * pz;
    const qz = upper[0] * py - upper[1] * px;
    const c = cos(limit);
    const s = qx * x + qy * y + qz * z < 0 ? -sin(limit) : sin(limit);
    axis[0] = c * px + s * qx;
    axis[1] = c * py + s * qy;
    axis[2] = c * pz + s * qz;
  }
}
