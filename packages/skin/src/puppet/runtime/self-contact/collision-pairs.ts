/** Which parts of a body may meet: hands and forearms with what they do not hang on, and one leg with the other. */
import { type Bone, CAPSULE_SIZE, type Capsules } from '@pelt/model';
import type { Humanoid, HumanoidLimb } from '../humanoid/humanoid.ts';
import { segmentDistance } from './segment-distance.ts';

/** Two capsules that must not enter each other. */
export interface CollisionPair {
  /** The capsule of the limb that gives way, and that of what it meets. */
  readonly own: number;
  readonly other: number;
  /** Surfaces may be this far inside each other, as they are at rest. */
  readonly allowance: number;
  /** 3: the last direction out of the other; 0 before */
  readonly normal: Float64Array;
}

export interface CollisionLimb {
  readonly limb: HumanoidLimb;
  readonly arm: boolean;
  readonly pairs: readonly CollisionPair[];
  /** Capsules that the limb carries, which are posed again once it has moved. */
  readonly carried: Int32Array;
  /** Capsules of the hand with its fingers, or of the foot. */
  readonly end: Int32Array;
}

/** Arms first. */
export function collisionLimbs(bones: readonly Bone[], humanoid: Humanoid, capsules: Capsules): CollisionLimb[] {
  const under = (bone: number, above: number) => {
    for (let j = bone; j >= 0; j = bones[j].parent) if (j === above) return true;
    return false;
  };
  const within = (capsule: number, bone: number) => bone >= 0 && under(capsules.bones[capsule], bone);
  const all = [...capsules.bones.keys()];
  const [left, right] = humanoid.legs;
  const limbOf = (limb: HumanoidLimb, arm: boolean): CollisionLimb => {
    const carried = all.filter((c) => within(c, limb.upper));
    const moving = carried.filter((c) => within(c, limb.lower) || within(c, limb.end));
    const otherLeg = limb === left ? right : left;
    // An arm meets all but itself and what its shoulder hangs on beside the neck; a leg meets the other below the hip.
    const isMet = (c: number) => {
      if (carried.includes(c)) return false;
      if (!arm) return within(c, otherLeg.lower) || within(c, otherLeg.end);
      return !under(limb.upper, capsules.bones[c]) || isTrunk(humanoid, capsules.bones[c]);
    };
    const pairs = moving.flatMap((own) => all.filter(isMet).map((other) => pairOf(capsules, own, other)));
    const end = Int32Array.from(all.filter((c) => within(c, limb.end)));
    return { limb, arm, pairs, carried: Int32Array.from(carried), end };
  };
  return [...humanoid.arms.map((limb) => limbOf(limb, true)), ...humanoid.legs.map((limb) => limbOf(limb, false))];
}

function isTrunk({ pelvis, spine }: Humanoid, bone: number): boolean {
  return bone === pelvis || spine.includes(bone);
}

function pairOf({ shapes }: Capsules, own: number, other: number): CollisionPair {
  const between = new Float64Array(5);
  segmentDistance(shapes, CAPSULE_SIZE * own, shapes, CAPSULE_SIZE * other, between);
  const radii = shapes[CAPSULE_SIZE * own + 6] + shapes[CAPSULE_SIZE * other + 6];
  const apart = Math.sqrt(between[0] ** 2 + between[1] ** 2 + between[2] ** 2) - radii;
  return { own, other, allowance: Math.max(0, -apart), normal: new Float64Array(3) };
}
