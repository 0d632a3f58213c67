// @ts-check
/**
 * The controls of the add-on, from the option tables of the commands: type, range, default, choices and help. What is said
 * here is only which options an operation shows, and in which order. `npm run build` writes them to `pelt/options.json`,
 * from which `operations.py` makes properties; a test compares the two.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestJsonSchema } from '@pelt/jobs';
import { COMMANDS } from '@pelt/jobs/commands';

const FILE = join(import.meta.dirname, 'pelt/options.json');
/** The largest that a property of Blender can be, and the least above 0 that a user can see. */
const [MOST, LEAST] = [2 ** 31 - 1, 1e-4];

/** @type {Readonly<Record<string, { command: import('@pelt/jobs/commands').CommandName, options: readonly string[] }>>} */
const OPERATIONS = {
  fit_bones: {
    command: 'fit',
    options: ['bones', 'maxError', 'method', 'weights', 'smooth', 'islandPrice', 'start', 'restPose'],
  },
  fit_skeleton: { command: 'skeleton', options: ['bones', 'method', 'weights', 'symmetry', 'names', 'keepRest'] },
  reduce: { command: 'reduce', options: ['weights', 'bones', 'method', 'keepBones', 'refitBones'] },
  learn_skin: { command: 'envelope', options: ['proxies', 'weights'] },
  volume: {
    command: 'volume',
    options: ['bones', 'weights', 'method', 'volumeWeight', 'bending', 'rotationWeight', 'spacing', 'grading'],
  },
};

/**
 * @typedef {object} Control
 * @property {string} option  its key in a request
 * @property {string} property  its name in Blender
 * @property {string} name
 * @property {string} description
 * @property {'int' | 'float' | 'bool' | 'enum'} type
 * @property {number | boolean | string} default
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [soft_min]
 * @property {number} [soft_max]
 * @property {string} [zero]  what 0 stands for in a request; `` leaves the option out
 * @property {readonly (readonly [string, string])[]} [items]  values and words
 * @property {{ property: string, values: readonly string[] }} [only]  where it has an effect
 */

/** @returns {Promise<Record<string, readonly Control[]>>} by operation */
export async function addonOptions() {
  /** @type {Record<string, readonly Control[]>} */
  const found = {};
  for (const [name, { command, options }] of Object.entries(OPERATIONS)) {
    const { options: table } = await COMMANDS[command].table();
    const schema = /** @type {any} */ (await requestJsonSchema(command)).properties.options.properties;
    found[name] = options.map((key) => {
      const { only, ...control } = controlOf(key, /** @type {any} */ (table)[key], schema[key]);
      // Of an option that is not shown the default counts, with which all that is shown has an effect.
      return only && options.some((other) => snake(other) === only.property) ? { ...control, only } : control;
    });
  }
  return found;
}

/** @returns {Control} */
function controlOf(/** @type {string} */ key, /** @type {any} */ option, /** @type {any} */ schema) {
  const { kind, help, slider, only } = option;
  const shown = {
    option: key,
    property: snake(key),
    name: title(snake(key).replaceAll('_', ' ')),
    description: title(plain(help)),
    ...(only && { only: { property: snake(only.option), values: only.values } }),
  };
  if (kind.choices) {
    const items = kind.choices.map((/** @type {string} */ value) => [
      value,
      kind.words?.[value] ?? title(value.replaceAll('-', ' ')),
    ]);
    return { ...shown, type: 'enum', default: option.default, items };
  }
  if (schema.type === 'boolean') return { ...shown, type: 'bool', default: option.default };
  const members = schema.anyOf ?? [schema];
  const number = members.find((/** @type {any} */ one) => one.type === 'integer' || one.type === 'number');
  if (!number) throw new Error(`blender: '${key}' has no control; it is ${kind.is}`);
  const word = members.find((/** @type {any} */ one) => one.const)?.const;
  const given = option.default ?? Number(option.otherwise ?? Number.NaN);
  const standard = Number.isFinite(given) ? given : 0;
  const least = number.minimum ?? number.exclusiveMinimum;
  // Blender's numbers cannot be empty: where 0 is no value of the option, it stands for none.
  const optional = word !== undefined || option.default === undefined || standard === 0;
  const zero = least > 0 || number.exclusiveMinimum === 0 ? (word ?? '') : undefined;
  return {
    ...shown,
    description: `${shown.description}${optional && zero !== undefined ? `; 0 for ${word ?? 'the default'}` : ''}`,
    type: number.type === 'integer' ? 'int' : 'float',
    default: standard,
    min: optional && zero !== undefined ? 0 : number.minimum === undefined ? LEAST : least,
    max: Math.min(number.maximum ?? MOST, MOST),
    ...(slider && { soft_min: slider.from, soft_max: slider.to }),
    ...(optional && zero !== undefined && { zero }),
  };
}

function snake(/** @type {string} */ key) {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Other options by the names of their controls. */
function plain(/** @type {string} */ help) {
  return help.replace(/--([a-z][a-z-]*)/g, (_, word) => title(word.replaceAll('-', ' ')));
}

function title(/** @type {string} */ text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url))
  writeFileSync(FILE, `${JSON.stringify(await addonOptions(), undefined, 2)}\n`);
