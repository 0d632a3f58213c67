/**
 * The file of pairs that a puppet learns from, as JSON:
 *
 * {
 *   "format": "pelt-pairs", "version": 1, "name": "dog",
 *   "neutral": "stand",                                   name of a pair; absent: the first
 *   "motions": { "me": "recording.bvh" },                 files beside this one; may be absent
 *   "pairs": [ {
 *     "name": "stand",
 *     "performer": { "motion": "me", "time": 1.5 },       or without "motion": the one that is played
 *                  { "joints": { "leftWrist": [x, y, z], … } },
 *     "character": { "clip": "Walk", "time": 0.2 },       "keepTravel": true to keep where it has gone
 *                  { "bones": { "tail": { "degrees": [x, y, z], "quaternion": [x, y, z, w],
 *                                         "translation": [x, y, z], "scale": [x, y, z] } } },
 *                  { "transforms": { "hips": [12 numbers], … } },
 *                  { "example": "jump" },               of a character with examples; "rest" is one as well
 *                  { "blend": { "jump": 0.5, … } },
 *                  { "handles": { "120": [x, y, z], … } }   vertices, counted from 0, and where they are dragged to
 *   } ]
 * }
 */
import {
  type CharacterSource,
  InputError,
  type JointChange,
  type PairsDocument,
  type PerformerSource,
  resolveOptions,
  UnsupportedError,
} from '@pelt/model';
import { fileLabel, READ_DEFAULTS, type ReadOptions } from '../read-options.ts';

const FORMAT = 'pelt-pairs';
const VERSION = 1;

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the pairs of poses that a puppet is learnt from.
 *
 * @param bytes  of the JSON file
 * @example
 * {@includeCode ../../examples/pairs.ts}
 */
export function readPairs(bytes: Uint8Array, options?: Partial<ReadOptions>): PairsDocument {
  const { name } = resolveOptions('readPairs', READ_DEFAULTS, options);
  const label = fileLabel('pairs', name);
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new InputError(`${label}: not valid JSON: ${(error as Error).message}`);
  }
  const root = objectAt(parsed, label);
  if (root.format !== FORMAT) throw new InputError(`${label}: "format" is ${show(root.format)}, expected "${FORMAT}"`);
  if (root.version !== VERSION) {
    throw new UnsupportedError(`${label}: version ${show(root.version)} is not known; this program reads ${VERSION}`);
  }
  onlyKeys(root, ['format', 'version', 'name', 'neutral', 'motions', 'pairs'], label);
  if (!Array.isArray(root.pairs) || root.pairs.length === 0)
    throw new InputError(`${label}: "pairs" is no list of pairs`);
  const pairs = root.pairs.map((pair: unknown, k) => readPair(pair, `${label}: pairs[${k}]`));
  const motions = Object.entries(objectAt(root.motions ?? {}, `${label}: motions`)).map(
    ([key, file]) => [key, textAt(file, `${label}: motions.${key}`)] as const,
  );
  return {
    name: root.name === undefined ? '' : textAt(root.name, `${label}: name`),
    neutral: root.neutral === undefined ? pairs[0].name : textAt(root.neutral, `${label}: neutral`),
    motions: Object.fromEntries(motions),
    pairs,
  };
}

/**
 * Writes the pairs of poses that a puppet is learnt from as JSON.
 * @example
 * {@includeCode ../../examples/pairs.ts}
 */
