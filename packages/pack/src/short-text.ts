/**
 * Text of nodes and materials in few characters, for it is a large part of a packed file: numbers in the digits that
 * count, and nothing that a reader assumes anyway.
 */
import { isObject, type JsonObject } from '@pelt/io/internal';

/** Of nodes: what is below is a tenth of an error that cannot be seen. */
const DIGITS = 5;
const NONE: Readonly<Record<string, readonly number[]>> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};

export function shortNode(node: JsonObject): JsonObject {
  const out = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    const none = NONE[key];
    if (key === 'matrix' && Array.isArray(value)) return [[key, shortMatrix(value as number[])]];
    if (!none || !Array.isArray(value)) return key === 'extras' && isEmpty(value) ? [] : [[key, value]];
    const short = rounded(value as number[]);
    return short.every((number, k) => number === none[k]) ? [] : [[key, short]];
  });
  return Object.fromEntries(out);
}

/** Linear part and translation apart, for they have nothing to do with each other. */
function shortMatrix(values: readonly number[]): number[] {
  const linear = rounded(values.map((value, k) => (k < 12 && k % 4 < 3 ? value : 0)));
  const shift = rounded(values.map((value, k) => (k >= 12 && k < 15 ? value : 0)));
  return values.map((value, k) => (k % 4 === 3 ? value : k < 12 ? linear[k] : shift[k]));
}

/** To digits below the largest of the numbers. */
function rounded(values: readonly number[]): number[] {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  if (most === 0) return [...values];
  let top = 0;
  while (10 ** top < most) top++;
  while (10 ** (top - 1) >= most) top--;
  const unit = 10 ** (DIGITS - top);
  return values.map((value) => {
    const steps = Math.round(value * unit);
    return steps === 0 ? 0 : Number((steps / unit).toPrecision(DIGITS));
  });
}

const COLOUR_DIGITS = 5;
const MATERIAL_DEFAULTS: Readonly<Record<string, unknown>> = {
  emissiveFactor: [0, 0, 0],
  alphaMode: 'OPAQUE',
  doubleSided: false,
  baseColorFactor: [1, 1, 1, 1],
  metallicFactor: 1,
  roughnessFactor: 1,
  texCoord: 0,
  scale: 1,
  strength: 1,
};
/** Objects of a material whose defaults are those of the core format. */
const CORE = /^(pbrMetallicRoughness|.*Texture)$/;

/** The defaults of extensions are their own: their numbers are shortened, but stay. */
export function shortMaterial(material: JsonObject, core = true): JsonObject {
  return Object.fromEntries(
    Object.entries(material).flatMap(([key, value]): [string, unknown][] => {
      if (key === 'extras' || key === 'name') return [[key, value]];
      if (core && JSON.stringify(MATERIAL_DEFAULTS[key]) === JSON.stringify(value)) return [];
      if (typeof value === 'number') return [[key, Number(value.toPrecision(COLOUR_DIGITS))]];
      if (Array.isArray(value)) {
        return [[key, value.map((n) => (typeof n === 'number' ? Number(n.toPrecision(COLOUR_DIGITS)) : n))]];
      }
      return [[key, isObject(value) ? shortMaterial(value, core && CORE.test(key)) : value]];
    }),
  );
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
