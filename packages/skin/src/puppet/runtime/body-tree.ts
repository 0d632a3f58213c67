/**
 * How the joints of a body hang together, and how long the piece from one to the next is in a person of 1.75 m: what
 * trackers do not say. The hips are the root; for it stands the middle of the pelvis, which is always known.
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

/** Parent and distance from it, in metres. */
const TREE: ReadonlyMap<string, readonly [parent: string, length: number]> = new Map([
  ['spine', ['hips', 0.15]],
  ['chest', ['spine', 0.2]],
  ['neck', ['chest', 0.17]],
  ['head', ['neck', 0.17]],
  ['nose', ['neck', 0.2]],
  ...side('left'),
  ...side('right'),
]);

/** A piece of the body. */
export interface BodySegment {
  /** Index of the joint it comes from; −1 for the middle of the pelvis. */
  readonly from: number;
  /** Metres, in a person of 1.75 m. */
  readonly length: number;
}

/** What follows a joint's name where the far end of its bone is meant. */
const TIP = ' tip';
const TIP_LENGTH = 0.1;

/** Whether a name is that of a body's joint, or of the tip of one. */
export function isBodyJoint(name: string): boolean {
  const joint = name.endsWith(TIP) ? name.slice(0, -TIP.length) : name;
  return (BODY_JOINTS as readonly string[]).includes(joint);
}

/** The piece that ends in a joint, from the nearest joint above it that is there; undefined for joints of no body. */
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
