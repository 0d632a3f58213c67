/**
 * Recognises a human body in the skeleton of a character: by the names of its bones, or else by shape and symmetry.
 *
 * Names give limbs, neck and head. The tree gives the rest, whatever it is called: the pelvis is where the legs meet, the
 * chest where the arms meet, and the spine is what lies between.
 */
import { type Bone, InputError } from '@pelt/model';
import { ancestorsOf, childrenOf, commonAncestor, heightOf, isBelow } from './bone-tree.ts';
import { bonesByName, type NamedPlace, type Side } from './bones-by-name.ts';
import { bonesByShape } from './bones-by-shape.ts';

export interface HumanoidLimb {
  readonly side: Side;
  /** Shoulder or hip. */
  readonly upper: number;
  /** Elbow or knee. */
  readonly lower: number;
  /** Wrist or ankle; −1 where there is none. */
  readonly end: number;
}

export interface Humanoid {
  readonly by: 'file' | 'names' | 'shape';
  /** Bone where the legs meet. */
  readonly pelvis: number;
  /** From the first bone above the pelvis to the one where the arms meet; empty where that is the pelvis itself. */
  readonly spine: readonly number[];
  /** −1 where there is none. */
  readonly neck: number;
  /** −1 where there is none. */
  readonly head: number;
  /** Left, right. */
  readonly arms: readonly [HumanoidLimb, HumanoidLimb];
  /** Left, right. */
  readonly legs: readonly [HumanoidLimb, HumanoidLimb];
  /** Names of the bones by place. */
  readonly bones: Readonly<Record<string, string>>;
  /** Places without a bone, which follow the bones that they hang on. */
  readonly missing: readonly string[];
}

/** Places without which a body is not recognised. */
const REQUIRED = (['left', 'right'] as const).flatMap((side) =>
  (['Hip', 'Knee', 'Ankle', 'Shoulder', 'Elbow'] as const).map((place): NamedPlace => `${side}${place}`),
);
const OPTIONAL: readonly NamedPlace[] = ['neck', 'head', 'leftWrist', 'rightWrist', 'leftToes', 'rightToes'];

/** Places of a body by the human bones of VRM. */
const VRM_PLACES: readonly (readonly [string, NamedPlace])[] = [
  ['neck', 'neck'],
  ['head', 'head'],
  ...(['left', 'right'] as const).flatMap((side): [string, NamedPlace][] => [
    [`${side}UpperLeg`, `${side}Hip`],
    [`${side}LowerLeg`, `${side}Knee`],
    [`${side}Foot`, `${side}Ankle`],
    [`${side}Toes`, `${side}Toes`],
    [`${side}UpperArm`, `${side}Shoulder`],
    [`${side}LowerArm`, `${side}Elbow`],
    [`${side}Hand`, `${side}Wrist`],
  ]),
];

/**
 * Recognises a human body in a skeleton, by what its file says, by the names of the bones, or by their shape.
 *
 * @param bones  m
 * @param human  bones by the names of VRM's human bones, where the file says which they are
 * @returns      the body
 * @throws       InputError that says what was not found
 * @example
 * {@includeCode ../../../../examples/humanoid.ts}
 */
export function recogniseHumanoid(
  bones: readonly Bone[],
  name: string,
  human: Readonly<Record<string, number>> = {},
): Humanoid {
  const given = new Map(VRM_PLACES.flatMap(([bone, place]) => (bone in human ? [[place, human[bone]] as const] : [])));
  if (REQUIRED.every((place) => given.has(place)) && postureProblem(bones, given) === undefined) {
    return assemble(bones, given, 'file');
  }
  const named = bonesByName(bones);
  const unnamed = REQUIRED.filter((place) => !named.has(place));
  const problem = unnamed.length > 0 ? `no bone is named as ${unnamed.join(', ')}` : postureProblem(bones, named);
  if (problem === undefined) return assemble(bones, named, 'names');
  const shaped = bonesByShape(bones);
  const refusal = typeof shaped === 'string' ? shaped : postureProblem(bones, shaped);
  if (typeof shaped !== 'string' && refusal === undefined) return assemble(bones, shaped, 'shape');
  throw new InputError(
    `'${name}' is not recognised as a humanoid: by name, ${problem}; by shape, ${refusal}; give pairs of poses instead`,
  );
}

