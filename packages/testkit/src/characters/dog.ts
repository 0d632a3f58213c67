/**
 * A dog with legs, ears and a tail that a person drives through seven pairs.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, figure 5.2a: arms straight and
 * arms front make it run, the left arm waves a paw, the right arm the tail, steps make it walk.
 */
import type { JointPose } from '@pelt/model';
import { type DistanceField, ellipsoid, limb, smoothUnion } from '../shapes/distance-field.ts';
import type { Vector } from '../transform.ts';
import { type Character, characterOf } from './character.ts';
import { PERFORMER_POSES } from './performer.ts';
import { type SolidBone, solidRig } from './solid-rig.ts';

const side = (x: number, [ax, y, z]: Vector): Vector => [x * ax, y, z];

const paw = ([x, , z]: Vector): DistanceField => ellipsoid([x, 0.04, z + 0.035], [0.05, 0.04, 0.075]);

/** Thigh, shin and foot of one leg; knees are bent a little, so that they know which way to bend. */
function leg(
  name: string,
  x: 1 | -1,
  parent: string,
  [hip, knee, ankle]: readonly [Vector, Vector, Vector],
): SolidBone[] {
  const [a, b, c] = [side(x, hip), side(x, knee), side(x, ankle)];
  return [
    { name: `${name} thigh`, parent, origin: a, solid: limb(a, 0.085, b, 0.055) },
    { name: `${name} shin`, parent: `${name} thigh`, origin: b, solid: limb(b, 0.052, c, 0.04) },
    {
      name: `${name} foot`,
      parent: `${name} shin`,
      origin: c,
      solid: smoothUnion(0.01, limb(c, 0.04, [c[0], 0.05, c[2]], 0.04), paw(c)),
    },
  ];
}

const HIND: readonly [Vector, Vector, Vector] = [
  [0.1, 0.52, -0.3],
  [0.11, 0.32, -0.24],
  [0.11, 0.12, -0.34],
];
const FORE: readonly [Vector, Vector, Vector] = [
  [0.1, 0.5, 0.26],
  [0.11, 0.32, 0.22],
  [0.11, 0.11, 0.26],
];

const BONES: readonly SolidBone[] = [
  { name: 'hips', origin: [0, 0.56, -0.26], solid: ellipsoid([0, 0.56, -0.22], [0.14, 0.14, 0.2]) },
  {
    name: 'spine',
    parent: 'hips',
    origin: [0, 0.58, -0.08],
    solid: limb([0, 0.57, -0.1], 0.125, [0, 0.57, 0.1], 0.14),
  },
  { name: 'chest', parent: 'spine', origin: [0, 0.58, 0.12], solid: ellipsoid([0, 0.56, 0.22], [0.15, 0.18, 0.19]) },
  { name: 'neck', parent: 'chest', origin: [0, 0.68, 0.34], solid: limb([0, 0.68, 0.34], 0.09, [0, 0.82, 0.44], 0.08) },
  {
    name: 'head',
    parent: 'neck',
    origin: [0, 0.84, 0.45],
    solid: smoothUnion(
      0.015,
      ellipsoid([0, 0.88, 0.5], [0.11, 0.1, 0.12]),
      ellipsoid([0, 0.84, 0.63], [0.06, 0.055, 0.09]),
    ),
  },
  ...([1, -1] as const).map((x): SolidBone => {
    const root = side(x, [0.08, 0.95, 0.47]);
    return {
      name: `${x > 0 ? 'left' : 'right'} ear`,
      parent: 'head',
      origin: root,
      solid: limb(root, 0.035, side(x, [0.17, 0.84, 0.44]), 0.028),
    };
  }),
  ...[0, 1, 2].map((k): SolidBone => {
    const at = (n: number): Vector => [0, 0.64 + 0.09 * n, -0.42 - 0.11 * n];
    return {
      name: `tail ${k}`,
      parent: k === 0 ? 'hips' : `tail ${k - 1}`,
      origin: at(k),
      solid: limb(at(k), 0.05 - 0.008 * k, at(k + 1), 0.042 - 0.008 * k),
    };
  }),
  ...leg('left hind', 1, 'hips', HIND),
  ...leg('right hind', -1, 'hips', HIND),
  ...leg('left fore', 1, 'chest', FORE),
  ...leg('right fore', -1, 'chest', FORE),
];

/** Swings a leg from the hip and bends it at the knee; hind knees bend the other way from fore ones. */
function swing(name: string, hip: number, knee: number): JointPose {
  return { [`${name} thigh`]: { degrees: [hip, 0, 0] }, [`${name} shin`]: { degrees: [knee, 0, 0] } };
}

export function dogCharacter(detail = 0.04): Character {
  const rig = solidRig({
    name: 'dog',
    bones: BONES,
    low: [-0.3, -0.1, -0.95],
    high: [0.3, 1.1, 0.85],
    detail,
    fillet: 0.015,
    blend: 0.02,
  });
  const ears = (degrees: number): JointPose => ({
    'left ear': { degrees: [0, 0, degrees] },
    'right ear': { degrees: [0, 0, -degrees] },
  });
  const wag = (degrees: number): JointPose =>
    Object.fromEntries([0, 1, 2].map((k) => [`tail ${k}`, { degrees: [0, degrees, 0] }]));
  return characterOf(
    rig,
    [
      ['stand', PERFORMER_POSES.stand, {}],
      [
        'run, stretched',
        PERFORMER_POSES.armsStraight,
        {
          ...swing('left fore', -45, -10),
          ...swing('right fore', -35, -10),
          ...ears(45),
          spine: { degrees: [-8, 0, 0] },
          neck: { degrees: [10, 0, 0] },
        },
      ],
      [
        'run, gathered',
        PERFORMER_POSES.armsFront,
        {
          ...swing('left fore', 35, -40),
          ...swing('right fore', 28, -40),
          ...ears(-10),
          spine: { degrees: [14, 0, 0] },
          neck: { degrees: [-12, 0, 0] },
        },
      ],
      ['paw', PERFORMER_POSES.leftArmUp, { ...swing('left fore', -70, -45), head: { degrees: [0, 0, -14] } }],
      ['tail', PERFORMER_POSES.rightArmUp, { ...wag(35), head: { degrees: [0, 0, 10] } }],
      [
        'left step',
        PERFORMER_POSES.leftStep,
        {
          ...swing('left hind', -28, 18),
          ...swing('right hind', 24, -8),
          ...swing('right fore', -26, -8),
          ...swing('left fore', 22, -14),
        },
      ],
      [
        'right step',
        PERFORMER_POSES.rightStep,
        {
          ...swing('right hind', -28, 18),
          ...swing('left hind', 24, -8),
          ...swing('left fore', -26, -8),
          ...swing('right fore', 22, -14),
        },
      ],
    ],
    ['left ear', 'right ear', 'tail 1'],
  );
}
