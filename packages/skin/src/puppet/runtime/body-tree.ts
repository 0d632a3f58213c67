/**
 * Hierarchy of the joints of a body and the lengths of its segments in a person of 1.75 m, which trackers do not provide.
 * The root is the hips, represented by the centre of the pelvis, which is always known.
 */
import { BODY_JOINTS } from '@pelt/model';

const side = (prefix: string): [string, readonly [string, number]][] => [
  [`${prefix}Shoulder`, ['chest', 0.2]],
  [`${prefix}Elbow`, [`${prefix}Shoulder`, 0.29]],
  [`${prefix}Wrist`, [`${prefix}Elbow`, 0.26]],
  [`${prefix}Hand`, [`${prefix}Wrist`, 0.08]],
  [`${prefix}HandTip`, [`${prefix}Wrist`, 0.16]],
  [`${prefix}Thumb`, [`${prefix}Wrist`, 0.1]],
  [`${prefix}Index`, [`${prefix}Wrist`, 0.1]],
  [`${prefix}Pinky`, [`${prefix}Wrist`, 0.1]],
  [`${prefix}Hip`, ['hips', 0.1]],
  [`${prefix}Knee`, [`${prefix}Hip`, 0.43]],
  [`${prefix}Ankle`, [`${prefix}Knee`, 0.42]],
  [`${prefix}Toes`, [`${prefix}Ankle`, 0.16]],
  [`${prefix}Heel`, [`${prefix}Ankle`, 0.06]],
];

/** Parent joint, and distance from it in metres. */
const TREE: ReadonlyMap<string, readonly [parent: string, length: number]> = new Map([
  ['spine', ['hips', 0.15]],
  ['chest', ['spine', 0.2]],
  ['neck', ['chest', 0.17]],
  ['head', ['neck', 0.17]],
  ['nose', ['neck', 0.2]],
  ...side('left'),
  ...side('right'),
]);

/** A segment of the body. */
export interface BodySegment {
  /** Index of the joint where it starts; −1 for the centre of the pelvis. */
  readonly from: number;
  /** Length in metres, of a person of 1.75 m. */
  readonly length: number;
}

/** Suffix of a joint's name that denotes the end of its bone. */
const TIP = ' tip';
const TIP_LENGTH = 0.1;

/** Whether a name is that of a body joint, or of the tip of one. */
export function isBodyJoint(name: string): boolean {
  const joint = name.endsWith(TIP) ? name.slice(0, -TIP.length) : name;
  return (BODY_JOINTS as readonly string[]).includes(joint);
}

/** The segment that ends in a joint, from its nearest ancestor in `joints`; undefined where it is not a body joint. */
export function segmentTo(joint: string, joints: readonly string[]): BodySegment | undefined {
  let length = 0;
  const first = joint.endsWith(TIP) ? ([joint.slice(0, -TIP.length), TIP_LENGTH] as const) : TREE.get(joint);
  for (let link = first; link; link = TREE.get(link[0])) {
    length += link[1];
    const from = joints.indexOf(link[0]);
    if (link[0] === 'hips') return { from: -1, length };
    if (from >= 0) return { from, length };
  }
  return undefined;
}
