/**
 * Parts of a body that are projected independently, so that the legs do not affect the arms.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, §6.2, which leaves this as
 * future work.
 */
import { UsageError } from '@pelt/model';
import type { PartsOption } from '../options.ts';

/** The frame of a part's joints: the body (pelvis and heading), or the chest with its lean and twist. */
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

/** The last part: joints that no other part has. */
const TRUNK = 'trunk';

/** Parts with their frames; all other joints belong to the trunk. */
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
 * The non-empty parts of some joints.
 *
 * @param joints  names of the joints that are compared
 */
export function partsOf(joints: readonly string[], option: PartsOption): Part[] {
  const wanted: readonly (readonly [string, PartFrame, readonly string[]])[] =
    typeof option === 'string'
      ? PRESETS[option]
      : Object.entries(option).map(([name, names]) => [name, 'body', names] as const);
  if (!wanted) {
    throw new UsageError(`createPuppet: unknown parts '${option}'; give 'whole', 'body', 'limbs' or joints by part`);
  }
  const owner = new Array<number>(joints.length).fill(-1);
  wanted.forEach(([name, , names], part) => {
    joints.forEach((joint, j) => {
      if (!names.includes(joint)) return;
      if (owner[j] >= 0)
        throw new UsageError(
          `createPuppet: joint '${joint}' is in part '${wanted[owner[j]][0]}' and '${name}'; give it to one of them`,
        );
      owner[j] = part;
    });
  });
  const select = (part: number) => joints.map((_, j) => j).filter((j) => owner[j] === part);
  return [
    ...wanted.map(([name, frame], part): Part => ({ name, frame, joints: select(part) })),
    { name: wanted.length === 0 ? 'whole' : TRUNK, frame: 'body' as const, joints: select(-1) },
  ].filter((part) => part.joints.length > 0);
}
