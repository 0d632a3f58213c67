/**
 * Foot contacts: a planted foot keeps its position until it is lifted, whatever the scaled travel of the performer is;
 * inverse kinematics of the leg make up the difference.
 *
 * The blended poses decide: a foot is planted when it is low and slow, and lifted when it is high or pulled too far. It is
 * released over a few frames, so that it does not jump. Sun (2017, §6.2) leaves contacts as future work.
 */
import { distance3, transformPoint } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { TwoBoneLimb } from './two-bone.ts';

/** A point of the character that touches the ground. */
export interface ContactPoint {
  readonly bone: number;
  /** Rest position in model space. */
  readonly point: readonly [number, number, number];
}

/** Heights and distances are relative to the character's height, speeds in heights per second. */
const SET_DOWN_HEIGHT = 0.03;
const SET_DOWN_SPEED = 0.6;
const LIFT_HEIGHT = 0.05;
const LONGEST_PULL = 0.2;
/** Seconds in which a foot is released. */
const LET_GO_IN = 0.15;

interface Foot {
  readonly bone: number;
  readonly point: readonly [number, number, number];
  readonly limb: TwoBoneLimb;
  planted: boolean;
  /** 0 free, 1 held */
  hold: number;
  readonly anchor: Float64Array;
  /** Position of the point in the last pose, without the contact. */
  readonly last: Float64Array;
}

export class Contacts {
  readonly #bones: readonly Bone[];
  readonly #feet: readonly Foot[];
  readonly #height: number;
  readonly #floor: number;
  #started = false;
  readonly #now = new Float64Array(3);
  readonly #shift = new Float64Array(3);

  /**
   * @param points  those on limbs of fewer than two bones are ignored
   * @param floor   height of the ground
   * @param height  height of the character
   */
  constructor(bones: readonly Bone[], points: readonly ContactPoint[], floor: number, height: number) {
    this.#bones = bones;
    this.#feet = points.flatMap(({ bone, point }) => {
      const limb = TwoBoneLimb.endingIn(bones, bone);
      const state = { planted: false, hold: 0, anchor: new Float64Array(3), last: new Float64Array(3) };
      return limb ? [{ bone, point, limb, ...state }] : [];
    });
    this.#floor = floor;
    this.#height = height;
  }

  /** Names of the bones that can be planted. */
  get names(): string[] {
    return this.#feet.map(({ bone }) => this.#bones[bone].name);
  }

  reset(): void {
    this.#started = false;
    for (const foot of this.#feet) {
      foot.planted = false;
      foot.hold = 0;
    }
  }

  /**
   * @param seconds     since the last frame
   * @param transforms  m × 12; updated in place
   */
  apply(seconds: number, transforms: Float64Array): void {
    for (let k = 0; k < this.#feet.length; k++) this.#applyFoot(this.#feet[k], seconds, transforms);
    this.#started = true;
  }

  #applyFoot(foot: Foot, seconds: number, transforms: Float64Array): void {
    const now = this.#now;
    const { point, anchor, last } = foot;
    transformPoint(transforms, 12 * foot.bone, point[0], point[1], point[2], now, 0);
    const above = (now[1] - this.#floor) / this.#height;
    const moved = distance3(now, 0, last, 0);
    const slow = this.#started && seconds > 0 && moved / seconds < SET_DOWN_SPEED * this.#height;
    const pulled = Math.sqrt((now[0] - anchor[0]) ** 2 + (now[2] - anchor[2]) ** 2) / this.#height;
    if (foot.planted) {
      if (above > LIFT_HEIGHT || pulled > LONGEST_PULL) foot.planted = false;
    } else if (above < SET_DOWN_HEIGHT && slow) {
      // At its visible position, which differs from the pose while it is being released.
      for (let r = 0; r < 3; r++) anchor[r] = now[r] + smooth(foot.hold) * (anchor[r] - now[r]);
      foot.planted = true;
      foot.hold = 1;
    }
    last.set(now);
    if (!foot.planted) foot.hold = Math.max(0, foot.hold - seconds / LET_GO_IN);
    if (foot.hold === 0) return;
    for (let r = 0; r < 3; r++) this.#shift[r] = smooth(foot.hold) * (anchor[r] - now[r]);
    foot.limb.reach(transforms, this.#shift);
  }
}

/** Smoothstep. */
function smooth(x: number): number {
  return x * x * (3 - 2 * x);
}
