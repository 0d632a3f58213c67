/**
 * What drives the swing, from two poses: for every driving joint, in its own axes, the velocity v and angular velocity ω
 * of the last interval, ω × v, the six products of ω, and the direction of gravity.
 *
 * In these axes a mass on the joint feels v̇ + ω × v − g, and ω̇ and products of ω where it is off the joint's origin. No
 * acceleration is differenced: a resonator that is driven by a velocity responds to its derivative.
 */
import { multiplyTransposed3, properRotation, rotationExp, rotationLog } from '@pelt/math';
import { type Bone, DRIVER_INPUTS, type Dynamics, TRANSFORM_SIZE } from '@pelt/model';
import { kneeFactor } from './knee.ts';

/** A joint that moves this many times faster than in training has jumped. */
const TELEPORT = 3;

/** Reads inputs pose by pose; a call allocates little. */
export class DriverInputs {
  /** J × 18 of the last call */
  readonly values: Float64Array;
  /** J × 9 rotations and J × 3 origins of the last call, of one instance */
  readonly #drivers: Uint16Array;
  readonly #origins: Float64Array;
  readonly #gravity: Float64Array;
  readonly #speeds: Float64Array | undefined;
  readonly #linear = new Float64Array(9);
  readonly #turn = new Float64Array(9);
  readonly #log = new Float64Array(3);
  readonly #half = new Float64Array(9);

  /**
   * @param bones  m of the skeleton
   * @param given  with `speeds` where inputs are limited, and jumps are told apart
   */
  constructor(
    bones: readonly Bone[],
    given: Pick<Dynamics, 'drivers' | 'gravity'> & { readonly speeds?: Float64Array },
  ) {
    this.#drivers = given.drivers;
    this.#gravity = given.gravity;
    this.#speeds = given.speeds;
    this.#origins = Float64Array.from({ length: 3 * given.drivers.length }, (_, k) => {
      const bone = bones[given.drivers[Math.floor(k / 3)]];
      return bone.rest[4 * (k % 3) + 3];
    });
    this.values = new Float64Array(DRIVER_INPUTS * given.drivers.length);
  }

  /** Numbers of a placement: rotation and origin of every driver. */
  get placementSize(): number {
    return 12 * this.#drivers.length;
  }

  /**
   * Where the drivers are.
   *
   * @param transforms  m × 12, rest → pose
   * @param out         J × 12: rotation, origin; overwritten
   */
  place(transforms: Float64Array, out: Float64Array): void {
    for (let d = 0; d < this.#drivers.length; d++) {
      const at = TRANSFORM_SIZE * this.#drivers[d];
      const o = 3 * d;
      for (let r = 0; r < 3; r++) {
        const row = at + 4 * r;
        // The rotation that maximises tr(R Mᵀ), of which properRotation takes the matrix transposed.
        for (let c = 0; c < 3; c++) this.#linear[3 * c + r] = transforms[row + c];
        out[12 * d + 9 + r] =
          transforms[row] * this.#origins[o] +
          transforms[row + 1] * this.#origins[o + 1] +
          transforms[row + 2] * this.#origins[o + 2] +
          transforms[row + 3];
      }
      properRotation(this.#linear, 0, out, 12 * d);
    }
  }

  /**
   * Fills `values` for the interval between two placements.
   *
   * @param dt  its length in seconds; 0 where there was none, so that only gravity is read
   * @returns whether the drivers jumped: then they count as still
   */
  read(before: Float64Array, now: Float64Array, dt: number): boolean {
    const { values } = this;
    let jumped = false;
    for (let d = 0; d < this.#drivers.length; d++) {
      const at = DRIVER_INPUTS * d;
      if (dt > 0) jumped = this.#twist(before, now, d, dt) || jumped;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let r = 0; r < 3; r++) sum += now[12 * d + 3 * r + c] * this.#gravity[r];
        values[at + 15 + c] = sum;
      }
    }
    if (jumped || dt <= 0) {
      for (let k = 0; k < values.length; k++) if (k % DRIVER_INPUTS < 15) values[k] = 0;
    }
    return jumped;
  }

  #twist(before: Float64Array, now: Float64Array, d: number, dt: number): boolean {
    const u = this.values;
    const at = DRIVER_INPUTS * d;
    const from = 12 * d;
    const log = this.#log;
    multiplyTransposed3(before, from, now, from, this.#turn, 0);
    rotationLog(this.#turn, 0, log, 0);
    for (let c = 0; c < 3; c++) {
      u[at + 3 + c] = log[c] / dt;
      log[c] *= 0.5;
    }
    rotationExp(log, 0, this.#turn, 0);
    const half = this.#half;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        half[3 * r + c] = 0;
        for (let k = 0; k < 3; k++) half[3 * r + c] += before[from + 3 * r + k] * this.#turn[3 * k + c];
      }
    }
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let r = 0; r < 3; r++) sum += half[3 * r + c] * (now[from + 9 + r] - before[from + 9 + r]);
      u[at + c] = sum / dt;
    }
    const jumped = this.#limit(at, 2 * d) || this.#limit(at + 3, 2 * d + 1);
    const [vx, vy, vz, x, y, z] = u.subarray(at, at + 6);
    u[at + 6] = y * vz - z * vy;
    u[at + 7] = z * vx - x * vz;
    u[at + 8] = x * vy - y * vx;
    u[at + 9] = x * x;
    u[at + 10] = y * y;
    u[at + 11] = z * z;
    u[at + 12] = x * y;
    u[at + 13] = x * z;
    u[at + 14] = y * z;
    return jumped;
  }

  /** Limits a vector to the trained speed; true where it is far beyond. */
  #limit(at: number, k: number): boolean {
    if (!this.#speeds) return false;
    const u = this.values;
    const size = Math.hypot(u[at], u[at + 1], u[at + 2]);
    const factor = kneeFactor(size, this.#speeds[k]);
    for (let c = 0; c < 3; c++) u[at + c] *= factor;
    return size > TELEPORT * this.#speeds[k] && this.#speeds[k] > 0;
  }
}
