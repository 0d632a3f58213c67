/**
 * Foot contact: a foot that comes to the ground stays where it came down until it leaves, whatever the scaled travel of
 * the performer says; the leg above makes up the difference.
 *
 * The blended poses decide when: low and slow sets a foot down, high or pulled too far lifts it. It is let
 * go over a few frames, so that it does not jump. Sun (2017, §6.2) asks for contacts and leaves them as future work.
 */
import { distance3, transformPoint } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { TwoBoneLimb } from './two-bone.ts';

/** A point of the character that touches the ground. */
export interface ContactPoint {
  readonly bone: number;
  /** At rest, in the model. */
  readonly point: readonly [number, number, number];
}

/** All relative to the character's height; speeds are heights a second. */
const SET_DOWN_HEIGHT = 0.03;
const SET_DOWN_SPEED = 0.6;
const LIFT_HEIGHT = 0.05;
const LONGEST_PULL = 0.2;
/** Seconds from held to free. */
const LET_GO_IN = 0.15;

interface Foot {
  readonly bone: number;
  readonly point: readonly [number, number, number];
  readonly limb: TwoBoneLimb;
  planted: boolean;
  /** 0 free, 1 held */
  hold: number;
  readonly anchor: Float64Array;
  /** Where the pose alone had the point in the last frame. */
  readonly last: Float64Array;
}

export class Contacts {
  readonly #feet: readonly Foot[];
  readonly #height: number;
  readonly #floor: number;
  #started = false;
  readonly #now = new Float64Array(3);
  readonly #shift = new Float64Array(3);

  /**
   * @param points  those on limbs of fewer than two bones are left out: they cannot be held
   * @param floor   height of the ground
   * @param height  of the character
   */
  constructor(bones: readonly Bone[], points: readonly ContactPoint[], floor: number, height: number) {
    this.#feet = points.flatMap(({ bone, point }) => {
      const limb = TwoBoneLimb.endingIn(bones, bone);
      const state = { planted: false, hold: 0, anchor: new Float64Array(3), last: new Float64Array(3) };
      return limb ? [{ bone, point, limb, ...state }] : [];
    });
    this.#floor = floor;
    this.#height = height;
  }

  /** Feet that can be held. */
  get count(): number {
    return this.#feet.length;
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
   * @param transforms  m × 12, changed in place
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
      // Where it is seen to be, which is not where the pose has it while it is still being let go.
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

/** 0 to 1 with level ends. */
function smooth(x: number): number {
  return x * x * (3 - 2 * x);
}
