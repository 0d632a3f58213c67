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
import { exp, transformPoint } from '@pelt/math';
import type { Bone } from '@pelt/model';
import type { ContactFoot } from './character-shape.ts';
import { posedOrigin } from './local-pose.ts';
import type { TwoBoneLimb } from './two-bone.ts';

/** Heights and distances are relative to the character's height, speeds in heights per second. */
const SET_DOWN_HEIGHT = 0.03;
const SET_DOWN_SPEED = 0.35;
const LIFT_HEIGHT = 0.05;
const LIFT_SPEED = 0.6;
const LONGEST_PULL = 0.15;
/** Least speed of the body at which a foot can be left behind; and how far ahead of the body a lifted foot goes. */
const LEAST_TRAVEL = 0.1;
const OVERTAKES = 0.1;
/** Seconds in which a foot is released. */
const LET_GO_IN = 0.15;
/** Time constant in seconds with which the root follows the planted feet. */
const ROOT_FOLLOWS = 0.06;
/** Height at which a foot passes over the ground, the speeds between which it rises to it, and its time constant. */
const CLEARANCE = 0.045;
const DRAGGING = 0.25;
const STRIDING = 0.7;
const RISES_IN = 0.05;

export interface ContactLimb {
  readonly foot: ContactFoot;
  readonly limb: TwoBoneLimb;
  /** Bone at the top of the limb. */
  readonly upper: number;
}

interface SolePoint {
  readonly bone: number;
  readonly point: readonly [number, number, number];
  planted: boolean;
  /** 3: where it was planted */
  readonly anchor: Float64Array;
  /** 3: position in the last pose, without contacts */
  readonly last: Float64Array;
  /** 3: position in this pose, without contacts */
  readonly now: Float64Array;
  /** 3: from the pose to where the foot is held, and while it is released from there; then 1: 0 free, 1 held */
  readonly offset: Float64Array;
}

interface Foot {
  readonly limb: TwoBoneLimb;
  readonly points: readonly SolePoint[];
  /** 1: how far the foot is raised */
  readonly raised: Float64Array;
}

export class Contacts {
  readonly #bones: readonly Bone[];
  readonly #feet: readonly Foot[];
  /** Bones whose mean position is that of the body. */
  readonly #tops: Int32Array;
  readonly #height: number;
  readonly #floor: number;
  readonly #clearance: number;
  #started = false;
  /** 3: the body in the last pose; 3: its velocity; 3: what the root gives way */
  readonly #body = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  readonly #drift = new Float64Array(3);
  readonly #shift = new Float64Array(3);
  readonly #point = new Float64Array(3);

