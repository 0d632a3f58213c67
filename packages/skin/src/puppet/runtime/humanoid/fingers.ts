/**
 * Fingers of a humanoid, by those of a performer: the palm takes the performer's orientation, from wrist and knuckles, and
 * every bone of a finger the direction of the performer's, by the shortest rotation from where the bone before carries it.
 *
 * A finger that is lost keeps its pose in the hand.
 */
import { multiply3, multiplyTransposed3, rotate3 } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { shortestRotation } from '../subtree.ts';
import type { Side } from './bones-by-name.ts';
import { type FingerChain, findFingers } from './finger-names.ts';
import { multiplyByTransposed, setFrame } from './frames.ts';

/** Largest angle between two bones of a finger, in radians. */
const WIDEST_BEND = 2.3;

interface FingerBone {
  readonly bone: number;
  /** The bone that carries it: the one before it, or the hand. */
  readonly base: number;
  /** Joints of the performer. */
  readonly from: number;
  readonly to: number;
  /** 3: direction at rest */
  readonly rest: Float64Array;
  /** 9: rotation in the hand */
  readonly inHand: Float64Array;
}

/** Wrist, first knuckle, last knuckle. */
type Palm = readonly [number, number, number];

export interface Hand {
  readonly bone: number;
  readonly bones: readonly FingerBone[];
  /** Joints of the performer: wrist, and the knuckles of the first and the last finger. */
  readonly palm: Palm;
  /** 9: the frame of the palm at rest */
  readonly rest: Float64Array;
}

export interface FingersInput {
  readonly bones: readonly Bone[];
  /** Names by which the bones are known: those of VRM where the file says them. */
  readonly names: readonly string[];
  /** Names of the performer's joints. */
  readonly joints: readonly string[];
}

/** The hand of a side that both have fingers for; undefined where one has none, or no palm. */
export function handOf(input: FingersInput, side: Side, hand: number): Hand | undefined {
  const { bones, names, joints } = input;
  const wrist = joints.indexOf(`${side}Wrist`);
  if (hand < 0 || wrist < 0) return undefined;
  const own = findFingers(names).filter((chain) => chain.side === side && isUnder(bones, chain.joints[0], hand));
  const performed = findFingers(joints).filter((chain) => chain.side === side);
  const shared = own.flatMap((chain) => {
    const same = performed.find(({ finger }) => finger === chain.finger);
    return same ? [{ chain, same }] : [];
  });
  const knuckles = shared.filter(({ chain }) => chain.finger !== 'thumb');
  if (knuckles.length < 2) return undefined;
  const [first, last] = [knuckles[0], knuckles[knuckles.length - 1]];
  const rest = new Float64Array(9);
  const origin = (j: number) => [bones[j].rest[3], bones[j].rest[7], bones[j].rest[11]];
  const points = [hand, first.chain.joints[0], last.chain.joints[0]].flatMap(origin);
  const palm = [wrist, first.same.joints[0], last.same.joints[0]] as const;
  if (!new PalmFrame().set(points, [0, 1, 2], rest)) return undefined;
  return { bone: hand, bones: shared.flatMap(({ chain, same }) => fingerBones(input, hand, chain, same)), palm, rest };
}

function fingerBones({ bones }: FingersInput, hand: number, own: FingerChain, same: FingerChain): FingerBone[] {
  const origin = (j: number) => [bones[j].rest[3], bones[j].rest[7], bones[j].rest[11]];
  // The last joint of a performer's finger is its tip, and has no direction of its own.
  return own.joints.slice(0, same.joints.length - 1).flatMap((bone, k) => {
    // The last bone goes on as the one before it does at rest, as its tip is read.
    const [a, b] = k + 1 < own.joints.length ? [bone, own.joints[k + 1]] : [own.joints[k - 1], bone];
    const rest = Float64Array.from(origin(b), (value, r) => value - origin(a)[r]);
    if (!(rest[0] ** 2 + rest[1] ** 2 + rest[2] ** 2 > 0)) return [];
    const base = k === 0 ? hand : own.joints[k - 1];
    const inHand = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    return [{ bone, base, from: same.joints[k], to: same.joints[k + 1], rest, inHand }];
  });
}

