/**
 * Structure-aware mutations: a change lands on what a format is made of (numbers, words and lines of a text, fields of a
 * binary file, places in a JSON value), so that most mutants get past the first check of a reader.
 */
import type { Random } from '@pelt/math';

export type Mutate = (random: Random) => Uint8Array;

const NUMBERS = ['0', '-1', '1', '2', '65535', '2147483648', '4294967295', '1e39', '-1e308', 'nan', 'inf', '', '0.5'];
const MOST_CHANGES = 4;

const below = (random: Random, count: number) => random.bits() % Math.max(count, 1);
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)];

/** One to four changes of words, numbers and lines. */
export function mutateText(text: string): Mutate {
  return (random) => {
    // Blanks and words in turn, so that line ends are words of their own.
    let tokens = text.split(/(\s+|[^\s,:{}[\]/]+)/).filter((token) => token !== '');
    for (let k = 1 + below(random, MOST_CHANGES); k > 0; k--) tokens = changeTokens(tokens, random);
    return new TextEncoder().encode(tokens.join(''));
  };
}

function changeTokens(tokens: string[], random: Random): string[] {
  const at = below(random, tokens.length);
  const to = Math.min(tokens.length, at + 1 + below(random, 12));
  const changed = tokens.slice();
  switch (below(random, 7)) {
    case 0:
      changed.splice(at, to - at);
      break;
    case 1:
      changed.splice(at, 0, ...tokens.slice(at, to));
      break;
    case 2:
      changed[at] = pick(random, tokens);
      break;
    case 3:
      changed.splice(below(random, tokens.length), 0, ...tokens.slice(at, to));
      break;
    case 4:
      return tokens.slice(0, at);
    default: {
      const numbers = tokens.flatMap((token, k) => (/^[-+.\d]/.test(token) ? [k] : []));
      if (numbers.length > 0) changed[pick(random, numbers)] = pick(random, NUMBERS);
    }
  }
  return changed;
}

/** One to four changes of 8-, 16-, 32- or 64-bit fields, spans or the length. */
export function mutateBinary(bytes: Uint8Array): Mutate {
  return (random) => {
    let changed: Uint8Array = bytes.slice();
    for (let k = 1 + below(random, MOST_CHANGES); k > 0; k--) changed = changeBytes(changed, random);
    return changed;
  };
}

const FIELD_BYTES = [1, 2, 4, 8];
const FIELDS = [
  0n,
  1n,
  2n,
  0x7fn,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fffffffn,
  0x80000000n,
  0xffffffffn,
  2n ** 63n,
  2n ** 64n - 1n,
];

function changeBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const at = below(random, bytes.length);
  const to = Math.min(bytes.length, at + 1 + below(random, 32));
  switch (below(random, 6)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(to)]);
    case 2:
      return Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(at)]);
    default: {
      const size = pick(random, FIELD_BYTES);
      const value = below(random, 2) === 0 ? pick(random, FIELDS) : BigInt(random.bits());
      const start = at - (at % size);
      const bigEndian = below(random, 2) === 1;
      for (let k = 0; k < size && start + k < bytes.length; k++) {
        bytes[start + k] = Number((value >> BigInt(8 * (bigEndian ? size - 1 - k : k))) & 255n);
      }
      return bytes;
    }
  }
}

const VALUES: readonly unknown[] = [
  undefined,
  null,
  -1,
  0,
  0.5,
  1,
  3,
  255,
  65535,
  2 ** 31,
  2 ** 53,
  1e300,
  '',
  'x',
  true,
  [],
  {},
];

/** One to four places of a JSON value deleted, replaced or exchanged; a mutant is built from it by the caller. */
export function mutateJson(json: unknown, build: (json: unknown) => Uint8Array): Mutate {
  return (random) => {
    const copy = structuredClone(json) as Place;
    const places: [Place, string][] = [];
    collect(copy, places);
    for (let k = 1 + below(random, MOST_CHANGES); k > 0; k--) {
      const [owner, key] = pick(random, places);
      const [other, otherKey] = pick(random, places);
      const value = below(random, 3) === 0 ? structuredClone(other[otherKey]) : pick(random, VALUES);
      if (value === undefined) delete owner[key];
      else owner[key] = value;
      if (Array.isArray(owner) && below(random, 4) === 0) owner.push(structuredClone(owner[0]));
    }
    return build(copy);
  };
}

type Place = Record<string, unknown>;

function collect(value: unknown, places: [Place, string][]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    places.push([value as Place, key]);
    collect((value as Place)[key], places);
  }
}
