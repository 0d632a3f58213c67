/**
 * The part of the performer that a bone of a humanoid follows, by the bone's name: the bone at the left hip moves the left
 * knee, and follows the part with that joint. Bones without such a name (fingers, twist bones) follow their parents.
 */
import { type Bone, findBodyJoints } from '@pelt/model';
import type { PartFeatures } from './features.ts';

/** Least number of body joints of a humanoid. */
const FEWEST_JOINTS = 12;

/** The joint that the bone at a joint moves, where it is not the joint itself. */
const MOVES: Readonly<Record<string, string>> = {
  Shoulder: 'Elbow',
  Elbow: 'Wrist',
  Wrist: 'Hand',
  Hip: 'Knee',
  Knee: 'Ankle',
  Ankle: 'Toes',
};

/**
 * @param joints  names of the joints that the parts refer to
 * @returns m: index of a part, −1 where the name does not determine one
 */
export function humanoidParts(
  bones: readonly Bone[],
  parts: readonly PartFeatures[],
  joints: readonly string[],
): Int32Array {
  const found = findBodyJoints(bones.map((bone) => bone.name));
  const assigned = new Int32Array(bones.length).fill(-1);
  if (found.filter((joint) => joint !== undefined).length < FEWEST_JOINTS) return assigned;
  const partWith = (name: string) => parts.findIndex(({ part }) => part.joints.some((j) => joints[j] === name));
  bones.forEach((bone, j) => {
    const joint = found[j];
    if (joint === undefined) {
      assigned[j] = bone.parent < 0 ? -1 : assigned[bone.parent];
      return;
    }
    const [, side = '', place = ''] = /^(left|right)(.+)$/.exec(joint) ?? [];
    const moved = partWith(side + (MOVES[place] ?? ''));
    assigned[j] = moved >= 0 ? moved : partWith(joint);
  });
  return assigned;
}