  /**
   * @param floor      height of the ground
   * @param height     height of the character
   * @param clearance  whether feet that drag are raised
   */
  constructor(
    bones: readonly Bone[],
    limbs: readonly ContactLimb[],
    floor: number,
    height: number,
    clearance: boolean,
  ) {
    this.#bones = bones;
    this.#feet = limbs.map(({ foot, limb }) => ({
      limb,
      points: foot.points.map((sole) => ({
        ...sole,
        planted: false,
        anchor: new Float64Array(3),
        last: new Float64Array(3),
        now: new Float64Array(3),
        offset: new Float64Array(4),
      })),
      raised: new Float64Array(1),
    }));
    this.#tops = Int32Array.from(limbs, ({ upper }) => upper);
    this.#floor = floor;
    this.#height = height;
    this.#clearance = clearance ? CLEARANCE * height : 0;
  }

  reset(): void {
    this.#started = false;
    this.#drift.fill(0);
    for (const { points, raised } of this.#feet) {
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
    this.#measure(seconds, transforms);
    if (this.#started && seconds > 0) this.#decide(seconds);
    this.#giveWay(seconds);
    const drift = this.#drift;
    for (let k = 3; k < transforms.length; k += 12) {
      transforms[k] += drift[0];
      transforms[k + 8] += drift[2];
    }
    for (let k = 0; k < this.#feet.length; k++) this.#hold(this.#feet[k], seconds, transforms);
    this.#started = true;
  }

  /** Positions of the soles, and the velocity of the body, without contacts. */
  #measure(seconds: number, transforms: Float64Array): void {
    for (let k = 0; k < this.#feet.length; k++) {
      const { points } = this.#feet[k];
      for (let i = 0; i < points.length; i++) {
        const { bone, point, now, last } = points[i];
        for (let r = 0; r < 3; r++) last[r] = now[r];
        transformPoint(transforms, 12 * bone, point[0], point[1], point[2], now, 0);
      }
    }
    const body = this.#body;
    const velocity = this.#velocity;
    for (let r = 0; r < 3; r++) velocity[r] = -body[r];
    body.fill(0);
    for (let k = 0; k < this.#tops.length; k++) {
      posedOrigin(this.#bones[this.#tops[k]], transforms, 12 * this.#tops[k], this.#point);
      for (let r = 0; r < 3; r++) body[r] += this.#point[r] / this.#tops.length;
    }
    for (let r = 0; r < 3; r++) velocity[r] = seconds > 0 ? (velocity[r] + body[r]) / seconds : 0;
  }

  /** Plants and lifts. */
  #decide(seconds: number): void {
    const unit = 1 / this.#height;
    const bx = this.#velocity[0] * unit;
    const bz = this.#velocity[2] * unit;
    const travel = bx * bx + bz * bz;
    const travels = travel > LEAST_TRAVEL * LEAST_TRAVEL;
    for (let k = 0; k < this.#feet.length; k++) {
      const { points } = this.#feet[k];
      for (let i = 0; i < points.length; i++) {
        const sole = points[i];
        const { now, last, anchor, offset } = sole;
        const x = ((now[0] - last[0]) * unit) / seconds;
        const z = ((now[2] - last[2]) * unit) / seconds;
        const speed = Math.sqrt(x * x + z * z);
        // Relative to the body and its travel: −1 for a foot that stays in place, above 0 for one that overtakes it.
        const ahead = travels ? (x * bx + z * bz) / travel - 1 : -1;
        const above = (now[1] - this.#floor) * unit;
        if (sole.planted) {
          const pulled = Math.max(Math.abs(offset[0]), Math.abs(offset[2])) * unit;
          const isFast = speed > LIFT_SPEED && ahead > -OVERTAKES;
          if (above > LIFT_HEIGHT || pulled > LONGEST_PULL || ahead > OVERTAKES || isFast) sole.planted = false;
        } else if (above < SET_DOWN_HEIGHT && (speed < SET_DOWN_SPEED || ahead < -OVERTAKES) && ahead <= OVERTAKES) {
          // At its visible position, which differs from the pose while it is being released.
          for (let r = 0; r < 3; r++) anchor[r] = now[r] + this.#drift[r] + smooth(offset[3]) * offset[r];
          sole.planted = true;
          offset[3] = 1;
        }
      }
    }
  }

  /** Offsets of the planted soles; the root takes over their mean. */
  #giveWay(seconds: number): void {
    let x = 0;
    let z = 0;
    let planted = 0;
    for (let k = 0; k < this.#feet.length; k++) {
      const { points } = this.#feet[k];
      for (let i = 0; i < points.length; i++) {
        const { now, anchor, offset } = points[i];
        if (!points[i].planted) {
          offset[3] = Math.max(0, offset[3] - seconds / LET_GO_IN);
          continue;
        }
        x += anchor[0] - now[0] - this.#drift[0];
        z += anchor[2] - now[2] - this.#drift[2];
        planted++;
      }
    }
    if (planted > 0) {
      const share = (1 - exp(-seconds / ROOT_FOLLOWS)) / planted;
      this.#drift[0] += share * x;
      this.#drift[2] += share * z;
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
  #hold({ limb, points, raised }: Foot, seconds: number, transforms: Float64Array): void {
    const shift = this.#shift;
    shift.fill(0);
    let held = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let speed = 0;
    for (let i = 0; i < points.length; i++) {
      const { now, last, offset } = points[i];
      const weight = smooth(offset[3]);
      shift[0] += weight * offset[0];
      shift[2] += weight * offset[2];
      held += weight;
      if (now[1] >= lowest) continue;
      lowest = now[1];
      const still = !this.#started || !(seconds > 0) || points[i].planted;
      speed = still ? 0 : Math.sqrt((now[0] - last[0]) ** 2 + (now[2] - last[2]) ** 2) / (seconds * this.#height);
    }
    if (held > 1) for (let r = 0; r < 3; r++) shift[r] /= held;
    const stride = smooth(Math.min(1, Math.max(0, (speed - DRAGGING) / (STRIDING - DRAGGING))));
    const above = lowest - this.#floor;
    const wanted = Math.max(0, this.#clearance * stride - above);
    raised[0] += (wanted - raised[0]) * (1 - exp(-seconds / RISES_IN));
    shift[1] = Math.max(-above, raised[0]);
    if (shift[1] < 0) shift[1] = 0;
    if (shift[0] === 0 && shift[1] === 0 && shift[2] === 0) return;
    limb.reach(transforms, shift);
  }
}

/** Smoothstep. */
function smooth(x: number): number {
  return x * x * (3 - 2 * x);
}
