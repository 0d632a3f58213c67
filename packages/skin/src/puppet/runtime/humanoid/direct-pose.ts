/**
 * Direct retargeting of a performer to a humanoid, without example poses: every limb of the character takes the direction
 * of the performer's, whatever the rest pose (T-pose, A-pose, hanging arms) and the proportions.
 *
 * A limb's rotation takes its rest frame to the performer's: the direction of the segment, and the axis in which the elbow
 * or knee bends (see `bend-plane.ts`) for the twist. For the trunk and the head see `trunk-pose.ts`. Bones that are not part
 * of a human body (hair, twist bones, fingers that the performer does not show) follow their parents.
 */
import { atan2, cos, multiply3, multiplyTransposed3, rotate3, sin } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { shortestRotation } from '../subtree.ts';
import { basesOf, orderOf } from './attach.ts';
import { BendPlane } from './bend-plane.ts';
import { Fingers, type Hand } from './fingers.ts';
import { multiplyByTransposed, setFrame } from './frames.ts';
import type { Humanoid } from './humanoid.ts';
import type { HumanoidRest, RestLimb } from './humanoid-rest.ts';
import { limbHint } from './limb-hint.ts';
import { CHEST, PELVIS, PerformerBody } from './performer-body.ts';
import { Placement } from './placement.ts';
import { TrunkPose } from './trunk-pose.ts';

/** Elevation of the line from an ankle to the toes of a flat foot, in radians, of a performer who was not calibrated. */
const USUAL_FOOT = -0.35;
/** Length of a segment below which it has no direction, in metres of a person of 1.75 m. */
const SHORTEST_SEGMENT = 0.01;
/** Largest swing of a hand, in radians. */
const WIDEST_WRIST = 1.2;
/** Weight of the foot's direction in the hint for the knee, relative to the thigh's. */
const FOOT_HINT = 2;

interface DrivenLimb {
  readonly rest: RestLimb;
  readonly arm: boolean;
  /** Joints of the performer: shoulder or hip, elbow or knee, wrist or ankle. */
  readonly joints: Int32Array;
  /** Joints from and to which the hand or foot points; the second −1 for none. */
  readonly pointing: Int32Array;
  readonly plane: BendPlane;
  /** 9: from the frame of the performer's foot to the character's rotation */
  readonly foot: Float64Array;
  /** 3: direction of the performer's hand in the frame of the forearm, in the neutral pose; 0 where that is unknown */
  readonly hand: Float64Array;
}

export interface DirectPoseInput {
  /** m */
  readonly bones: readonly Bone[];
  readonly humanoid: Humanoid;
  readonly rest: HumanoidRest;
  /** Names of the performer's joints. */
  readonly joints: readonly string[];
  /** J × 3: the performer standing upright; undefined where that is unknown */
  readonly neutral: Float64Array | undefined;
  /** Height of the character's floor. */
  readonly ground: number;
  /** Hands whose fingers the performer shows. */
  readonly hands: readonly Hand[];
  readonly travel: number;
  readonly turn: boolean;
  /** Heading of the performer that corresponds to the character's front; undefined: the first. */
  readonly facing: number | undefined;
}

export class DirectPose {
  /** Names of the performer's joints that are used. */
  readonly joints: readonly string[];
  readonly #bones: readonly Bone[];
  readonly #humanoid: Humanoid;
  readonly #rest: HumanoidRest;
  readonly #turn: boolean;
  readonly #facing: number | undefined;
  readonly #body: PerformerBody;
  readonly #trunk: TrunkPose;
  readonly #placement: Placement;
  readonly #limbs: readonly DrivenLimb[];
  readonly #hands: readonly Hand[];
  readonly #fingers = new Fingers();
  /** m: the bone that each is composed from; −1 for the pelvis */
  readonly #bases: Int32Array;
  /** m: bones in an order in which those that they are composed from come first */
  readonly #order: Int32Array;
  /** m: 1 where the rotation is set, else the bone follows its parent */
  readonly driven: Uint8Array;
  /** m × 9 */
  readonly #rotations: Float64Array;
  /** m × 3 posed origins */
  readonly #origins: Float64Array;
  /** 9: from the performer's axes to the character's */
  readonly #world = new Float64Array(9);
  #started = false;
  readonly #upper = new Float64Array(3);
  readonly #lower = new Float64Array(3);
  readonly #end = new Float64Array(3);
  readonly #hint = new Float64Array(3);
  readonly #frame = new Float64Array(9);
  readonly #product = new Float64Array(9);
  readonly #swing = new Float64Array(9);