/** A humanoid rests upright on its legs, not on its hands; and the tree must connect arms and legs. */
function postureProblem(bones: readonly Bone[], places: ReadonlyMap<NamedPlace, number>): string | undefined {
  const at = (place: NamedPlace) => places.get(place) as number;
  const pelvis = commonAncestor(bones, at('leftHip'), at('rightHip'));
  const chest = commonAncestor(bones, at('leftShoulder'), at('rightShoulder'));
  if (pelvis < 0 || chest < 0 || !(chest === pelvis || isBelow(bones, chest, pelvis))) {
    return 'the arms do not hang on a spine above the legs';
  }
  const y = (place: NamedPlace) => heightOf(bones[at(place)]);
  for (const side of ['left', 'right'] as const) {
    if (!(y(`${side}Hip`) > y(`${side}Knee`) && y(`${side}Knee`) > y(`${side}Ankle`))) {
      return 'the legs do not point down at rest';
    }
    const hand = places.has(`${side}Wrist`) ? y(`${side}Wrist`) : y(`${side}Elbow`);
    if (hand < y(`${side}Knee`)) return 'it stands on its arms';
    if (y(`${side}Shoulder`) < y(`${side}Hip`)) return 'the shoulders are below the hips';
  }
  return undefined;
}

function assemble(bones: readonly Bone[], places: ReadonlyMap<NamedPlace, number>, by: Humanoid['by']): Humanoid {
  const at = (place: NamedPlace) => places.get(place) ?? -1;
  const limb = (
    side: Side,
    [upper, lower, end]: readonly ['Shoulder' | 'Hip', 'Elbow' | 'Knee', 'Wrist' | 'Ankle'],
  ) => ({
    side,
    upper: at(`${side}${upper}`),
    lower: at(`${side}${lower}`),
    end: at(`${side}${end}`),
  });
  const arms = (['left', 'right'] as const).map((side) => {
    const arm = limb(side, ['Shoulder', 'Elbow', 'Wrist']);
    return arm.end >= 0 ? arm : { ...arm, end: handOf(bones, arm.lower) };
  });
  const legs = (['left', 'right'] as const).map((side) => limb(side, ['Hip', 'Knee', 'Ankle']));
  const pelvis = commonAncestor(bones, legs[0].upper, legs[1].upper);
  const chest = commonAncestor(bones, arms[0].upper, arms[1].upper);
  const above = chest === pelvis ? [] : [chest, ...ancestorsOf(bones, chest)];
  const spine = above.slice(0, Math.max(0, above.indexOf(pelvis))).reverse();
  const found: [string, number][] = [
    ['hips', pelvis],
    ...spine.map((bone, k): [string, number] => [`spine${k === 0 ? '' : k}`, bone]),
    ['neck', at('neck')],
    ['head', at('head')],
    ...[...arms, ...legs].flatMap(({ side, upper, lower, end }, k): [string, number][] => {
      const [a, b, c] = k < 2 ? ['Shoulder', 'Elbow', 'Wrist'] : ['Hip', 'Knee', 'Ankle'];
      return [
        [side + a, upper],
        [side + b, lower],
        [side + c, end],
      ];
    }),
    ['leftToes', at('leftToes')],
    ['rightToes', at('rightToes')],
  ];
  const isMissing = (place: string) => found.some(([name, bone]) => name === place && bone < 0);
  return {
    by,
    pelvis,
    spine,
    neck: at('neck'),
    head: at('head'),
    arms: [arms[0], arms[1]],
    legs: [legs[0], legs[1]],
    bones: Object.fromEntries(found.filter(([, bone]) => bone >= 0).map(([place, bone]) => [place, bones[bone].name])),
    missing: OPTIONAL.filter(isMissing),
  };
}

/** The child of a forearm that is farthest from it: the palm, where none is called a hand. */
function handOf(bones: readonly Bone[], lower: number): number {
  const apart = (j: number) => [3, 7, 11].reduce((sum, k) => sum + (bones[j].rest[k] - bones[lower].rest[k]) ** 2, 0);
  return childrenOf(bones, lower).reduce((best, j) => (best < 0 || apart(j) > apart(best) ? j : best), -1);
}
