/**
 * What the value of an option can be. A kind describes itself to each of its readers: a schema to programs, which gives
 * the TypeScript type and the JSON Schema too, the end of a sentence to people, and the way from a word to a command line.
 *
 * Nothing is loaded here. The schema library is handed in by those who check a request, for a command line that only
 * prints help should not wait for it.
 */
import type { ZodMiniType } from 'zod/mini';
import type { PARTS } from './schema-parts.ts';

export interface Kind<T> {
  /** What stands for a value in the help: `<n>`. */
  readonly value: string;
  /** The end of "it must be …". */
  readonly is: string;
  /** Where it is one of a few words. */
  readonly choices?: readonly string[];
  /** What forms show for them, where that is something else. */
  readonly words?: Readonly<Record<string, string>>;
  schema(z: typeof PARTS): ZodMiniType<T>;
  /**
   * The value of a word on a command line; absent: the word itself. A word that makes no sense is given back as it is,
   * so that the schema refuses it by what was typed.
   */
  readonly read?: (word: string) => unknown;
  /** Whether a command line gives several values: behind one flag, or by repeating it. */
  readonly many?: 'words' | 'flags';
  /** The files that a value names, for reading or for writing. */
  reads?(value: T): readonly string[];
  writes?(value: T): readonly string[];
}

export const flag: Kind<boolean> = { value: '', is: 'true or false', schema: (z) => z.boolean() };

export const text: Kind<string> = {
  value: 'name',
  is: 'a text that is not empty',
  schema: (z) => z.string().check(z.minLength(1)),
};

/** The path of a file, or of a folder of files, that is read. */
export const inputFile: Kind<string> = { ...text, value: 'file', is: 'the path of a file', reads: (path) => [path] };

/** @param extensions  what the name of a file that is written must end in, in any case; none: anything */
export function outputFile(...extensions: readonly string[]): Kind<string> {
  const endings = extensions.map((word) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));
  const form = extensions.length === 0 ? /./ : new RegExp(`\\.(${endings.join('|')})$`);
  return {
    value: 'file',
    is: extensions.length === 0 ? 'a path' : `a path that ends in ${listed(extensions.map((word) => `.${word}`))}`,
    schema: (z) => z.string().check(z.regex(form)),
    writes: (path) => [path],
  };
}

export const inputFiles: Kind<string[]> = {
  value: 'file...',
  is: 'a list of paths of files',
  many: 'words',
  schema: (z) => z.array(text.schema(z)).check(z.minLength(1)),
  reads: (paths) => paths,
};

export function whole(from: number, to?: number): Kind<number> {
  return {
    value: 'n',
    is: to === undefined ? `a whole number from ${from}` : `a whole number from ${from} to ${to}`,
    schema: (z) => (to === undefined ? z.int().check(z.gte(from)) : z.int().check(z.gte(from), z.lte(to))),
    read: numberIn,
  };
}

/** The largest number of joints that a glTF can name by 16 bits. */
const MOST_BONES = 65_535;

/** A number of bones. */
export function boneCount(from = 1): Kind<number> {
  return whole(from, MOST_BONES);
}

export const positive: Kind<number> = {
  value: 'x',
  is: 'a number above 0',
  schema: (z) => z.number().check(z.gt(0)),
  read: numberIn,
};

export const nonNegative: Kind<number> = {
  value: 'x',
  is: 'a number from 0',
  schema: (z) => z.number().check(z.gte(0)),
  read: numberIn,
};

/** A number of a range. */
export function between(from: number, to: number): Kind<number> {
  return {
    value: 'x',
    is: `a number from ${from} to ${to}`,
    schema: (z) => z.number().check(z.gte(from), z.lte(to)),
    read: numberIn,
  };
}

/** @param words  what forms show for the values; absent: the values themselves */
export function choice<const V extends string>(
  values: readonly V[],
  words?: Readonly<Partial<Record<V, string>>>,
): Kind<V> {
  const shown = words && { words: words as Readonly<Record<string, string>> };
  return { value: 'name', is: listed(values), choices: values, ...shown, schema: (z) => z.enum(values) };
}

/** A word with a meaning of its own in place of a value. */
export function wordOr<const W extends string, T>(word: W, other: Kind<T>): Kind<W | T> {
  return {
    value: other.value,
    is: `${other.is}, or '${word}'`,
    schema: (z) => z.union([z.literal(word), other.schema(z)]),
    read: (given) => (given === word ? given : (other.read?.(given) ?? given)),
    reads: (value) => (value === word ? [] : (other.reads?.(value as T) ?? [])),
  };
}

/** Several values with commas between. */
export function list<T>(item: Kind<T>): Kind<T[]> {
  return {
    value: item.choices ? 'names' : `${item.value},${item.value}`,
    is: item.choices
      ? `some of ${item.choices.join(', ')}, with commas between`
      : `${item.is}, or several with commas between`,
    schema: (z) => z.array(item.schema(z)).check(z.minLength(1)),
    read: (word) => word.split(',').map((one) => item.read?.(one.trim()) ?? one.trim()),
  };
}

/** Numbers of frames, from 1. */
export const frames: Kind<number[] | 'all'> = wordOr('all', {
  value: 'frames',
  is: 'frame numbers from 1, as 1,12,24',
  schema: (z) => z.array(z.int().check(z.gte(1))).check(z.minLength(1)),
  read: (word) => word.split(',').map(numberIn),
});

export const names: Kind<string[]> = {
  value: 'names',
  is: 'names with commas between',
  schema: (z) => z.array(text.schema(z)),
  read: (word) => word.split(',').flatMap((name) => name.trim() || []),
};

export function numberIn(word: string): number | string {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(word) ? Number(word) : word;
}

/** Largest float32: positions are stored as such, and a larger number would become infinite. */
export const MAX_COORDINATE = 3.4028234663852886e38;

/** A point, whose coordinates a float32 can hold. */
export function pointSchema(z: Pick<typeof PARTS, 'number' | 'gte' | 'lte' | 'tuple'>) {
  const coordinate = z.number().check(z.gte(-MAX_COORDINATE), z.lte(MAX_COORDINATE));
  return z.tuple([coordinate, coordinate, coordinate]);
}

/** A, b or c. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}