  constructor(input: DirectPoseInput) {
    const { bones, humanoid, rest, joints, neutral } = input;
    const m = bones.length;
    this.#bones = bones;
    this.#humanoid = humanoid;
    this.#rest = rest;
    this.#turn = input.turn;
    this.#facing = input.facing;
    this.#body = new PerformerBody(joints, rest.trunk);
    this.#trunk = new TrunkPose(bones, humanoid, rest);
    this.#placement = new Placement(joints, rest, input.ground, input.travel);
    this.#limbs = [...rest.arms, ...rest.legs].flatMap((limb, k) => driveLimb(limb, k < 2, joints, neutral));
    this.#bases = basesOf(bones, humanoid);
    this.#order = orderOf(this.#bases);
    this.driven = new Uint8Array(m);
    this.#rotations = Float64Array.from({ length: 9 * m }, (_, k) => Number((k % 9) % 4 === 0));
    this.#origins = new Float64Array(3 * m);
    this.#hands = input.hands;
    const used = new Set([
      ...this.#body.joints,
      ...this.#limbs.flatMap((limb) => [...limb.joints, ...limb.pointing]),
      ...input.hands.flatMap(({ palm, bones: fingers }) => [...palm, ...fingers.flatMap(({ from, to }) => [from, to])]),
    ]);
    this.joints = joints.filter((_, j) => used.has(j));
    const { pelvis, spine, neck, head } = humanoid;
    for (const bone of [pelvis, ...spine, neck, head]) if (bone >= 0) this.driven[bone] = 1;
    if (neutral) {
      this.#body.calibrate(neutral);
      this.#placement.calibrate(neutral);
      for (const limb of this.#limbs) if (limb.arm) this.#calibrateHand(limb, neutral);
    }
    for (const { rest: limb, pointing } of this.#limbs) {
      this.driven[limb.upper] = this.driven[limb.lower] = 1;
      if (limb.end >= 0 && pointing[1] >= 0) this.driven[limb.end] = 1;
    }
    for (const { bone, bones: fingers } of this.#hands) {
      this.driven[bone] = 1;
      for (const finger of fingers) this.driven[finger.bone] = 1;
    }
  }

  reset(): void {
    this.#started = false;
    this.#placement.reset();
    for (const { plane } of this.#limbs) plane.reset();
  }

  /**
   * @param positions  J × 3
   * @param seen       J: 0 where a joint has no position yet
   * @param lost       J: 1 where a joint is not tracked
   * @param heading    angle of the performer around +Y, from facing +Z
   * @param size       units of the positions per metre of a person of 1.75 m
   * @param seconds    since the last frame
   * @param out        m × 12 transforms; overwritten
   */
  update(
    positions: Float64Array,
    seen: Uint8Array,
    lost: Uint8Array,
    heading: number,
    size: number,
    seconds: number,
    out: Float64Array,
  ): void {
    this.#body.measure(positions);
    // One heading of the performer corresponds to the character's front, or every heading if it must not turn.
    if (!this.#turn) this.#face(heading);
    else if (!this.#started) this.#face(this.#facing ?? heading);
    this.#started = true;
    this.#placement.update(positions, lost, this.#body.hips, size, this.#world, seconds);
    this.#trunk.turn(this.#body, this.#world, this.#rotations);
    for (let k = 0; k < this.#limbs.length; k++) this.#turnLimb(this.#limbs[k], positions, seen, size, seconds);
    for (let k = 0; k < this.#hands.length; k++) {
      this.#fingers.turn(this.#hands[k], this.#world, positions, seen, lost, this.#rotations);
    }
    this.#compose(out);
    const ankles = this.#humanoid.legs;
    const rise = this.#placement.rise(this.#origins[3 * ankles[0].end + 1], this.#origins[3 * ankles[1].end + 1]);
    for (let k = 7; k < out.length; k += 12) out[k] += rise;
  }

  #calibrateHand({ joints, pointing, plane, hand }: DrivenLimb, neutral: Float64Array): void {
    if (pointing[1] < 0) return;
    this.#body.measure(neutral);
    const isLong = [
      direct(neutral, joints[0], joints[1], 0, this.#upper),
      direct(neutral, joints[1], joints[2], 0, this.#lower),
      direct(neutral, pointing[0], pointing[1], 0, this.#end),
    ].every(Boolean);
    if (!isLong) return;
    limbHint(this.#body.rotations.slice(9 * CHEST, 9 * CHEST + 9), true, this.#upper, this.#hint);
    plane.update(this.#upper, this.#lower, this.#hint, 0);
    if (setFrame(this.#lower, 0, plane.axis, 0, this.#frame, 0)) rotateBack(this.#frame, this.#end, hand);
    plane.reset();
  }

  /** world = axes · Ry(heading)ᵀ */
  #face(heading: number): void {
    const c = cos(heading);
    const s = sin(heading);
    const { axes } = this.#rest;
    for (let r = 0; r < 9; r += 3) {
      this.#world[r] = axes[r] * c + axes[r + 2] * s;
      this.#world[r + 1] = axes[r + 1];
      this.#world[r + 2] = -axes[r] * s + axes[r + 2] * c;
    }
  }

  #turnLimb(limb: DrivenLimb, positions: Float64Array, seen: Uint8Array, size: number, seconds: number): void {
    const { rest, arm, joints, pointing, plane } = limb;
    const upper = this.#upper;
    const lower = this.#lower;
    const end = this.#end;
    const hint = this.#hint;
    const shortest = SHORTEST_SEGMENT * size;
    // A limb without a direction keeps its last rotation.
    if (seen[joints[0]] === 0 || seen[joints[1]] === 0 || seen[joints[2]] === 0) return;
    if (!direct(positions, joints[0], joints[1], shortest, upper)) return;
    if (!direct(positions, joints[1], joints[2], shortest, lower)) return;
    const part = 9 * (arm ? CHEST : PELVIS);
    for (let k = 0; k < 9; k++) this.#frame[k] = this.#body.rotations[part + k];
    limbHint(this.#frame, arm, upper, hint);
    const isSeen = pointing[1] >= 0 && seen[pointing[0]] === 1 && seen[pointing[1]] === 1;
    const points = isSeen && direct(positions, pointing[0], pointing[1], shortest, end);
    if (points && !arm) {
      // The knee bends where the foot points.
      hint[0] += FOOT_HINT * (end[1] * upper[2] - end[2] * upper[1]);
      hint[1] += FOOT_HINT * (end[2] * upper[0] - end[0] * upper[2]);
      hint[2] += FOOT_HINT * (end[0] * upper[1] - end[1] * upper[0]);
      const length = Math.max(1, Math.sqrt(hint[0] * hint[0] + hint[1] * hint[1] + hint[2] * hint[2]));
      for (let k = 0; k < 3; k++) hint[k] /= length;
    }
    plane.update(upper, lower, hint, seconds);
    this.#turnSegment(rest.upper, upper, plane.axis, rest.upperFrame);
    this.#turnSegment(rest.lower, lower, plane.axis, rest.lowerFrame);
    if (rest.end < 0 || this.driven[rest.end] === 0) return;
    if (!points) copyRotation(this.#rotations, rest.lower, rest.end);
    else if (arm) this.#turnHand(limb, lower, end);
    else if (setFrame(end, 0, plane.axis, 0, this.#frame, 0)) {
      multiply3(this.#world, 0, this.#frame, 0, this.#product, 0);
      multiply3(this.#product, 0, limb.foot, 0, this.#rotations, 9 * rest.end);
    }
  }

  /** The hand turns with the forearm, and by the swing of the performer's hand from its neutral direction. */
  #turnHand({ rest, plane, hand }: DrivenLimb, lower: Float64Array, end: Float64Array): void {
    const local = this.#hint;
    copyRotation(this.#rotations, rest.lower, rest.end);
    if (hand[0] === 0 || !setFrame(lower, 0, plane.axis, 0, this.#frame, 0)) return;
    rotateBack(this.#frame, end, local);
    shortestRotation(hand, local, WIDEST_WRIST, this.#swing);
    multiply3(this.#world, 0, this.#frame, 0, this.#product, 0);
    multiply3(this.#product, 0, this.#swing, 0, this.#product, 0);
    multiplyByTransposed(this.#product, 0, rest.lowerFrame, 0, this.#rotations, 9 * rest.end);
  }

  /** R = world · [direction, axis] · restᵀ */
  #turnSegment(bone: number, direction: Float64Array, axis: Float64Array, rest: Float64Array): void {
    if (!setFrame(direction, 0, axis, 0, this.#frame, 0)) return;
    multiply3(this.#world, 0, this.#frame, 0, this.#product, 0);
    multiplyByTransposed(this.#product, 0, rest, 0, this.#rotations, 9 * bone);
  }

  /** Places the pelvis at the hips and composes all bones from there. */
  #compose(out: Float64Array): void {
    const rotations = this.#rotations;
    const origins = this.#origins;
    const hips = this.#placement.hips;
    const v = this.#upper;
    for (let k = 0; k < this.#order.length; k++) {
      const j = this.#order[k];
      const base = this.#bases[j];
      const rest = this.#bones[j].rest;
      if (this.driven[j] === 0) copyRotation(rotations, base, j);
      for (let r = 0; r < 3; r++) {
        v[r] = rest[4 * r + 3] - (base < 0 ? this.#rest.hips[r] : this.#bones[base].rest[4 * r + 3]);
      }
      rotate3(rotations, 9 * (base < 0 ? j : base), v, 0, origins, 3 * j);
      for (let r = 0; r < 3; r++) {
        origins[3 * j + r] += base < 0 ? hips[r] : origins[3 * base + r];
        const row = 12 * j + 4 * r;
        const a = rotations[9 * j + 3 * r];
        const b = rotations[9 * j + 3 * r + 1];
        const c = rotations[9 * j + 3 * r + 2];
        out[row] = a;
        out[row + 1] = b;
        out[row + 2] = c;
        out[row + 3] = origins[3 * j + r] - a * rest[3] - b * rest[7] - c * rest[11];
      }
    }
  }
}

function driveLimb(
  rest: RestLimb,
  arm: boolean,
  joints: readonly string[],
  neutral: Float64Array | undefined,
): DrivenLimb[] {
  const index = (place: string) => joints.indexOf(rest.side + place);
  const chain = (arm ? ['Shoulder', 'Elbow', 'Wrist'] : ['Hip', 'Knee', 'Ankle']).map(index);
  if (chain.some((j) => j < 0)) return [];
  const heel = arm ? -1 : index('Heel');
  const to = arm ? Math.max(index('Hand'), index('Index')) : index('Toes');
  const pointing = Int32Array.of(heel >= 0 ? heel : chain[2], to);
  return [
    {
      rest,
      arm,
      joints: Int32Array.from(chain),
      pointing,
      plane: new BendPlane(),
      foot: footCalibration(rest, pointing, heel >= 0, neutral),
      hand: new Float64Array(3),
    },
  ];
}

/** Nᵀ Z Kᵀ, with N the frame of the performer's flat foot that points to +Z, Z that of a level one, K the character's. */
function footCalibration(
  { footFrame }: RestLimb,
  [from, to]: Int32Array,
  fromHeel: boolean,
  neutral: Float64Array | undefined,
): Float64Array {
  const out = new Float64Array(9);
  if (!footFrame) return out;
  let elevation = fromHeel ? 0 : USUAL_FOOT;
  if (neutral && to >= 0) {
    const level = [0, 2].reduce((sum, k) => sum + (neutral[3 * to + k] - neutral[3 * from + k]) ** 2, 0);
    elevation = atan2(neutral[3 * to + 1] - neutral[3 * from + 1], Math.sqrt(level));
  }
  const foot = new Float64Array(9);
  const flat = new Float64Array(9);
  setFrame([0, sin(elevation), cos(elevation)], 0, [1, 0, 0], 0, foot, 0);
  setFrame([0, 0, 1], 0, [1, 0, 0], 0, flat, 0);
  const product = new Float64Array(9);
  multiplyTransposed3(foot, 0, flat, 0, product, 0);
  multiplyByTransposed(product, 0, footFrame, 0, out, 0);
  return out;
}

/** The unit direction from one joint to another; false, and unchanged, where they are too close. */
function direct(positions: Float64Array, from: number, to: number, shortest: number, out: Float64Array): boolean {
  const x = positions[3 * to] - positions[3 * from];
  const y = positions[3 * to + 1] - positions[3 * from + 1];
  const z = positions[3 * to + 2] - positions[3 * from + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > shortest)) return false;
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
  return true;
}

/** out = Rᵀ v */
function rotateBack(r: Float64Array, v: Float64Array, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = r[k] * v[0] + r[3 + k] * v[1] + r[6 + k] * v[2];
}

function copyRotation(rotations: Float64Array, from: number, to: number): void {
  for (let k = 0; k < 9; k++) rotations[9 * to + k] = rotations[9 * from + k];
}
