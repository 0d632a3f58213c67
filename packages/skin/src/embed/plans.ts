/**
 * Skeletons to embed that come with pelt, one per body plan: joints of a typical body with the radius of the body around
 * them. They face +Z, +Y is up, and what is left is at +X; joints called Left have mirror images called Right. Proportions
 * hardly matter, since limbs are measured each by itself; which limbs there are, and their joints, does.
 */

import { cos, sin } from '@pelt/math';
import type { BodyPlan } from './options.ts';

type Point = readonly [number, number, number];

export interface PlanJoint {
  readonly name: string;
  /** Empty for the root. */
  readonly parent: string;
  readonly at: Point;
  /** Of the body around the joint. */
  readonly radius: number;
  /** Where the bone of a leaf ends. */
  readonly tip?: Point;
  /** Whether a body may be without: a tail, ears, fins. */
  readonly optional?: true;
}

type Row = readonly [name: string, parent: string, at: Point, radius: number, tip?: Point];

const HUMAN: readonly Row[] = [
  ['Hips', '', [0, 0.98, 0], 0.13],
  ['Spine', 'Hips', [0, 1.1, 0], 0.12],
  ['Chest', 'Spine', [0, 1.24, 0], 0.13],
  ['Neck', 'Chest', [0, 1.47, -0.01], 0.06],
  ['Head', 'Neck', [0, 1.56, 0.01], 0.09, [0, 1.76, 0.03]],
  ['LeftShoulder', 'Chest', [0.06, 1.4, 0], 0.08],
  ['LeftUpperArm', 'LeftShoulder', [0.18, 1.39, 0], 0.055],
  ['LeftLowerArm', 'LeftUpperArm', [0.375, 1.2, -0.01], 0.042],
  ['LeftHand', 'LeftLowerArm', [0.55, 1.02, 0.01], 0.032, [0.67, 0.89, 0.03]],
  ['LeftUpperLeg', 'Hips', [0.1, 0.92, 0], 0.09],
  ['LeftLowerLeg', 'LeftUpperLeg', [0.11, 0.5, 0.01], 0.06],
  ['LeftFoot', 'LeftLowerLeg', [0.12, 0.09, -0.03], 0.045],
  ['LeftToes', 'LeftFoot', [0.13, 0.03, 0.09], 0.035, [0.14, 0.03, 0.16]],
];

const QUADRUPED: readonly Row[] = [
  ['Hips', '', [0, 0.98, -0.48], 0.17],
  ['Spine1', 'Hips', [0, 1, -0.2], 0.18],
  ['Spine2', 'Spine1', [0, 1, 0.08], 0.19],
  ['Spine3', 'Spine2', [0, 1, 0.32], 0.17],
  ['Neck', 'Spine3', [0, 1.16, 0.54], 0.11],
  ['Head', 'Neck', [0, 1.36, 0.72], 0.1, [0, 1.24, 0.98]],
  ['Tail1', 'Hips', [0, 1.02, -0.66], 0.05],
  ['Tail2', 'Tail1', [0, 0.98, -0.82], 0.04],
  ['Tail3', 'Tail2', [0, 0.9, -0.94], 0.035],
  ['Tail4', 'Tail3', [0, 0.8, -1.02], 0.03, [0, 0.68, -1.08]],
  ['LeftEar1', 'Head', [0.06, 1.44, 0.7], 0.03, [0.1, 1.56, 0.68]],
  ['FrontLeftUpperLeg', 'Spine3', [0.13, 0.78, 0.42], 0.1],
  ['FrontLeftLowerLeg', 'FrontLeftUpperLeg', [0.14, 0.5, 0.36], 0.06],
  ['FrontLeftFoot', 'FrontLeftLowerLeg', [0.14, 0.16, 0.4], 0.04, [0.14, 0.03, 0.48]],
  ['BackLeftUpperLeg', 'Hips', [0.12, 0.88, -0.48], 0.12],
  ['BackLeftLowerLeg', 'BackLeftUpperLeg', [0.14, 0.6, -0.38], 0.07],
  ['BackLeftFoot', 'BackLeftLowerLeg', [0.14, 0.34, -0.58], 0.045],
  ['BackLeftToes', 'BackLeftFoot', [0.14, 0.08, -0.54], 0.04, [0.14, 0.03, -0.45]],
];

