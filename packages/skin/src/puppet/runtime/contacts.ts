/**
 * Foot contacts: a planted foot keeps its place until it is lifted, whatever the scaled travel of the performer is.
 *
 * The poses decide. A point of a foot is planted when it is low and either slow or left behind by the body, as in the stance
 * of a gait whose steps are shorter than the travel; it is lifted when it is high, overtakes the body, or is pulled too far.
 * First the root gives way: the character travels as its planted feet make it. Inverse kinematics of the leg makes up the
 * rest, horizontally; feet are kept from sinking into the ground, and where the poses come from pairs, whose steps are
 * blends that drag the feet, from dragging. A foot is released over a few frames, so that it does not jump.
 *
 * Sun (2017, §6.2) leaves contacts as future work.
 */
import { exp } from '@pelt/math';

/** Heights and distances are relative to the character's height, speeds in heights per second. */
const SET_DOWN_HEIGHT = 0.03;
const SET_DOWN_SPEED = 0.35;
const LIFT_HEIGHT = 0.05;
const LIFT_SPEED = 0.6;
const LONGEST_PULL = 0.08;
/** Least speed of the body at which a foot can be left behind; and how far ahead of the body a lifted foot goes. */
const LEAST_TRAVEL = 0.1;
const OVERTAKES = 0.1;
/** Seconds in which a foot is released. */
const LET_GO_IN = 0.15;
/**
 * Time constant in seconds with which the root follows the planted feet; and that of its speed, which makes following
 * critically damped: without it the whole character would change its speed at once when a foot is lifted.
 */
const ROOT_FOLLOWS = 0.06;
const ROOT_ACCELERATES = ROOT_FOLLOWS / 4;
/** The same for its height, and the most that it changes. */
const ROOT_RISES = 0.15;
const HIGHEST_STEP = 0.05;
/** Height at which a foot passes over the ground, the speeds between which it rises to it, and its time constant. */
const CLEARANCE = 0.06;
const DRAGGING = 0.25;
const STRIDING = 0.7;
const RISES_IN = 0.02;
/** Speed of a sole that has half the weight of one at rest. */
const STILL = 0.2;
/** Time constant in seconds of the measured velocities; the same of soles and body, which are compared. */
const VELOCITY_DELAY = 0.04;

/** Where a pose, m × 12, has a point: 3 numbers, overwritten. */
export type Locate = (transforms: Float64Array, out: Float64Array) => void;

/** What moves a foot: m × 12, updated in place, by 3. */
export interface Reaching {
  reach(transforms: Float64Array, shift: Float64Array): void;
}

export interface ContactLimb {
  readonly name: string;
  /** What the foot stands on. */
  readonly soles: readonly Locate[];
  readonly limb: Reaching;
  /** The body that the limb hangs on. */
  readonly body: Locate;
}

interface SolePoint {
  readonly locate: Locate;
  planted: boolean;
  /** 3: where it was planted */
  readonly anchor: Float64Array;
  /** 3: position in the last pose, without contacts */
  readonly last: Float64Array;
  /** 3: position in this pose, without contacts */
  readonly now: Float64Array;
  /** 3: smoothed velocity, without contacts */
  readonly velocity: Float64Array;
  /**
   * 3: from the pose to where the foot is held, and while it is released from there; 1: 0 free, 1 held; 1: weight beside
   * the other soles of the foot, since the one that moves least and is lowest is the one that the foot stands on
   */
  readonly offset: Float64Array;
}

interface Foot {
  readonly limb: Reaching;
  readonly points: readonly SolePoint[];
  /** 3: how far the foot was moved in the last frame */
  readonly shift: Float64Array;
  /** 1: how far the foot is raised */
  readonly raised: Float64Array;
}

export class Contacts {
  readonly #feet: readonly Foot[];
  /** Points whose mean is the position of the body. */
  readonly #tops: readonly Locate[];
  readonly #height: number;
  readonly #floor: number;
  readonly #isBlend: boolean;
  #started = false;
  /** 3: the body in the last pose; 3: its velocity; 3: what the root gives way */
  readonly #body = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  readonly #drift = new Float64Array(3);
  /** 3: what it gave way in the last frame, per second; vertically 0 */
  readonly #rate = new Float64Array(3);
  /** Shares of a difference that are taken over in a frame: by the root, its height, a raised foot, the root's speed. */
  readonly #shares = new Float64Array(4);
  readonly #last = new Float64Array(3);
  readonly #point = new Float64Array(3);

