/**
 * Keeps a body from passing through itself, and hands that touch in the performer together.
 *
 * Capsules stand for the parts. For each capsule of a forearm, hand, shin or foot that enters another one, the limb's end is
 * moved out along the line between them (two-bone inverse kinematics of the limb), the deepest first, a few times. The push
 * sets in smoothly before surfaces meet; while axes come close to each other the direction of the last frame decides, so
 * that a hand is not pushed out on the other side.
 *
 * Sun (2017, §6.2) names parts of the body that overlap as a thing to be excluded.
 */
import { type Bone, CAPSULE_SIZE, type Capsules } from '@pelt/model';
import { poseCapsules, pushOut } from '../../../capsules/runtime/index.ts';
import { basesOf } from '../humanoid/attach.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import type { HumanoidRest } from '../humanoid/humanoid-rest.ts';
import { TwoBoneLimb } from '../two-bone.ts';
import { type CollisionLimb, collisionLimbs } from './collision-pairs.ts';
import { segmentDistance } from './segment-distance.ts';

/** Times that a limb is moved out of the deepest contact. */
const PASSES = 4;
/** Width of the zone in which a push sets in, relative to the character's height. */
const ZONE = 0.006;
/** Pushes below this do not move a limb. */
const NEGLIGIBLE = 1e-4;
/** Least parameter along a forearm or shin at which a contact is answered by moving its end. */
const NEAR_THE_JOINT = 0.35;
/** Distances of the performer's hands, in metres of a person of 1.75 m, within which they touch, and from which they do not. */
const TOUCH = 0.11;
const APART = 0.2;

interface MovedLimb extends CollisionLimb {
  readonly ik: TwoBoneLimb;
}

export interface SelfContactInput {
  readonly bones: readonly Bone[];
  readonly humanoid: Humanoid;
  readonly rest: HumanoidRest;
  readonly capsules: Capsules;
  /** The character's height. */
  readonly height: number;
  /** Indices of the performer's hands among the joints, left and right; −1 for none. */
  readonly hands: readonly [number, number];
}

export class SelfContact {
  readonly #capsules: Capsules;
  readonly #limbs: readonly MovedLimb[];
  readonly #hands: readonly [number, number];
  readonly #zone: number;
  /** C × 7 */
  readonly #posed: Float64Array;
  readonly #between = new Float64Array(5);
  readonly #nearest = new Float64Array(3);
  readonly #push = new Float64Array(3);
  readonly #deepest = new Float64Array(4);