const BIRD: readonly Row[] = [
  ['Hips', '', [0, 0.5, -0.1], 0.1],
  ['Spine1', 'Hips', [0, 0.54, 0.02], 0.12],
  ['Spine2', 'Spine1', [0, 0.58, 0.13], 0.11],
  ['Neck', 'Spine2', [0, 0.68, 0.23], 0.06],
  ['Head', 'Neck', [0, 0.78, 0.29], 0.06, [0, 0.77, 0.42]],
  ['Tail1', 'Hips', [0, 0.48, -0.24], 0.05],
  ['Tail2', 'Tail1', [0, 0.46, -0.36], 0.04, [0, 0.44, -0.5]],
  ['LeftWing1', 'Spine2', [0.1, 0.6, 0.1], 0.05],
  ['LeftWing2', 'LeftWing1', [0.32, 0.62, 0.12], 0.035],
  ['LeftWing3', 'LeftWing2', [0.58, 0.62, 0.08], 0.025, [0.95, 0.6, -0.02]],
  ['LeftUpperLeg', 'Hips', [0.05, 0.46, -0.08], 0.06],
  ['LeftLowerLeg', 'LeftUpperLeg', [0.07, 0.36, 0.02], 0.04],
  ['LeftFoot', 'LeftLowerLeg', [0.07, 0.2, -0.1], 0.02],
  ['LeftToes', 'LeftFoot', [0.07, 0.03, -0.04], 0.02, [0.07, 0.02, 0.08]],
];

const FISH: readonly Row[] = [
  ['Hips', '', [0, 0, 0], 0.15],
  ['Spine1', 'Hips', [0, 0, 0.18], 0.16],
  ['Spine2', 'Spine1', [0, 0, 0.36], 0.15],
  ['Head', 'Spine2', [0, 0, 0.54], 0.12, [0, 0, 0.86]],
  ['Tail1', 'Hips', [0, 0, -0.2], 0.12],
  ['Tail2', 'Tail1', [0, 0, -0.4], 0.09],
  ['Tail3', 'Tail2', [0, 0, -0.58], 0.05],
  ['Tail4', 'Tail3', [0, 0, -0.74], 0.03, [0, 0.1, -0.98]],
  ['LeftFin1', 'Spine2', [0.12, -0.06, 0.32], 0.035],
  ['LeftFin2', 'LeftFin1', [0.24, -0.12, 0.24], 0.03, [0.4, -0.18, 0.12]],
  ['DorsalFin1', 'Spine1', [0, 0.14, 0.08], 0.035, [0, 0.32, -0.06]],
  ['AnalFin1', 'Hips', [0, -0.12, -0.16], 0.03, [0, -0.24, -0.26]],
];

const SNAKE: readonly Row[] = snake(16);

const SPIDER: readonly Row[] = [...arthropod(4), ['Abdomen', 'Hips', [0, 0.34, -0.16], 0.15, [0, 0.36, -0.6]]];

const INSECT: readonly Row[] = [...arthropod(3), ['Abdomen', 'Hips', [0, 0.34, -0.16], 0.12, [0, 0.34, -0.8]]];

const HAND: readonly Row[] = [
  ['Forearm', '', [0, -0.25, 0], 0.07, [0, -0.3, 0]],
  ['Hand', 'Forearm', [0, 0, 0], 0.065],
  ...(
    [
      ['Index', 0.08, 0.4, 0.38],
      ['Middle', 0.03, 0.42, 0.42],
      ['Ring', -0.03, 0.4, 0.37],
      ['Little', -0.08, 0.35, 0.26],
    ] as const
  ).flatMap(([finger, x, base, length]): Row[] => {
    // Fingers spread from the knuckles on.
    const at = (share: number): Point => [x * (1 + 2.6 * share), base + length * share, 0];
    return [
      [`${finger}1`, 'Hand', at(0), 0.034],
      [`${finger}2`, `${finger}1`, at(0.45), 0.03],
      [`${finger}3`, `${finger}2`, at(0.73), 0.028, at(1)],
    ];
  }),
  ['Thumb1', 'Hand', [0.07, 0.1, 0.01], 0.05],
  ['Thumb2', 'Thumb1', [0.2, 0.22, 0.04], 0.04],
  ['Thumb3', 'Thumb2', [0.3, 0.3, 0.06], 0.035, [0.41, 0.38, 0.08]],
];

