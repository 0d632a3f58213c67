/** What is known of whoever performs in one moment. */

/** One frame of a body, live or from a file. */
export interface PerformerFrame {
  /** Seconds, rising. */
  readonly time: number;
  /** J × 3, +Y up, facing +Z. */
  readonly joints: Float32Array;
  /** J, 0 to 1; all 0 where nobody is seen. */
  readonly confidence: Float32Array;
  /** J × 2 places in the picture, in parts of its width and height from the top left; undefined where nobody is seen. */
  readonly picture: Float32Array | undefined;
}

/** Bones of the stick figure, by the joints at their ends; all sources of motion use these names. */
const LIMBS: readonly (readonly [string, string])[] = [
  ['leftShoulder', 'rightShoulder'],
  ['leftHip', 'rightHip'],
  ...['left', 'right'].flatMap((side): [string, string][] => [
    [`${side}Shoulder`, `${side}Hip`],
    [`${side}Shoulder`, `${side}Elbow`],
    [`${side}Elbow`, `${side}Wrist`],
    [`${side}Hip`, `${side}Knee`],
    [`${side}Knee`, `${side}Ankle`],
    [`${side}Ankle`, `${side}Toes`],
    [`${side}Shoulder`, 'nose'],
    [`${side}Shoulder`, 'head'],
  ]),
];

/** Pairs of indices of the joints that a stick figure connects. */
export function limbsOf(joints: readonly string[]): readonly (readonly [number, number])[] {
  return LIMBS.map(([a, b]) => [joints.indexOf(a), joints.indexOf(b)] as const).filter(([a, b]) => a >= 0 && b >= 0);
}

/** For each joint the one on the other side of the body; itself in the middle. */
export function otherSide(joints: readonly string[]): readonly number[] {
  const swapped = (name: string) =>
    name.replace(/left|right|Left|Right/, (side) => OTHER[side as keyof typeof OTHER] ?? side);
  return joints.map((name, j) => {
    const other = joints.indexOf(swapped(name));
    return other < 0 ? j : other;
  });
}

const OTHER = { left: 'right', right: 'left', Left: 'Right', Right: 'Left' } as const;

/** A body as it is in a mirror: left is right, and x is turned round. */
export function mirrored(
  { time, joints, confidence, picture }: PerformerFrame,
  other: readonly number[],
): PerformerFrame {
  const [turned, sure] = [new Float32Array(joints.length), new Float32Array(confidence.length)];
  other.forEach((from, j) => {
    turned[3 * j] = -joints[3 * from];
    turned[3 * j + 1] = joints[3 * from + 1];
    turned[3 * j + 2] = joints[3 * from + 2];
    sure[j] = confidence[from];
  });
  return { time, joints: turned, confidence: sure, picture };
}

/**
 * The mean of the last frames in which a body was seen: what a hand-held pose is, without the tremble of the tracker.
 *
 * @returns J × 3, or undefined where too few were seen
 */
export function heldPose(frames: readonly PerformerFrame[], sure: number): Float32Array | undefined {
  const seen = frames.filter(({ confidence }) => confidence.some((value) => value >= sure));
  if (seen.length === 0) return undefined;
  const mean = new Float32Array(seen[0].joints.length);
  for (const { joints } of seen) for (let k = 0; k < mean.length; k++) mean[k] += joints[k] / seen.length;
  return mean;
}