  constructor({ bones, humanoid, rest, capsules, height, hands }: SelfContactInput) {
    const bases = basesOf(bones, humanoid);
    const limbs = [...rest.arms, ...rest.legs];
    this.#capsules = capsules;
    this.#limbs = collisionLimbs(bones, humanoid, capsules).flatMap((found, k) => {
      const { upper, lower, end, upperFrame } = limbs[k];
      if (end < 0) return [];
      const hinge = [1, 4, 7].map((at) => -upperFrame[at]);
      return [{ ...found, ik: new TwoBoneLimb(bones, [upper, lower, end], [], { bases, hinge }) }];
    });
    this.#hands = hands;
    this.#zone = ZONE * height;
    this.#posed = new Float64Array(CAPSULE_SIZE * capsules.bones.length);
  }

  reset(): void {
    for (const { pairs } of this.#limbs) for (const { normal } of pairs) normal.fill(0);
  }

  /**
   * Keeps the legs apart; before feet are planted, so that these stand where the legs are.
   *
   * @param transforms  m × 12; updated in place
   */
  partLegs(transforms: Float64Array): void {
    poseCapsules(this.#capsules, transforms, 0, this.#posed);
    this.#moveAllOut(false, transforms);
  }

  /**
   * Keeps arms out of the body, and hands together that touch.
   *
   * @param positions   J × 3: joints of the performer
   * @param lost        J: 1 where a joint is not tracked
   * @param size        units of the positions per metre of a person of 1.75 m
   * @param transforms  m × 12; updated in place
   */
  moveArms(positions: Float64Array, lost: Uint8Array, size: number, transforms: Float64Array): void {
    poseCapsules(this.#capsules, transforms, 0, this.#posed);
    this.#joinHands(positions, lost, size, transforms);
    this.#moveAllOut(true, transforms);
  }

  #moveAllOut(arms: boolean, transforms: Float64Array): void {
    for (let k = 0; k < this.#limbs.length; k++) {
      if (this.#limbs[k].arm !== arms) continue;
      for (let pass = 0; pass < PASSES; pass++) if (!this.#moveOut(this.#limbs[k], transforms)) break;
    }
  }

  /** Hands that touch in the performer meet half way. */
  #joinHands(p: Float64Array, lost: Uint8Array, size: number, transforms: Float64Array): void {
    const [l, r] = this.#hands;
    const [left, right] = this.#limbs;
    if (l < 0 || r < 0 || !left?.arm || !right?.arm) return;
    if (lost[l] === 1 || lost[r] === 1) return;
    const apart =
      Math.sqrt((p[3 * l] - p[3 * r]) ** 2 + (p[3 * l + 1] - p[3 * r + 1]) ** 2 + (p[3 * l + 2] - p[3 * r + 2]) ** 2) /
      size;
    const part = Math.min(1, Math.max(0, (APART - apart) / (APART - TOUCH)));
    if (part === 0) return;
    const gap = this.#handGap(left.end, right.end);
    if (!(gap > 0 && Number.isFinite(gap))) return;
    const v = this.#nearest;
    const distance = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(distance > 0)) return;
    const share = (0.5 * gap * part * part * (3 - 2 * part)) / distance;
    for (let k = 0; k < 2; k++) {
      const sign = k === 0 ? -share : share;
      for (let i = 0; i < 3; i++) this.#push[i] = sign * v[i];
      this.#reach(this.#limbs[k], transforms);
    }
  }

  /** The least distance between surfaces of two hands, and from the right to the left where it is, in `#nearest`. */
  #handGap(left: Int32Array, right: Int32Array): number {
    const posed = this.#posed;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < left.length; i++) {
      for (let j = 0; j < right.length; j++) {
        const a = CAPSULE_SIZE * left[i];
        const b = CAPSULE_SIZE * right[j];
        segmentDistance(posed, a, posed, b, this.#between);
        const v = this.#between;
        const gap = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - posed[a + 6] - posed[b + 6];
        if (gap >= least) continue;
        least = gap;
        for (let k = 0; k < 3; k++) this.#nearest[k] = this.#between[k];
      }
    }
    return least;
  }

  /** Moves a limb out of its deepest contact; false where there is none. */
  #moveOut(limb: MovedLimb, transforms: Float64Array): boolean {
    const deepest = this.#deepest;
    deepest.fill(0);
    for (let k = 0; k < limb.pairs.length; k++) this.#measure(limb, k);
    if (!(deepest[3] > NEGLIGIBLE * this.#zone)) return false;
    for (let i = 0; i < 3; i++) this.#push[i] = deepest[i];
    this.#reach(limb, transforms);
    return true;
  }

  /** Takes the push of a pair for the deepest, if it is. */
  #measure({ limb, pairs }: MovedLimb, k: number): void {
    const { own, other, allowance, normal } = pairs[k];
    const posed = this.#posed;
    const v = this.#between;
    const [a, b] = [CAPSULE_SIZE * own, CAPSULE_SIZE * other];
    segmentDistance(posed, a, posed, b, v);
    const distance = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const radii = posed[a + 6] + posed[b + 6];
    if (distance - radii + allowance > this.#zone) {
      // Apart: the direction is known well, for when they meet.
      if (distance > 0) for (let i = 0; i < 3; i++) normal[i] = v[i] / distance;
      return;
    }
    // The direction of before has more to say the nearer the axes are; a depth on its far side is beyond the axis.
    let along = 0;
    for (let i = 0; i < 3; i++) along += normal[i] * v[i];
    const signed = along < 0 ? -distance : distance;
    const trust = Math.min(1, Math.max(0, signed / radii));
    let length = 0;
    for (let i = 0; i < 3; i++) {
      normal[i] = trust * (distance > 0 ? v[i] / distance : 0) + (1 - trust) * normal[i];
      length += normal[i] * normal[i];
    }
    length = Math.sqrt(length);
    if (!(length > 0)) return;
    for (let i = 0; i < 3; i++) normal[i] /= length;
    const depth = pushOut(signed - radii + allowance, 0, this.#zone);
    // A contact near the elbow needs a longer way of the hand.
    const bone = this.#capsules.bones[own];
    const lever = bone === limb.lower ? Math.max(NEAR_THE_JOINT, v[3]) : 1;
    const push = depth / lever;
    if (push <= this.#deepest[3]) return;
    for (let i = 0; i < 3; i++) this.#deepest[i] = push * normal[i];
    this.#deepest[3] = push;
  }

  #reach({ ik, carried }: MovedLimb, transforms: Float64Array): void {
    ik.reach(transforms, this.#push);
    const { bones, shapes } = this.#capsules;
    for (let k = 0; k < carried.length; k++) {
      const c = carried[k];
      const T = 12 * bones[c];
      for (let end = CAPSULE_SIZE * c; end < CAPSULE_SIZE * c + 6; end += 3) {
        for (let r = 0; r < 3; r++) {
          const row = T + 4 * r;
          this.#posed[end + r] =
            transforms[row] * shapes[end] +
            transforms[row + 1] * shapes[end + 1] +
            transforms[row + 2] * shapes[end + 2] +
            transforms[row + 3];
        }
      }
    }
  }
}