const ROWS: Readonly<Record<BodyPlan, readonly Row[]>> = {
  human: HUMAN,
  quadruped: QUADRUPED,
  bird: BIRD,
  fish: FISH,
  snake: SNAKE,
  spider: SPIDER,
  insect: INSECT,
  hand: HAND,
};

/** Without these a body of the plan would still be one. */
const OPTIONAL: Readonly<Partial<Record<BodyPlan, RegExp>>> = {
  quadruped: /Tail|Ear/,
  bird: /Tail/,
  fish: /Fin/,
  spider: /Abdomen|Head/,
  insect: /Abdomen|Head/,
};

/** The joints of a plan, both sides, each followed by what hangs from it. */
export function planJoints(plan: BodyPlan): PlanJoint[] {
  const optional = OPTIONAL[plan];
  const all = ROWS[plan].flatMap(([name, parent, at, radius, tip]): PlanJoint[] => {
    const joint = {
      name,
      parent,
      at,
      radius,
      ...(tip && { tip }),
      ...(optional?.test(name) && { optional: true as const }),
    };
    if (!name.includes('Left')) return [joint];
    const mirrored = {
      ...joint,
      name: otherSide(name),
      parent: otherSide(parent),
      at: reflected(at),
      ...(tip && { tip: reflected(tip) }),
    };
    return [joint, mirrored];
  });
  const below = (parent: string): PlanJoint[] =>
    all.flatMap((joint) => (joint.parent === parent ? [joint, ...below(joint.name)] : []));
  return below('');
}

/** The name of the joint on the other side; its own in the middle. */
export function otherSide(name: string): string {
  return name.replace(/Left|Right/, (side) => (side === 'Left' ? 'Right' : 'Left'));
}

function reflected([x, y, z]: Point): Point {
  return [-x, y, z];
}

/** The root in the middle: the spine forwards to the head, numbered from there, and backwards to the tail's end. */
function snake(joints: number): Row[] {
  const at = (k: number): Point => [0, 0, 1 - (2 * k) / joints];
  const name = (k: number) => (k === 0 ? 'Head' : `Spine${k}`);
  const radius = (k: number) => 0.03 + 0.03 * (1 - k / joints) + (k < 1 ? 0.01 : 0);
  const middle = joints / 2;
  const forwards = Array.from({ length: middle }, (_, k) => middle - 1 - k);
  const backwards = Array.from({ length: joints - middle - 1 }, (_, k) => middle + 1 + k);
  return [
    [name(middle), '', at(middle), radius(middle)],
    ...forwards.map(
      (k): Row => (k === 0 ? ['Head', name(1), at(0), 0.07, [0, 0, 1.12]] : [name(k), name(k + 1), at(k), radius(k)]),
    ),
    ...backwards.map((k): Row => {
      const last = k === joints - 1;
      return last ? [name(k), name(k - 1), at(k), radius(k), at(joints)] : [name(k), name(k - 1), at(k), radius(k)];
    }),
  ];
}

/** So many pairs of legs around a body, each of four bones: out and up, and down to the ground. */
function arthropod(pairs: number): Row[] {
  const legs = Array.from({ length: pairs }, (_, k): Row[] => {
    const angle = ((k - (pairs - 1) / 2) / pairs) * 2.2;
    const at = (out: number, y: number): Point => [out * cos(angle), y, -out * sin(angle)];
    const name = (joint: number) => `LeftLeg${k + 1}Joint${joint}`;
    return [
      [name(1), 'Hips', at(0.11, 0.32), 0.04],
      [name(2), name(1), at(0.32, 0.52), 0.032],
      [name(3), name(2), at(0.58, 0.46), 0.028],
      [name(4), name(3), at(0.78, 0.2), 0.022, at(0.92, 0.02)],
    ];
  });
  return [['Hips', '', [0, 0.32, 0], 0.11], ['Head', 'Hips', [0, 0.33, 0.1], 0.09, [0, 0.32, 0.28]], ...legs.flat()];
}
