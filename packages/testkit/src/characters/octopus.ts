/**
 * An octopus: eight arms of four bones, none of which has a counterpart in a body. Six pairs move all thirty-three.
 */
import type { JointChange, JointPose } from '@pelt/model';
import { ellipsoid, limb, smoothUnion } from '../shapes/distance-field.ts';
import type { Vector } from '../transform.ts';
import { type Character, characterOf } from './character.ts';
import { PERFORMER_POSES } from './performer.ts';
import { type SolidBone, solidRig } from './solid-rig.ts';

const ARMS = 8;
const SEGMENTS = 4;

/** Direction of an arm in the ground plane; the first two point to the front, left and right. */
function direction(arm: number): readonly [number, number] {
  const angle = ((arm + 0.5) * 2 * Math.PI) / ARMS;
  return [Math.sin(angle), Math.cos(angle)];
}

/** Joint k of an arm: out and down from under the head. */
function joint(arm: number, k: number): Vector {
  const [x, z] = direction(arm);
  const out = 0.14 + 0.2 * k;
  const height = 0.26 - 0.19 * (1 - 0.62 ** k);
  return [x * out, height, z * out];
}

const radius = (k: number) => 0.085 - 0.015 * k;

const BONES: readonly SolidBone[] = [
  {
    name: 'head',
    origin: [0, 0.3, 0],
    solid: smoothUnion(0.03, ellipsoid([0, 0.5, -0.04], [0.24, 0.28, 0.26]), ellipsoid([0, 0.28, 0], [0.2, 0.12, 0.2])),
  },
  ...Array.from({ length: ARMS }, (_, arm) =>
    Array.from(
      { length: SEGMENTS },
      (_, k): SolidBone => ({
        name: `arm ${arm} ${k}`,
        parent: k === 0 ? 'head' : `arm ${arm} ${k - 1}`,
        origin: joint(arm, k),
        solid: limb(joint(arm, k), radius(k), joint(arm, k + 1), radius(k + 1)),
      }),
    ),
  ).flat(),
];

/** Every segment of an arm curls: up for positive angles, about the horizontal axis across it. */
function curl(arms: readonly number[], degrees: number): JointPose {
  const changes: [string, JointChange][] = arms.flatMap((arm) => {
    const [x, z] = direction(arm);
    const half = (-degrees * Math.PI) / 360;
    const s = Math.sin(half);
    return Array.from({ length: SEGMENTS }, (_, k): [string, JointChange] => [
      `arm ${arm} ${k}`,
      { quaternion: [z * s, 0, -x * s, Math.cos(half)] },
    ]);
  });
  return Object.fromEntries(changes);
}

export function octopusCharacter(detail = 0.05): Character {
  const rig = solidRig({
    name: 'octopus',
    bones: BONES,
    low: [-1.1, -0.12, -1.1],
    high: [1.1, 0.94, 1.1],
    detail,
    fillet: 0.02,
    blend: 0.04,
  });
  const all = Array.from({ length: ARMS }, (_, arm) => arm);
  const left = [0, 1, 2, 3];
  const right = [4, 5, 6, 7];
  return characterOf(rig, [
    ['stand', PERFORMER_POSES.stand, {}],
    ['spread', PERFORMER_POSES.armsStraight, curl(all, 18)],
    ['left', PERFORMER_POSES.leftArmUp, curl(left, 32)],
    ['right', PERFORMER_POSES.rightArmUp, curl(right, 32)],
    ['hide', PERFORMER_POSES.crouch, { ...curl(all, -22), head: { translation: [0, 0.05, 0], degrees: [12, 0, 0] } }],
    ['bow', PERFORMER_POSES.bow, { ...curl([0, 7], -25), ...curl([3, 4], 25), head: { degrees: [30, 0, 0] } }],
  ]);
}
