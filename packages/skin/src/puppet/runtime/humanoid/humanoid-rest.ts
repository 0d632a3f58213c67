/** Measures of a humanoid's rest pose: which way it faces, the lengths of its legs, and the frames of its limbs. */
import { type Bone, InputError } from '@pelt/model';
import { BendPlane } from './bend-plane.ts';
import { childrenOf } from './bone-tree.ts';
import { setFrame } from './frames.ts';
import type { Humanoid, HumanoidLimb } from './humanoid.ts';
import { limbHint } from './limb-hint.ts';

export interface RestLimb extends HumanoidLimb {
  /** 9: the upper segment and its axis; see `setFrame` */
  readonly upperFrame: Float64Array;
  /** 9: the lower segment and the same axis */
  readonly lowerFrame: Float64Array;
  /** 9: horizontal front and left of a foot; undefined for a hand */
  readonly footFrame: Float64Array | undefined;
}

export interface HumanoidRest {
  /** 9: columns left, up, front */
  readonly axes: Float64Array;
  /** 3: midpoint of the hips */
  readonly hips: Float64Array;
  /** 3: from there to the midpoint of the shoulders, in the axes left, up, front */
  readonly trunk: Float64Array;
  /** Mean length of thigh and shin. */
  readonly legLength: number;
  /** Mean height of the ankles. */
  readonly ankles: number;
  readonly arms: readonly [RestLimb, RestLimb];
  readonly legs: readonly [RestLimb, RestLimb];
}

/**
 * @param tipOf  the point that a bone without children points to
 */
export function measureRest(
  bones: readonly Bone[],
  humanoid: Humanoid,
  tipOf: (bone: number) => ArrayLike<number>,
): HumanoidRest {
  const origin = (j: number) => Float64Array.of(bones[j].rest[3], bones[j].rest[7], bones[j].rest[11]);
  const { arms, legs } = humanoid;
  const left = new Float64Array(3);
  for (const [l, r] of [arms, legs]) {
    const [a, b] = [origin(l.upper), origin(r.upper)];
    for (const k of [0, 2]) left[k] += a[k] - b[k];
  }
  const axes = new Float64Array(9);
  if (!setFrame(left, 0, [0, 1, 0], 0, axes, 0)) {
    throw new InputError('createPuppet: left and right limbs of the character coincide at rest; give pairs instead');
  }
  const endOf = (limb: HumanoidLimb) => (limb.end >= 0 ? origin(limb.end) : tipOf(limb.lower));
  const lengthOf = (limb: HumanoidLimb) =>
    distance(origin(limb.upper), origin(limb.lower)) + distance(origin(limb.lower), endOf(limb));
  const restLimb = (limb: HumanoidLimb, arm: boolean): RestLimb => {
    const upper = unit(origin(limb.upper), origin(limb.lower));
    const lower = unit(origin(limb.lower), endOf(limb));
    const hint = new Float64Array(3);
    limbHint(axes, arm, upper, hint);
    const plane = new BendPlane();
    plane.update(upper, lower, hint, 0);
    const [upperFrame, lowerFrame] = [upper, lower].map((direction) => {
      const frame = new Float64Array(9);
      if (setFrame(direction, 0, plane.axis, 0, frame, 0)) return frame;
      throw new InputError(`createPuppet: the ${limb.side} ${arm ? 'arm' : 'leg'} of the character has no length`);
    });
    return { ...limb, upperFrame, lowerFrame, footFrame: arm ? undefined : footFrame(bones, limb, axes) };
  };
  const middle = ([l, r]: readonly HumanoidLimb[]) => {
    const [a, b] = [origin(l.upper), origin(r.upper)];
    return a.map((value, k) => (value + b[k]) / 2);
  };
  const hips = middle(legs);
  const rising = middle(arms).map((value, k) => value - hips[k]);
  return {
    axes,
    hips,
    trunk: Float64Array.from([0, 1, 2], (c) => rising.reduce((sum, value, k) => sum + axes[3 * k + c] * value, 0)),
    legLength: (lengthOf(legs[0]) + lengthOf(legs[1])) / 2,
    ankles: (endOf(legs[0])[1] + endOf(legs[1])[1]) / 2,
    arms: [restLimb(arms[0], true), restLimb(arms[1], true)],
    legs: [restLimb(legs[0], false), restLimb(legs[1], false)],
  };
}

/** The character stands on its feet at rest: they are flat, and point where their children are, or else to the front. */
function footFrame(bones: readonly Bone[], { end }: HumanoidLimb, axes: Float64Array): Float64Array {
  const { rest } = bones[end];
  const toes = meanOfChildren(bones, end);
  const front = [axes[2], 0, axes[8]];
  const pointing = toes ? [toes[0] - rest[3], 0, toes[2] - rest[11]] : front;
  // Children that are not toes, such as the end of the bone, may lie anywhere.
  const forwards = pointing[0] * front[0] + pointing[2] * front[2];
  const isToe =
    toes !== undefined && toes[1] <= rest[7] && forwards > 0.7 * Math.sqrt(pointing[0] ** 2 + pointing[2] ** 2);
  const direction = isToe && forwards > 0 ? pointing : front;
  const frame = new Float64Array(9);
  setFrame(direction, 0, [direction[2], 0, -direction[0]], 0, frame, 0);
  return frame;
}

function meanOfChildren(bones: readonly Bone[], bone: number): number[] | undefined {
  const children = childrenOf(bones, bone);
  if (children.length === 0) return undefined;
  return [3, 7, 11].map((k) => children.reduce((sum, j) => sum + bones[j].rest[k], 0) / children.length);
}

function unit(from: ArrayLike<number>, to: ArrayLike<number>): Float64Array {
  const length = distance(from, to);
  return Float64Array.from({ length: 3 }, (_, k) => (length > 0 ? (to[k] - from[k]) / length : 0));
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
}
