/** Where joints of a captured skeleton are in a body: clicked one after the other, those of a side with their twins. */
import type { BodyJoint } from '@pelt/model';
import { isLeft, type MirrorPlane, middleOf, mirrorPoint, ontoPlane, type Point } from './placed-skeleton.ts';

/** In the order in which they are asked for; the rest of the skeleton follows from them. */
const ASKED: readonly BodyJoint[] = [
  'hips',
  'neck',
  'head',
  ...(['Shoulder', 'Elbow', 'Wrist', 'Hip', 'Knee', 'Ankle'] as const).flatMap(
    (place) => [`left${place}`, `right${place}`] as const,
  ),
];

/** Fewer do not tell how large the body is and how it stands. */
export const FEWEST_LANDMARKS = 3;

export type Landmarks = Readonly<Partial<Record<BodyJoint, Point>>>;

/**
 * The joints to click.
 *
 * @param found     joints of a body that the skeleton has
 * @param mirrored  whether a click places both sides
 */
export function askedJoints(found: ReadonlySet<BodyJoint>, mirrored: boolean): BodyJoint[] {
  return ASKED.filter((joint) => found.has(joint) && !(mirrored && joint.startsWith('right')));
}

/**
 * With one more joint, in the middle of the body where it was clicked.
 *
 * @param through  where the line of sight enters the body, and where it leaves it
 * @param plane    undefined places one side alone
 */
export function withLandmark(
  landmarks: Landmarks,
  joint: BodyJoint,
  through: readonly [Point, Point],
  plane: MirrorPlane | undefined,
): Landmarks {
  const at = middleOf(through);
  const place = /^(?:left|right)(.*)$/.exec(joint)?.[1];
  if (!plane) return { ...landmarks, [joint]: at };
  if (!place) return { ...landmarks, [joint]: ontoPlane(at, plane) };
  // Whichever side was clicked: people mean their own left as often as the body's.
  const [left, right] = isLeft(at, plane) ? [at, mirrorPoint(at, plane)] : [mirrorPoint(at, plane), at];
  return { ...landmarks, [`left${place}`]: left, [`right${place}`]: right };
}

/** `leftElbow` as people say it: of either side where both are placed at once. */
export function spokenJoint(joint: BodyJoint, mirrored: boolean): string {
  const [, side, place] = /^(left|right)(.*)$/.exec(joint) ?? [];
  if (!place) return `the ${joint}`;
  const name = place.toLowerCase();
  if (!mirrored) return `the ${side} ${name}`;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
