/**
 * Parts of a body that are projected apart from each other, so that a leg does not disturb an arm.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, §6.2, which leaves this as
 * future work.
 */

import { UsageError } from '@pelt/model';
import type { PartsOption } from '../options.ts';

/** What the joints of a part are measured against: the body (pelvis and heading) or the chest with its lean and twist. */
export type PartFrame = 'body' | 'chest';

export interface Part {
  readonly name: string;
  readonly frame: PartFrame;
  /** Indices of the joints. */
  readonly joints: readonly number[];
}

const ARM = ['Elbow', 'Wrist', 'Hand', 'Hand tip', 'HandTip', 'Thumb', 'Index', 'Pinky'];
const LEG = ['Knee', 'Ankle', 'Toes', 'Toes tip', 'Heel'];

const both = (names: readonly string[]) => ['left', 'right'].flatMap((side) => names.map((name) => side + name));
const of = (side: string, names: readonly string[]) => names.map((name) => side + name);

/** Joints that no other part names, at the end. */
const TRUNK = 'trunk';

/** Parts with their frame; joints that none of them has belong to the trunk. */
const PRESETS: Readonly<Record<'whole' | 'body' | 'limbs', readonly [string, PartFrame, readonly string[]][]>> = {
  whole: [],
  body: [
    ['arms', 'chest', both(ARM)],
    ['legs', 'body', both(LEG)],
  ],
  limbs: [
    ['leftArm', 'chest', of('left', ARM)],
    ['rightArm', 'chest', of('right', ARM)],
    ['leftLeg', 'body', of('left', LEG)],
    ['rightLeg', 'body', of('right', LEG)],
  ],
};

/**
 * The parts of these joints, without empty ones.
 *
 * @param joints  names of the joints that are compared
 */
export function partsOf(joints: readonly string[], option: PartsOption): Part[] {
  const wanted: readonly (readonly [string, PartFrame, readonly string[]])[] =
    typeof option === 'string'
      ? PRESETS[option]
      : Object.entries(option).map(([name, names]) => [name, 'body', names] as const);
  if (!wanted) throw new UsageError(`puppet: unknown parts '${option}'; there are whole, body, limbs`);
  const owner = new Array<number>(joints.length).fill(-1);
  wanted.forEach(([name, , names], part) => {
    joints.forEach((joint, j) => {
      if (!names.includes(joint)) return;
      if (owner[j] >= 0)
        throw new UsageError(`puppet: joint '${joint}' is in part '${wanted[owner[j]][0]}' and '${name}'`);
      owner[j] = part;
    });
  });
  const select = (part: number) => joints.map((_, j) => j).filter((j) => owner[j] === part);
  return [
    ...wanted.map(([name, frame], part): Part => ({ name, frame, joints: select(part) })),
    { name: wanted.length === 0 ? 'whole' : TRUNK, frame: 'body' as const, joints: select(-1) },
  ].filter((part) => part.joints.length > 0);
}