  /**
   * @param floor    height of the ground
   * @param height   height of the character
   * @param isBlend  whether poses are blends of pairs, whose steps drag and disagree with the travel
   */
  constructor(limbs: readonly ContactLimb[], floor: number, height: number, isBlend: boolean) {
    this.#feet = limbs.map(({ soles, limb }) => ({
      limb,
      points: soles.map((locate) => ({
        locate,
        planted: false,
        anchor: new Float64Array(3),
        last: new Float64Array(3),
        now: new Float64Array(3),
        velocity: new Float64Array(3),
        offset: new Float64Array(5),
      })),
      shift: new Float64Array(3),
      raised: new Float64Array(1),
    }));
    this.#tops = limbs.map(({ body }) => body);
    this.#floor = floor;
    this.#height = height;
    this.#isBlend = isBlend;
  }

  reset(): void {
    this.#started = false;
    this.#drift.fill(0);
    this.#rate.fill(0);
    for (const { points, shift, raised } of this.#feet) {
      shift.fill(0);
      raised.fill(0);
      for (const sole of points) {
        sole.planted = false;
        sole.offset.fill(0);
      }
    }
  }

  /**
   * @param seconds     since the last frame
   * @param transforms  m × 12; updated in place
   */
  apply(seconds: number, transforms: Float64Array): void {
    if (this.#feet.length === 0) return;
    this.#shares[0] = 1 - exp(-seconds / ROOT_FOLLOWS);
    this.#shares[1] = 1 - exp(-seconds / ROOT_RISES);
    this.#shares[2] = 1 - exp(-seconds / RISES_IN);
    this.#shares[3] = this.#isBlend ? 1 : 1 - exp(-seconds / ROOT_ACCELERATES);
    this.#measure(seconds, transforms);
    if (this.#started && seconds > 0) this.#decide();
    this.#giveWay(seconds);
    const drift = this.#drift;
    for (let k = 3; k < transforms.length; k += 12) {
      transforms[k] += drift[0];
      transforms[k + 4] += drift[1];
      transforms[k + 8] += drift[2];
    }
    for (let k = 0; k < this.#feet.length; k++) this.#hold(this.#feet[k], transforms);
    this.#started = true;
  }

  /** Positions of the soles, and the velocity of the body, without contacts. */
  #measure(seconds: number, transforms: Float64Array): void {
    for (let k = 0; k < this.#feet.length; k++) {
      const { points } = this.#feet[k];
      for (let i = 0; i < points.length; i++) {
        const { now, last, velocity, offset } = points[i];
        for (let r = 0; r < 3; r++) last[r] = now[r];
        points[i].locate(transforms, now);
        const share = seconds / (seconds + VELOCITY_DELAY);
        for (let r = 0; r < 3; r++) {
          if (!this.#started) velocity[r] = 0;
          else if (seconds > 0) velocity[r] += share * ((now[r] - last[r]) / seconds - velocity[r]);
        }
        const squared = (velocity[0] * velocity[0] + velocity[2] * velocity[2]) / (STILL * this.#height) ** 2;
        const high = Math.max(0, now[1] + this.#drift[1] - this.#floor) / (SET_DOWN_HEIGHT * this.#height);
        offset[4] = 1 / (1 + squared + high * high);
      }
    }
    const body = this.#body;
    const velocity = this.#velocity;
    const last = this.#last;
    last.set(body);
    body.fill(0);
    for (let k = 0; k < this.#tops.length; k++) {
      this.#tops[k](transforms, this.#point);
      for (let r = 0; r < 3; r++) body[r] += this.#point[r] / this.#tops.length;
    }
    const share = seconds / (seconds + VELOCITY_DELAY);
    for (let r = 0; r < 3; r++) {
      if (!this.#started) velocity[r] = 0;
      else if (seconds > 0) velocity[r] += share * ((body[r] - last[r]) / seconds - velocity[r]);
    }
  }

  /** Plants and lifts. */
  #decide(): void {
    const unit = 1 / this.#height;
    const bx = this.#velocity[0] * unit;
    const bz = this.#velocity[2] * unit;
    const travel = bx * bx + bz * bz;
    const travels = travel > LEAST_TRAVEL * LEAST_TRAVEL;
    for (let k = 0; k < this.#feet.length; k++) {
      const { points, shift } = this.#feet[k];
      for (let i = 0; i < points.length; i++) {
        const sole = points[i];
        const { now, anchor, offset, velocity } = sole;
        const x = velocity[0] * unit;
        const z = velocity[2] * unit;
        const speed = Math.sqrt(x * x + z * z);
        // Relative to the body and its travel: −1 for a foot that stays in place, above 0 for one that overtakes it.
        const ahead = travels ? (x * bx + z * bz) / travel - 1 : -1;
        const above = (now[1] + this.#drift[1] - this.#floor) * unit;
        if (sole.planted) {
          const pulled = Math.max(Math.abs(offset[0]), Math.abs(offset[2])) * unit;
          const isFast = speed > LIFT_SPEED && ahead > -OVERTAKES;
          if (above > LIFT_HEIGHT || pulled > LONGEST_PULL || ahead > OVERTAKES || isFast) sole.planted = false;
        } else if (above < SET_DOWN_HEIGHT && (speed < SET_DOWN_SPEED || ahead < -OVERTAKES) && ahead <= OVERTAKES) {
          // At its visible position, which differs from the pose while the foot is being released.
          for (let r = 0; r < 3; r++) anchor[r] = now[r] + this.#drift[r] + shift[r];
          sole.planted = true;
          offset[3] = 1;
        }
      }
    }
  }

  /** The root takes over the mean offset of the planted feet, and rises or sinks to stand on the ground. */
  #giveWay(seconds: number): void {
    let x = 0;
    let z = 0;
    let planted = 0;
    let lowest = Number.POSITIVE_INFINITY;
    const share = this.#shares[0];
    // Steps of pairs and travel disagree by so much that following is too late: the root moves as the feet push it.
    const ahead = this.#isBlend && this.#started ? 1 - share : 0;
    for (let k = 0; k < this.#feet.length; k++) {
      const { points } = this.#feet[k];
      let sumX = 0;
      let sumZ = 0;
      let total = 0;
      for (let i = 0; i < points.length; i++) {
        const { now, last, anchor, offset } = points[i];
        if (!points[i].planted) {
          offset[3] = Math.max(0, offset[3] - seconds / LET_GO_IN);
          continue;
        }
        const weight = offset[4];
        sumX += weight * (share * (anchor[0] - now[0] - this.#drift[0]) - ahead * (now[0] - last[0]));
        sumZ += weight * (share * (anchor[2] - now[2] - this.#drift[2]) - ahead * (now[2] - last[2]));
        total += weight;
        lowest = Math.min(lowest, now[1]);
      }
      if (total === 0) continue;
      x += sumX / total;
      z += sumZ / total;
      planted++;
    }
    const rate = this.#rate;
    const mean = planted > 0 ? 1 / planted : 0;
    if (seconds > 0) {
      rate[0] += this.#shares[3] * ((mean * x) / seconds - rate[0]);
      rate[2] += this.#shares[3] * ((mean * z) / seconds - rate[2]);
      for (let r = 0; r < 3; r++) this.#drift[r] += seconds * rate[r];
    }
    if (planted > 0) {
      // Standing on the ground: the poses need not agree with it by a little.
      const most = HIGHEST_STEP * this.#height;
      const rise = Math.min(most, Math.max(-most, this.#floor - lowest));
      this.#drift[1] += (rise - this.#drift[1]) * this.#shares[1];
    }
    for (let k = 0; k < this.#feet.length; k++) {
      const { points } = this.#feet[k];
      for (let i = 0; i < points.length; i++) {
        const { now, anchor, offset } = points[i];
        if (!points[i].planted) continue;
        offset[0] = anchor[0] - now[0] - this.#drift[0];
        offset[2] = anchor[2] - now[2] - this.#drift[2];
      }
    }
  }

  /** Moves a foot to where its planted or released soles are held, above the ground. */
  #hold({ limb, points, shift, raised }: Foot, transforms: Float64Array): void {
    shift.fill(0);
    let total = 0;
    let held = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let speed = 0;
    for (let i = 0; i < points.length; i++) {
      const { now, velocity, offset } = points[i];
      const hold = smooth(offset[3]);
      const weight = hold * offset[4];
      shift[0] += weight * offset[0];
      shift[2] += weight * offset[2];
      total += weight;
      held = Math.max(held, hold);
      if (now[1] >= lowest) continue;
      lowest = now[1];
      speed = points[i].planted ? 0 : Math.sqrt(velocity[0] ** 2 + velocity[2] ** 2) / this.#height;
    }
    if (total > 0) for (let r = 0; r < 3; r++) shift[r] *= held / total;
    const stride = smooth(Math.min(1, Math.max(0, (speed - DRAGGING) / (STRIDING - DRAGGING))));
    const above = lowest + this.#drift[1] - this.#floor;
    // Above the ground, and in a blend clear of it; smoothly, since the ground would otherwise stop the knee as a blow.
    const clear = this.#isBlend ? CLEARANCE * this.#height * stride : 0;
    raised[0] += (Math.max(0, clear - above) - raised[0]) * this.#shares[2];
    shift[1] = raised[0];
    if (shift[0] === 0 && shift[1] === 0 && shift[2] === 0) return;
    limb.reach(transforms, shift);
  }
}

/** Smoothstep. */
function smooth(x: number): number {
  return x * x * (3 - 2 * x);
}
