import { InputError } from '@pelt/model';

/**
 * A glTF's JSON may hold anything. These functions take one property each out of it, with the type that the format
 * promises, or throw an `InputError` that names the place: `accessors[3].count is -1, …`.
 */
export interface JsonObject {
  readonly [key: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A child object; an absent one is empty, where the format lets it be absent. */
export function childOf(parent: JsonObject, key: string, path: string): JsonObject {
  const value = own(parent, key);
  if (value === undefined) return {};
  if (!isObject(value)) throw wrong(`${path}.${key}`, value, 'an object');
  return value;
}

/** A list of objects; an absent one is empty. */
export function objectsOf(parent: JsonObject, key: string, path = ''): readonly JsonObject[] {
  const value = own(parent, key);
  const where = path ? `${path}.${key}` : key;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong(where, value, 'a list');
  value.forEach((item, k) => {
    if (!isObject(item)) throw wrong(`${where}[${k}]`, item, 'an object');
  });
  return value as JsonObject[];
}

export function textOf(parent: JsonObject, key: string): string {
  const value = own(parent, key);
  return typeof value === 'string' ? value : '';
}

export function flagOf(parent: JsonObject, key: string): boolean {
  return own(parent, key) === true;
}

/** A whole number from 0: counts, sizes, offsets. */
export function countOf(parent: JsonObject, key: string, path: string, fallback?: number): number {
  const value = own(parent, key) ?? fallback;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw wrong(`${path}.${key}`, value, 'a whole number from 0');
  }
  return value;
}

/** An index into a list of `length` things; −1 where it is absent and may be. */
export function optionalIndexOf(parent: JsonObject, key: string, path: string, length: number): number {
  return own(parent, key) === undefined ? -1 : indexOf(parent, key, path, length);
}

export function indexOf(parent: JsonObject, key: string, path: string, length: number): number {
  return requireIndex(own(parent, key), `${path}.${key}`, length);
}

export function requireIndex(value: unknown, where: string, length: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= length) {
    throw wrong(where, value, length > 0 ? `an index below ${length}` : 'absent, for there is nothing it could name');
  }
  return value;
}

/** A list of indices; an absent one is empty. */
export function indicesOf(parent: JsonObject, key: string, path: string, length: number): number[] {
  const value = own(parent, key);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong(`${path}.${key}`, value, 'a list');
  return value.map((item, k) => requireIndex(item, `${path}.${key}[${k}]`, length));
}

export function numberOf(parent: JsonObject, key: string, path: string, fallback: number): number {
  const value = own(parent, key) ?? fallback;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(`${path}.${key}`, value, 'a finite number');
  return value;
}

/** A list of finite numbers of a fixed length, or of any length where `length` is −1; `undefined` where absent. */
export function numbersOf(parent: JsonObject, key: string, path: string, length: number): number[] | undefined {
  const value = own(parent, key);
  if (value === undefined) return undefined;
  const where = `${path}.${key}`;
  if (!Array.isArray(value)) throw wrong(where, value, 'a list of numbers');
  if (length >= 0 && value.length !== length) {
    throw new InputError(`${where} has ${value.length} numbers, expected ${length}`);
  }
  value.forEach((item, k) => {
    if (typeof item !== 'number' || !Number.isFinite(item)) throw wrong(`${where}[${k}]`, item, 'a finite number');
  });
  return value as number[];
}

/** A property of the object itself: a file that says `__proto__` or `constructor` must not reach anything else. */
function own(parent: JsonObject, key: string): unknown {
  return Object.hasOwn(parent, key) ? parent[key] : undefined;
}

const SHOWN_CHARACTERS = 40;

function wrong(where: string, value: unknown, expected: string): InputError {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'absent');
  const shown = text.slice(0, SHOWN_CHARACTERS);
  return new InputError(`${where} is ${shown}, expected ${expected}`);
}