export function writePairs(document: PairsDocument): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify({ format: FORMAT, version: VERSION, ...document }, undefined, 2);
  // Lists of numbers on one line: a file that people edit.
  const compact = text.replace(
    /\[\s+([-\d.e+,\s]+?)\s+\]/g,
    (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`,
  );
  return new TextEncoder().encode(`${compact}\n`);
}

function readPair(value: unknown, where: string): PairsDocument['pairs'][number] {
  const pair = objectAt(value, where);
  onlyKeys(pair, ['name', 'performer', 'character'], where);
  return {
    name: textAt(pair.name, `${where}.name`),
    performer: readPerformer(objectAt(pair.performer, `${where}.performer`), `${where}.performer`),
    character: readCharacter(objectAt(pair.character, `${where}.character`), `${where}.character`),
  };
}

function readPerformer(source: Json, where: string): PerformerSource {
  if (source.joints !== undefined) {
    onlyKeys(source, ['joints'], where);
    const joints = Object.entries(objectAt(source.joints, `${where}.joints`));
    return { joints: Object.fromEntries(joints.map(([key, at]) => [key, vectorAt(at, `${where}.joints.${key}`)])) };
  }
  onlyKeys(source, ['motion', 'time'], where);
  const time = numberAt(source.time, `${where}.time`);
  return source.motion === undefined ? { time } : { motion: textAt(source.motion, `${where}.motion`), time };
}

function readCharacter(source: Json, where: string): CharacterSource {
  if (source.bones !== undefined) {
    onlyKeys(source, ['bones'], where);
    const bones = Object.entries(objectAt(source.bones, `${where}.bones`));
    return {
      bones: Object.fromEntries(bones.map(([key, change]) => [key, readChange(change, `${where}.bones.${key}`)])),
    };
  }
  if (source.transforms !== undefined) {
    onlyKeys(source, ['transforms'], where);
    const transforms = Object.entries(objectAt(source.transforms, `${where}.transforms`));
    return {
      transforms: Object.fromEntries(
        transforms.map(([key, list]) => [key, listAt(list, 12, `${where}.transforms.${key}`)]),
      ),
    };
  }
  if (source.example !== undefined) {
    onlyKeys(source, ['example'], where);
    return { example: textAt(source.example, `${where}.example`) };
  }
  if (source.blend !== undefined) {
    onlyKeys(source, ['blend'], where);
    const shares = Object.entries(objectAt(source.blend, `${where}.blend`));
    return { blend: Object.fromEntries(shares.map(([key, share]) => [key, numberAt(share, `${where}.blend.${key}`)])) };
  }
  if (source.handles !== undefined) {
    onlyKeys(source, ['handles'], where);
    return { handles: handlesAt(source.handles, `${where}.handles`) };
  }
  onlyKeys(source, ['clip', 'time', 'keepTravel'], where);
  const clip = textAt(source.clip, `${where}.clip`);
  const time = numberAt(source.time, `${where}.time`);
  if (source.keepTravel === undefined) return { clip, time };
  if (typeof source.keepTravel !== 'boolean') throw wrong(`${where}.keepTravel`, source.keepTravel, 'true or false');
  return { clip, time, keepTravel: source.keepTravel };
}

/** Vertices by number, each with a place. */
function handlesAt(value: unknown, where: string): Record<string, readonly [number, number, number]> {
  const places = Object.entries(objectAt(value, where));
  if (places.length === 0) throw wrong(where, value, 'a place for at least one vertex');
  for (const [key] of places) {
    if (!/^\d+$/.test(key)) throw new InputError(`${where}: '${key}' is not the number of a vertex`);
  }
  return Object.fromEntries(places.map(([key, place]) => [key, vectorAt(place, `${where}.${key}`)]));
}

function readChange(value: unknown, where: string): JointChange {
  const change = objectAt(value, where);
  onlyKeys(change, ['degrees', 'quaternion', 'translation', 'scale'], where);
  if (change.degrees !== undefined && change.quaternion !== undefined) {
    throw new InputError(`${where}: "degrees" and "quaternion" say the same; leave one out`);
  }
  const vector = (key: string) => change[key] !== undefined && { [key]: vectorAt(change[key], `${where}.${key}`) };
  if (change.quaternion === undefined) return { ...vector('degrees'), ...vector('translation'), ...vector('scale') };
  const [x, y, z, w] = listAt(change.quaternion, 4, `${where}.quaternion`);
  if (Math.hypot(x, y, z, w) === 0) throw wrong(`${where}.quaternion`, change.quaternion, 'a rotation');
  return { quaternion: [x, y, z, w], ...vector('translation'), ...vector('scale') };
}

function objectAt(value: unknown, where: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where, value, 'an object');
  return value as Json;
}

function textAt(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(where, value, 'a name');
  return value;
}

function numberAt(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(where, value, 'a number');
  return value;
}

function listAt(value: unknown, length: number, where: string): number[] {
  if (!Array.isArray(value) || value.length !== length || !value.every(Number.isFinite)) {
    throw wrong(where, value, `a list of ${length} numbers`);
  }
  return value as number[];
}

function vectorAt(value: unknown, where: string): readonly [number, number, number] {
  const [x, y, z] = listAt(value, 3, where);
  return [x, y, z];
}

function onlyKeys(object: Json, keys: readonly string[], where: string): void {
  const unknown = Object.keys(object).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new InputError(`${where}: unknown key "${unknown}"; it takes ${keys.join(', ')}`);
}

function wrong(where: string, value: unknown, expected: string): InputError {
  return new InputError(`${where} is ${show(value)}, expected ${expected}`);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
