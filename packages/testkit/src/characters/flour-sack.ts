/**
 * The animator's flour sack: a body without limbs that bows, leans, jumps and stands on its head with a few bones, and
 * stretches as it does so.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, figure 3.1.
 */
import { ellipsoid, limb, smoothUnion } from '../shapes/distance-field.ts';
import { type Character, characterOf } from './character.ts';
import { PERFORMER_POSES } from './performer.ts';
import { roundedBox, type SolidBone, solidRig } from './solid-rig.ts';

const BONES: readonly SolidBone[] = [
  { name: 'base', origin: [0, 0.06, 0], solid: roundedBox([0, 0.15, 0], [0.27, 0.13, 0.17], 0.1) },
  { name: 'belly', parent: 'base', origin: [0, 0.28, 0], solid: roundedBox([0, 0.42, 0], [0.3, 0.16, 0.2], 0.1) },
  { name: 'chest', parent: 'belly', origin: [0, 0.55, 0], solid: roundedBox([0, 0.68, 0], [0.27, 0.13, 0.16], 0.1) },
  { name: 'top', parent: 'chest', origin: [0, 0.8, 0], solid: roundedBox([0, 0.87, 0], [0.2, 0.07, 0.08], 0.06) },
  ...([1, -1] as const).flatMap((side): SolidBone[] => {
    const prefix = side > 0 ? 'left' : 'right';
    return [
      {
        name: `${prefix} ear`,
        parent: 'top',
        origin: [0.15 * side, 0.9, 0],
        solid: limb([0.15 * side, 0.9, 0], 0.065, [0.27 * side, 0.99, 0], 0.04),
      },
      {
        name: `${prefix} foot`,
        parent: 'base',
        origin: [0.2 * side, 0.1, 0.04],
        solid: limb([0.2 * side, 0.1, 0.04], 0.09, [0.31 * side, 0.05, 0.08], 0.05),
      },
    ];
  }),
];

export function flourSackCharacter(detail = 0.05): Character {
  const rig = solidRig({
    name: 'flour sack',
    bones: BONES,
    skin: smoothUnion(
      0.035,
      roundedBox([0, 0.44, 0], [0.27, 0.42, 0.14], 0.13),
      ellipsoid([0, 0.38, 0.02], [0.28, 0.3, 0.19]),
      ...BONES.slice(4).map((bone) => bone.solid),
    ),
    low: [-0.5, -0.12, -0.4],
    high: [0.5, 1.16, 0.4],
    detail,
    fillet: 0.025,
    blend: 0.08,
  });
  const lean = (degrees: number) =>
    ({
      belly: { degrees: [0, 0, degrees] },
      chest: { degrees: [0, 0, degrees] },
      top: { degrees: [0, 0, degrees] },
    }) as const;
  return characterOf(
    rig,
    [
      ['stand', PERFORMER_POSES.stand, {}],
      [
        'bow',
        PERFORMER_POSES.bow,
        { belly: { degrees: [28, 0, 0] }, chest: { degrees: [35, 0, 0] }, top: { degrees: [30, 0, 0] } },
      ],
      ['lean left', PERFORMER_POSES.leanLeft, lean(-22)],
      ['lean right', PERFORMER_POSES.leanRight, lean(22)],
      // Squashed: what it loses in height it gains in width.
      ['squash', PERFORMER_POSES.crouch, { belly: { scale: [1.25, 0.6, 1.25] } }],
      [
        'reach',
        PERFORMER_POSES.armsUp,
        {
          belly: { scale: [0.88, 1.3, 0.88] },
          'left ear': { degrees: [0, 0, 40] },
          'right ear': { degrees: [0, 0, -40] },
        },
      ],
      ['left foot', PERFORMER_POSES.leftStep, { 'left foot': { degrees: [-50, 0, 0] }, base: { degrees: [0, 20, 0] } }],
      [
        'right foot',
        PERFORMER_POSES.rightStep,
        { 'right foot': { degrees: [-50, 0, 0] }, base: { degrees: [0, -20, 0] } },
      ],
    ],
    ['left ear', 'right ear'],
  );
}
