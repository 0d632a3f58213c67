/**
 * A person of soft solids with known joints: proportions and the pose of the arms may be chosen, so that what was found in
 * one can be compared with what is true of another.
 */
import type { Rig } from '@pelt/model';
import { ellipsoid, limb, smoothUnion } from '../shapes/distance-field.ts';
import type { Vector } from '../transform.ts';
import { type SolidBone, solidRig } from './solid-rig.ts';

export interface PersonOptions {
  /** Edge length of the mesh, about. */
  readonly detail: number;
  /** Of the arms below the horizontal, in degrees: 0 for a T, 90 hanging. */
  readonly armsDown: number;
  /** Length of the legs, relative to the usual. */
  readonly legs: number;
  /** Radius of the limbs, relative to the usual. */
  readonly stout: number;
}

export const PERSON_DEFAULTS: PersonOptions = { detail: 0.035, armsDown: 40, legs: 1, stout: 1 };

/** Names as people say them: shin.left; 1.7 m tall, facing +Z. */
export function personRig(options: Partial<PersonOptions> = {}): Rig {
  const { detail, armsDown, legs, stout } = { ...PERSON_DEFAULTS, ...options };
  const hips = 0.08 + 0.84 * legs;
  const up = (y: number): number => hips + y;
  const angle = (armsDown * Math.PI) / 180;
  const sides = ([1, -1] as const).flatMap((x): SolidBone[] => {
    const side = x > 0 ? 'left' : 'right';
    const along = (from: Vector, length: number, forward: number): Vector => [
      from[0] + x * length * Math.cos(angle),
      from[1] - length * Math.sin(angle),
      from[2] + forward,
    ];
    const shoulder: Vector = [x * 0.17, up(0.47), 0];
    const elbow = along(shoulder, 0.27, -0.015);
    const wrist = along(elbow, 0.25, 0.03);
    const palm = along(wrist, 0.16, 0.02);
    const hip: Vector = [x * 0.1, up(-0.02), 0];
    const knee: Vector = [x * 0.11, 0.08 + 0.43 * legs, 0.02];
    const ankle: Vector = [x * 0.12, 0.08, -0.03];
    const toes: Vector = [x * 0.13, 0.04, 0.15];
    return [
      {
        name: `arm.${side}`,
        parent: 'chest',
        origin: shoulder,
        solid: limb(shoulder, 0.055 * stout, elbow, 0.042 * stout),
      },
      {
        name: `forearm.${side}`,
        parent: `arm.${side}`,
        origin: elbow,
        solid: limb(elbow, 0.042 * stout, wrist, 0.03 * stout),
      },
      {
        name: `hand.${side}`,
        parent: `forearm.${side}`,
        origin: wrist,
        solid: limb(wrist, 0.034 * stout, palm, 0.028 * stout),
      },
      { name: `thigh.${side}`, parent: 'hips', origin: hip, solid: limb(hip, 0.085 * stout, knee, 0.056 * stout) },
      {
        name: `shin.${side}`,
        parent: `thigh.${side}`,
        origin: knee,
        solid: limb(knee, 0.056 * stout, ankle, 0.04 * stout),
      },
      {
        name: `foot.${side}`,
        parent: `shin.${side}`,
        origin: ankle,
        solid: limb(ankle, 0.042 * stout, toes, 0.034 * stout),
      },
    ];
  });
  const bones: SolidBone[] = [
    { name: 'hips', origin: [0, up(0), 0], solid: ellipsoid([0, up(0.03), 0], [0.16, 0.12, 0.1]) },
    {
      name: 'spine',
      parent: 'hips',
      origin: [0, up(0.12), 0],
      solid: limb([0, up(0.12), 0], 0.11, [0, up(0.26), 0], 0.11),
    },
    {
      name: 'chest',
      parent: 'spine',
      origin: [0, up(0.27), 0],
      solid: ellipsoid([0, up(0.38), 0], [0.17, 0.15, 0.11]),
    },
    {
      name: 'neck',
      parent: 'chest',
      origin: [0, up(0.53), 0],
      solid: limb([0, up(0.52), 0], 0.055, [0, up(0.6), 0.01], 0.055),
    },
    {
      name: 'head',
      parent: 'neck',
      origin: [0, up(0.62), 0.01],
      solid: smoothUnion(0.02, ellipsoid([0, up(0.73), 0.02], [0.08, 0.115, 0.095])),
    },
    ...sides,
  ];
  const reach = 0.17 + 0.7 * Math.cos(angle) + 0.15;
  return solidRig({
    name: 'person',
    bones,
    low: [-reach, -0.1, -0.3],
    high: [reach, up(0.95), 0.35],
    detail,
    fillet: 0.012,
    blend: 0.02,
  });
}
