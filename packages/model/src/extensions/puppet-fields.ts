/** The pairs of `PELT_puppet`, and how they are played; docs/extensions describes its arrays. */
import { InputError } from '../errors.ts';
import { type PuppetSettings, type SavedPuppet, validateRegistration } from '../puppet.ts';
import { TRANSFORM_SIZE } from '../rig.ts';
import { PUPPET_EXTENSION } from './names.ts';
import { EXTENSION_VERSION, ExtensionFields, type GltfExtension } from './payload.ts';

/** What a setting may be: one of a few words, or of a type. */
type Rule = readonly string[] | 'number' | 'boolean' | 'names';

const SETTINGS: { readonly [K in keyof Required<PuppetSettings>]: readonly Rule[] } = {
  base: [['auto', 'direct', 'pairs']],
  projection: [['linear', 'positive', 'l1']],
  lambda: ['number'],
  noise: ['number'],
  interpolation: [['kinematic', 'linear']],
  parts: [['whole', 'body', 'limbs']],
  features: [['directions', 'positions']],
  delay: ['number'],
  travel: ['number'],
  turn: ['boolean'],
  contacts: [['auto', 'none'], 'names'],
  loose: ['names'],
};

export function encodePuppet({ pairs: registration, settings }: SavedPuppet): GltfExtension {
  const { name, joints, neutral, pairs } = registration;
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    name: PUPPET_EXTENSION,
    json: {
      version: EXTENSION_VERSION,
      name,
      joints,
      neutral,
      pairs: pairs.map((pair) => pair.name),
      settings: Object.fromEntries(given),
    },
    buffers: {
      performers: Float32Array.from(pairs.flatMap(({ performer }) => [...performer])),
      poses: Float64Array.from(pairs.flatMap(({ character }) => [...character.transforms])),
      ...(pairs.some(({ character }) => character.shape) && {
        shapes: Float64Array.from(pairs.flatMap(({ character }) => [...(character.shape ?? [])])),
      }),
    },
  };
}

/** @param joints  m, of the character */
export function decodePuppet(extension: GltfExtension, joints: number): SavedPuppet {
  const fields = new ExtensionFields(extension);
  const [names, performed] = [fields.names('pairs'), fields.names('joints')];
  const performers = fields.array('performers', Float32Array);
  const poses = fields.array('poses', Float64Array);
  const [p, q] = [3 * performed.length, TRANSFORM_SIZE * joints];
  if (performers.length !== names.length * p || poses.length !== names.length * q) {
    throw new InputError(
      `${PUPPET_EXTENSION}: ${performers.length} and ${poses.length} numbers are not ${names.length} pairs of ` +
        `${performed.length} joints of a performer and ${joints} of the character`,
    );
  }
  const shapes = Object.hasOwn(extension.buffers, 'shapes') ? fields.array('shapes', Float64Array) : undefined;
  const length = (shapes?.length ?? 0) / names.length;
  if (shapes && !(Number.isInteger(length) && length > 0)) {
    throw new InputError(`${PUPPET_EXTENSION}: ${shapes.length} numbers are not shapes of ${names.length} pairs`);
  }
  const pairs = {
    name: typeof fields.json.name === 'string' ? fields.json.name : '',
    joints: performed,
    neutral: fields.count('neutral'),
    pairs: names.map((name, k) => ({
      name,
      performer: performers.slice(k * p, (k + 1) * p),
      character: {
        transforms: poses.slice(k * q, (k + 1) * q),
        ...(shapes && { shape: shapes.slice(k * length, (k + 1) * length) }),
      },
    })),
  };
  validateRegistration(pairs, joints);
  return { pairs, settings: settingsOf(fields.json.settings ?? {}) };
}

/** Settings that are not known belong to a later reader. */
function settingsOf(given: unknown): PuppetSettings {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InputError(`${PUPPET_EXTENSION}: settings must be an object`);
  }
  const known = Object.entries(given).filter(([key]) => Object.hasOwn(SETTINGS, key));
  for (const [key, value] of known) {
    if (SETTINGS[key as keyof PuppetSettings].some((rule) => obeys(value, rule))) continue;
    throw new InputError(
      `${PUPPET_EXTENSION}: settings.${key} is ${JSON.stringify(value)}, which is not one of its values`,
    );
  }
  return Object.fromEntries(known) as PuppetSettings;
}

function obeys(value: unknown, rule: Rule): boolean {
  if (rule === 'names') return Array.isArray(value) && value.every((name) => typeof name === 'string');
  if (rule === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof rule === 'string' ? typeof value === rule : rule.includes(value as string);
}