/** Turns hands and fingers. */
export class Fingers {
  readonly #frame = new PalmFrame();
  readonly #palm = new Float64Array(9);
  readonly #product = new Float64Array(9);
  readonly #carried = new Float64Array(3);
  readonly #wanted = new Float64Array(3);
  readonly #raw = new Float64Array(3);

  /**
   * @param world      9: from the performer's axes to the character's
   * @param positions  J × 3
   * @param seen       J: 0 where a joint has no position yet
   * @param lost       J: 1 where a joint is not tracked
   * @param rotations  m × 9; those of the hand and its fingers are overwritten
   */
  turn(
    { bone: hand, bones, palm, rest }: Hand,
    world: Float64Array,
    positions: Float64Array,
    seen: Uint8Array,
    lost: Uint8Array,
    rotations: Float64Array,
  ): void {
    let isSeen = true;
    for (let k = 0; k < 3; k++) isSeen &&= seen[palm[k]] === 1 && lost[palm[k]] === 0;
    if (isSeen && this.#frame.set(positions, palm, this.#palm)) {
      multiply3(world, 0, this.#palm, 0, this.#product, 0);
      multiplyByTransposed(this.#product, 0, rest, 0, rotations, 9 * hand);
    }
    for (let k = 0; k < bones.length; k++) {
      const finger = bones[k];
      const at = 9 * finger.bone;
      isSeen = seen[finger.from] === 1 && seen[finger.to] === 1 && lost[finger.from] === 0 && lost[finger.to] === 0;
      if (isSeen) {
        this.#point(finger, world, positions, rotations);
        multiplyTransposed3(rotations, 9 * hand, rotations, at, finger.inHand, 0);
      } else multiply3(rotations, 9 * hand, finger.inHand, 0, rotations, at);
    }
  }

  /** R = shortest(R_base · rest → direction) · R_base; R_base where the performer's bone has no length, as end sites may. */
  #point(finger: FingerBone, world: Float64Array, p: Float64Array, rotations: Float64Array): void {
    const raw = this.#raw;
    for (let r = 0; r < 3; r++) raw[r] = p[3 * finger.to + r] - p[3 * finger.from + r];
    if (!(raw[0] * raw[0] + raw[1] * raw[1] + raw[2] * raw[2] > 0)) {
      for (let k = 0; k < 9; k++) rotations[9 * finger.bone + k] = rotations[9 * finger.base + k];
      return;
    }
    rotate3(world, 0, raw, 0, this.#wanted, 0);
    rotate3(rotations, 9 * finger.base, finger.rest, 0, this.#carried, 0);
    shortestRotation(this.#carried, this.#wanted, WIDEST_BEND, this.#product);
    multiply3(this.#product, 0, rotations, 9 * finger.base, rotations, 9 * finger.bone);
  }
}

/** Along the palm, from the wrist to between the knuckles; and across it, to the first. */
class PalmFrame {
  readonly #along = new Float64Array(3);
  readonly #across = new Float64Array(3);

  /** @returns false, and `out` unchanged, where the three points lie on a line */
  set(p: ArrayLike<number>, [wrist, first, last]: Palm, out: Float64Array): boolean {
    for (let r = 0; r < 3; r++) {
      this.#along[r] = (p[3 * first + r] + p[3 * last + r]) / 2 - p[3 * wrist + r];
      this.#across[r] = p[3 * first + r] - p[3 * last + r];
    }
    return setFrame(this.#along, 0, this.#across, 0, out, 0);
  }
}

function isUnder(bones: readonly Bone[], bone: number, above: number): boolean {
  for (let j = bones[bone].parent; j >= 0; j = bones[j].parent) if (j === above) return true;
  return false;
}
