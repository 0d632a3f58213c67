/**
 * Finds fingers by the names of joints, in the vocabularies of VRM (`leftIndexProximal`), Mixamo (`LeftHandIndex1`), Unreal
 * (`index_01_l`), Rigify (`f_index.01.L`), Biped and DAZ (`lIndex1`), whatever their case, prefixes and separators.
 */
import type { Side } from './bones-by-name.ts';

export const FINGERS = ['thumb', 'index', 'middle', 'ring', 'little'] as const;
export type Finger = (typeof FINGERS)[number];

const WORDS: Readonly<Record<Finger, RegExp>> = {
  thumb: /thumb/,
  index: /index|pointer/,
  middle: /middle|mid(?=[^a-z]|$)/,
  ring: /ring(?=[^a-z]|$|proximal|intermediate|distal|finger)/,
  little: /little|pinky|pinkie/,
};
/** Names of the bones of a finger in order; a thumb has a metacarpal, and no other finger's moves. */
const PHALANGES = ['metacarpal', 'proximal', 'intermediate', 'distal', 'tip'];

/** Joints of one finger, from the knuckle on: indices into the names. */
export interface FingerChain {
  readonly side: Side;
  readonly finger: Finger;
  readonly joints: readonly number[];
}

/**
 * The fingers among joints, by their names.
 *
 * @param names  of all joints
 * @returns chains of two joints and more
 *
 * @example
 * {@includeCode ../../../../examples/find-fingers.ts}
 */
export function findFingers(names: readonly string[]): FingerChain[] {
  const parts = names.map(readName);
  const chains: FingerChain[] = [];
  for (const side of ['left', 'right'] as const) {
    for (const finger of FINGERS) {
      const own = parts.flatMap((part, joint) =>
        part?.side === side && part.finger === finger ? [{ ...part, joint }] : [],
      );
      // A point that bears the name of a finger alone, as trackers of bodies have, is none of its bones.
      const found = (own.some(({ placed }) => placed) ? own.filter(({ placed }) => placed) : own).sort(
        (a, b) => a.rank - b.rank || a.joint - b.joint,
      );
      // Readers call the first knuckle that a file has the hand.
      const hand = names.indexOf(`${side}Hand`);
      const lacksFirst = finger === 'index' && found.length > 0 && found[0].rank === 2 && hand >= 0;
      const joints = [...(lacksFirst ? [hand] : []), ...found.map(({ joint }) => joint)];
      if (joints.length > 1) chains.push({ side, finger, joints });
    }
  }
  return chains;
}

interface FingerName {
  readonly side: Side;
  readonly finger: Finger;
  /** Place along the finger; and whether the name says it. */
  readonly rank: number;
  readonly placed: boolean;
}

function readName(name: string): FingerName | undefined {
  const plain = name
    .slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  const finger = FINGERS.find((word) => WORDS[word].test(plain));
  if (!finger) return undefined;
  const side = /(^| )(l|left)( |$)|left/.test(plain)
    ? 'left'
    : /(^| )(r|right)( |$)|right/.test(plain)
      ? 'right'
      : undefined;
  if (!side) return undefined;
  const isTip = /\b(tip|end|nub)\b/.test(plain);
  const number = /(\d+)(?!.*\d)/.exec(plain);
  const bone = PHALANGES.findIndex((word) => plain.includes(word));
  // Numbers count from 1, as the bones do after the metacarpal; that of a finger stays in the palm.
  const rank = bone >= 0 && bone < 4 ? bone : number ? Number(number[1]) : isTip ? 4 : 1;
  if (rank === 0 && finger !== 'thumb') return undefined;
  return { side, finger, rank: rank + (isTip ? 0.5 : 0), placed: bone >= 0 || number !== null || isTip };
}
