/** Pairs of poses as a document: made, renamed, paired anew. Nothing in it is changed in place. */
import type { PairsDocument } from '@pelt/model';

export type PosePairSource = PairsDocument['pairs'][number];

const NEUTRAL = 'neutral';

export const NO_PAIRS: PairsDocument = { name: 'made in the studio', neutral: NEUTRAL, motions: {}, pairs: [] };

/** A name that no pair has. */
export function freePairName({ pairs }: PairsDocument): string {
  if (pairs.length === 0) return NEUTRAL;
  const taken = new Set(pairs.map(({ name }) => name));
  for (let k = pairs.length; ; k++) if (!taken.has(`pose ${k}`)) return `pose ${k}`;
}

/** A document with a pair, in place of one of the same name; the first one is neutral. */
export function withPair(document: PairsDocument, pair: PosePairSource): PairsDocument {
  const known = document.pairs.some(({ name }) => name === pair.name);
  const pairs = known
    ? document.pairs.map((other) => (other.name === pair.name ? pair : other))
    : [...document.pairs, pair];
  return {
    ...document,
    pairs,
    neutral: pairs.some(({ name }) => name === document.neutral) ? document.neutral : pairs[0].name,
  };
}

/** Undefined where no pair is left. */
export function withoutPair(document: PairsDocument, name: string): PairsDocument | undefined {
  const pairs = document.pairs.filter((pair) => pair.name !== name);
  const [first] = pairs;
  if (!first) return undefined;
  return { ...document, pairs, neutral: document.neutral === name ? first.name : document.neutral };
}

/** A pair by another name; the same document where that is empty or another pair's. */
export function renamedPair(document: PairsDocument, name: string, wanted: string): PairsDocument {
  const next = wanted.trim();
  if (next === '' || document.pairs.some((pair) => pair.name === next)) return document;
  return {
    ...document,
    neutral: document.neutral === name ? next : document.neutral,
    pairs: document.pairs.map((pair) => (pair.name === name ? { ...pair, name: next } : pair)),
  };
}

/** The character's poses of two pairs change places: each goes with the performer of the other. */
export function exchangedPoses(document: PairsDocument, one: string, other: string): PairsDocument {
  const of = (name: string) => document.pairs.find((pair) => pair.name === name);
  const [a, b] = [of(one), of(other)];
  if (!a || !b) return document;
  const pairs = document.pairs.map((pair) => {
    if (pair === a) return { ...pair, character: b.character };
    return pair === b ? { ...pair, character: a.character } : pair;
  });
  return { ...document, pairs };
}

/** Suggested key poses beside the pairs that there are: those near to one that is there are left out. */
export function withSuggested(document: PairsDocument, suggested: PairsDocument, near: number): PairsDocument {
  const timeOf = ({ performer }: PosePairSource) => ('time' in performer ? performer.time : Number.NaN);
  let now = document;
  for (const pair of suggested.pairs) {
    const isThere = now.pairs.some((other) => Math.abs(timeOf(other) - timeOf(pair)) < near);
    if (!isThere) now = withPair(now, { ...pair, name: freePairName(now) });
  }
  return now;
}

/** What the character's side of a pair is, in a few words. */
export function spokenPose({ character }: PosePairSource): string {
  if ('clip' in character) return `${character.clip}, ${character.time.toFixed(2)} s`;
  if ('bones' in character) return Object.keys(character.bones).length === 0 ? 'rest pose' : 'joints turned';
  if ('handles' in character) return 'skin dragged';
  if ('example' in character) return character.example;
  return 'blend' in character ? 'examples blended' : 'posed here';
}
