/** The segments of a performer's body whose lengths do not change, from the trunk outwards. */
import { distance3 } from '@pelt/math';
import { jointsAt, type Motion } from '@pelt/model';
import { LOST_CONFIDENCE } from '../lost.ts';

/** Joints that a segment joins, by their names without the side; a limb belongs to the arms or to the legs. */
const CHAINS: readonly (readonly [string, string])[] = [
  ['Shoulder', 'Elbow'],
  ['Elbow', 'Wrist'],
  ['Wrist', 'Hand'],
  ['Wrist', 'Index'],
  ['Wrist', 'Pinky'],
  ['Wrist', 'Thumb'],
  ['Hip', 'Knee'],
  ['Knee', 'Ankle'],
  ['Ankle', 'Heel'],
  ['Ankle', 'Toes'],
];

export interface Segment {
  /** Names of the joints. */
  readonly from: string;
  readonly to: string;
  readonly arm: boolean;
}

/** Parents come first. */
export const SEGMENTS: readonly Segment[] = ['left', 'right'].flatMap((side) =>
  CHAINS.map(([from, to], k) => ({ from: side + from, to: side + to, arm: k < 6 })),
);

/** Most frames from which the lengths are taken. */
const MOST_FRAMES = 600;

/** The median length of each segment over a recording; 0 where it is not seen. */
export function segmentLengths(motion: Motion): Float64Array {
  const J = motion.joints.length;
  const step = Math.max(1, Math.ceil(motion.times.length / MOST_FRAMES));
  return Float64Array.from(SEGMENTS, ({ from, to }) => {
    const [a, b] = [motion.joints.indexOf(from), motion.joints.indexOf(to)];
    if (a < 0 || b < 0) return 0;
    const lengths: number[] = [];
    for (let t = 0; t < motion.times.length; t += step) {
      const isSeen = [a, b].every((j) => motion.confidence[t * J + j] >= LOST_CONFIDENCE);
      if (isSeen) lengths.push(distance3(jointsAt(motion, t), 3 * a, jointsAt(motion, t), 3 * b));
    }
    lengths.sort((x, y) => x - y);
    return lengths.length > 0 ? lengths[lengths.length >> 1] : 0;
  });
}
