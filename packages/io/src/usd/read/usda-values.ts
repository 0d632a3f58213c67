/** Values of USDA text: numbers and tuples and arrays of them as flat arrays, words, dictionaries, references. */
import type { UsdDictionary, UsdNumbers, UsdReference, UsdValue } from './usd-layer.ts';
import type { UsdaScanner } from './usda-scanner.ts';

/** No value of a valid file is nested deeper. */
const MAX_DEPTH = 64;
const FIRST_CAPACITY = 16;

/** @param type  as the property declares it: `point3f[]` */
export function readValue(scanner: UsdaScanner, type: string, depth = 0): UsdValue {
  if (depth > MAX_DEPTH) throw scanner.fault('values are nested too deep');
  const c = String.fromCharCode(scanner.peek());
  if (c === '{') return readDictionary(scanner, depth + 1);
  if (c === '[') return readArray(scanner, type, depth + 1);
  if (c === '(') {
    const numbers = new Numbers(type);
    readTuple(scanner, numbers, depth + 1);
    return numbers.result();
  }
  if (scanner.atText()) return scanner.text();
  if (scanner.atPath()) return readPath(scanner);
  if (scanner.atAsset()) return readReference(scanner, type);
  if (scanner.atNumber()) return scanner.number();
  const word = scanner.name();
  if (word === 'None' || word === 'AnimationBlock') return undefined;
  if (word === 'inf') return Number.POSITIVE_INFINITY;
  if (word === 'nan') return Number.NaN;
  if (word === 'true' || word === 'false') return word === 'true';
  return word;
}

/** A path; with an offset in time behind it, as references have it, that is passed over. */
function readPath(scanner: UsdaScanner): UsdValue {
  const path = scanner.path();
  skipBrackets(scanner);
  return path;
}

function readReference(scanner: UsdaScanner, type: string): UsdValue {
  const asset = scanner.asset();
  if (type === 'asset' || type === 'asset[]') return asset;
  const path = scanner.atPath() ? scanner.path() : '';
  skipBrackets(scanner);
  return [{ asset, path }];
}

/** `( offset = 1; scale = 2 )` */
function skipBrackets(scanner: UsdaScanner): void {
  if (!scanner.take('(')) return;
  while (!scanner.take(')')) {
    if (scanner.peek() === 0) throw scanner.fault("')' is expected");
    if (scanner.atText()) scanner.text();
    else scanner.position++;
  }
}

function readArray(scanner: UsdaScanner, type: string, depth: number): UsdValue {
  scanner.expect('[');
  const numbers = new Numbers(type);
  const items: (string | UsdReference)[] = [];
  while (!scanner.take(']')) {
    if (scanner.peek() === 40) readTuple(scanner, numbers, depth);
    else if (scanner.atNumber()) numbers.push(scanner.number());
    else {
      const value = readValue(scanner, type, depth);
      if (typeof value === 'string') items.push(value);
      else if (typeof value === 'boolean' || typeof value === 'number') numbers.push(Number(value));
      else if (Array.isArray(value)) items.push(...(value as readonly (string | UsdReference)[]));
    }
    scanner.take(',');
  }
  if (items.length === 0 && !isWordType(type)) return numbers.result();
  return items as readonly string[] | readonly UsdReference[];
}

function isWordType(type: string): boolean {
  return /^(token|string|asset|path)\b/.test(type) || type === '';
}

function readTuple(scanner: UsdaScanner, numbers: Numbers, depth: number): void {
  if (depth > MAX_DEPTH) throw scanner.fault('values are nested too deep');
  scanner.expect('(');
  while (!scanner.take(')')) {
    if (scanner.peek() === 40) readTuple(scanner, numbers, depth + 1);
    else numbers.push(scanner.number());
    scanner.take(',');
  }
}

function readDictionary(scanner: UsdaScanner, depth: number): UsdDictionary {
  scanner.expect('{');
  const found: Record<string, UsdValue> = {};
  while (!scanner.take('}')) {
    const type = scanner.name() + scanner.brackets();
    const key = scanner.atText() ? scanner.text() : scanner.name();
    scanner.expect('=');
    Object.defineProperty(found, key, { value: readValue(scanner, type, depth), enumerable: true, configurable: true });
    scanner.take(';');
    scanner.take(',');
  }
  return found;
}

/** Numbers as many as there are, in an array of their type. */
class Numbers {
  #values: UsdNumbers;
  #length = 0;

  constructor(type: string) {
    this.#values = emptyOf(type, FIRST_CAPACITY);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new (this.#values.constructor as Float64ArrayConstructor)(2 * this.#length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  result(): UsdNumbers {
    return this.#values.slice(0, this.#length);
  }
}

function emptyOf(type: string, capacity: number): UsdNumbers {
  if (/^(u?int|uchar|bool)\b|^(u?int)\d?(\[\])?$/.test(type)) return new Int32Array(capacity);
  return /^(double|matrix|timecode|[a-zA-Z]+\d?d\b)/.test(type) || type === ''
    ? new Float64Array(capacity)
    : new Float32Array(capacity);
}
