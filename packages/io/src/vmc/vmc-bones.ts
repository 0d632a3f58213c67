/**
 * The human bones of VMC, which are Unity's, with the bones that they hang on: a file may lack some, and what hangs on these
 * then hangs on the next above.
 */
const SIDE: readonly (readonly [string, string])[] = [
  ['UpperLeg', 'Hips'],
  ['LowerLeg', 'UpperLeg'],
  ['Foot', 'LowerLeg'],
  ['Toes', 'Foot'],
  ['Shoulder', 'UpperChest'],
  ['UpperArm', 'Shoulder'],
  ['LowerArm', 'UpperArm'],
  ['Hand', 'LowerArm'],
  ...['Thumb', 'Index', 'Middle', 'Ring', 'Little'].flatMap((finger): [string, string][] => [
    [`${finger}Proximal`, 'Hand'],
    [`${finger}Intermediate`, `${finger}Proximal`],
    [`${finger}Distal`, `${finger}Intermediate`],
  ]),
];

const MIDDLE: readonly (readonly [string, string])[] = [
  ['Hips', ''],
  ['Spine', 'Hips'],
  ['Chest', 'Spine'],
  ['UpperChest', 'Chest'],
  ['Neck', 'UpperChest'],
  ['Head', 'Neck'],
];

/** Bones and what they hang on, parents first; the empty name for none. */
export const VMC_BONES: ReadonlyMap<string, string> = new Map([
  ...MIDDLE,
  ...['Left', 'Right'].flatMap((side) =>
    SIDE.map(([bone, parent]): [string, string] => [
      side + bone,
      MIDDLE.some(([name]) => name === parent) ? parent : side + parent,
    ]),
  ),
]);

/**
 * The bone of VMC that a human bone of VRM is: `leftUpperArm` is `LeftUpperArm`. VRM 1 counts a thumb from its metacarpal on,
 * which VMC calls proximal, as VRM 0 does.
 *
 * @param places  of all human bones of the character
 */
export function vmcBoneOf(place: string, places: ReadonlySet<string>): string | undefined {
  const name = place[0].toUpperCase() + place.slice(1);
  const thumb = /^(left|right)Thumb(Metacarpal|Proximal)$/.exec(place);
  if (thumb && places.has(`${thumb[1]}ThumbMetacarpal`)) {
    return `${name.slice(0, -thumb[2].length)}${thumb[2] === 'Metacarpal' ? 'Proximal' : 'Intermediate'}`;
  }
  return VMC_BONES.has(name) ? name : undefined;
}
