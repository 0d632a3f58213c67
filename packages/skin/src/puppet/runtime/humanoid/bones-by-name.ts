/**
 * Finds the limbs, neck and head of a skeleton by the names of its bones, in the vocabularies of Mixamo, VRM, capture
 * files (CMU), Unreal, Rigify, Biped and DAZ. Case, prefixes, separators and numbers do not matter; the side is a word
 * (`Left`) or a letter of its own (`_l`, `.R`).
 *
 * The same word can mean two joints: a `LeftShoulder` beside a `LeftArm` is the collar, alone it is the shoulder, so that
 * each place takes the first of its words that occurs and is not yet taken.
 */
import type { Bone } from '@pelt/model';

/** Places on a side of the body, in the order in which they choose, with their words, best first. */
const SIDE_WORDS = [
  ['Hip', ['upperleg', 'upleg', 'thigh', 'femur', 'hip', 'leg']],
  ['Knee', ['lowerleg', 'lowleg', 'shin', 'calf', 'knee', 'tibia', 'leg']],
  ['Ankle', ['foot', 'ankle']],
  ['Toes', ['toebase', 'toes', 'toe', 'ball']],
  ['Shoulder', ['upperarm', 'uparm', 'shldr', 'humerus', 'arm', 'shoulder']],
  ['Elbow', ['forearm', 'lowerarm', 'lowarm', 'elbow', 'radius', 'arm']],
  ['Wrist', ['wrist', 'hand']],
] as const;

/** Longest first, so that `forearm` is not read as `arm`. */
const WORDS = [...new Set<string>(SIDE_WORDS.flatMap(([, words]) => words))].sort((a, b) => b.length - a.length);

/** Bones that serve other bones: they bear the name of a joint, but are not at its place. */
const HELPERS = new Set(
  'twist roll end nub tip ik fk pole target ctrl control helper share corrective top site mch socket'.split(' '),
);
/** Words that say nothing about the place. */
const FILLERS = new Set('joint jnt bone bend'.split(' '));

export type Side = 'left' | 'right';
export type SidePlace = (typeof SIDE_WORDS)[number][0];
export type NamedPlace = 'neck' | 'head' | `${Side}${SidePlace}`;

/** The names of VRM for the places on a side. */
const VRM_PLACES: Readonly<Record<SidePlace, string>> = {
  Hip: 'UpperLeg',
  Knee: 'LowerLeg',
  Ankle: 'Foot',
  Toes: 'Toes',
  Shoulder: 'UpperArm',
  Elbow: 'LowerArm',
  Wrist: 'Hand',
};

/** Indices of bones by the places that their file gives them; empty where it does not. */
function bonesByPlace(bones: readonly Bone[]): Map<NamedPlace, number> {
  const found = new Map<NamedPlace, number>();
  const add = (place: NamedPlace, name: string) => {
    const at = bones.findIndex((bone) => bone.place === name);
    if (at >= 0) found.set(place, at);
  };
  for (const side of ['left', 'right'] as const) {
    for (const [place] of SIDE_WORDS) add(`${side}${place}`, side + VRM_PLACES[place]);
  }
  for (const place of ['neck', 'head'] as const) add(place, place);
  return found;
}

/** Indices of bones by place; of several with the same name the first, which is the nearest to the root. */
export function bonesByName(bones: readonly Bone[]): Map<NamedPlace, number> {
  const given = bonesByPlace(bones);
  if (given.size > 0) return given;
  const names = bones.map(({ name }) => readName(name));
  const found = new Map<NamedPlace, number>();
  for (const side of ['left', 'right'] as const) {
    const words = names.map((name) =>
      name.side === side ? WORDS.find((word) => name.word.endsWith(word)) : undefined,
    );
    const taken = new Set<number>();
    for (const [place, candidates] of SIDE_WORDS) {
      const at = candidates
        .map((candidate) => words.findIndex((word, j) => word === candidate && !taken.has(j)))
        .find((j) => j >= 0);
      if (at === undefined) continue;
      taken.add(at);
      found.set(`${side}${place}`, at);
    }
  }
  for (const place of ['neck', 'head'] as const) {
    const at = names.findIndex(({ side, word }) => side === undefined && word.endsWith(place));
    if (at >= 0) found.set(place, at);
  }
  return found;
}

/** `mixamorig:LeftArm`, `DEF-upper_arm.L`, `J_Bip_L_UpperArm` → the side, and a word that ends in `arm`. */
function readName(name: string): { readonly side: Side | undefined; readonly word: string } {
  const tokens = name
    .slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/(left|right)/g, ' $1 ')
    .split(/[^a-z]+/)
    .filter((token) => token !== '' && !FILLERS.has(token));
  if (tokens.some((token) => HELPERS.has(token))) return { side: undefined, word: '' };
  const isSide = (token: string) => /^(l|r|left|right)$/.test(token);
  const side = tokens.find(isSide);
  return {
    side: side === undefined ? undefined : side.startsWith('l') ? 'left' : 'right',
    word: tokens.filter((token) => !isSide(token)).join(''),
  };
}
