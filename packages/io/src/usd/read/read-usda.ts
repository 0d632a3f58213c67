/**
 * A layer of USD as text.
 *
 * Reference: Pixar. OpenUSD, "USDA file format"; the grammar is that of `sdf/textFileFormat`.
 */
import { InputError } from '@pelt/model';
import type { UsdLayer, UsdPrim, UsdSamples, UsdValue } from './usd-layer.ts';
import { UsdaScanner } from './usda-scanner.ts';
import { readValue } from './usda-values.ts';

/** No scene is nested deeper, and readers that go down by calls stay within their stack. */
const MAX_DEPTH = 256;
const SPECIFIERS = ['def', 'over', 'class'] as const;
const LIST_WORDS = ['prepend', 'append', 'add', 'delete', 'reorder'];

interface OpenPrim {
  name: string;
  specifier: UsdPrim['specifier'];
  type: string;
  metadata: Record<string, UsdValue>;
  properties: Map<string, OpenProperty>;
  children: UsdPrim[];
  variants: Map<string, Map<string, UsdPrim>>;
}

interface OpenProperty {
  hasValue: boolean;
  value: () => UsdValue;
  samples: UsdSamples | undefined;
  targets: readonly string[];
  metadata: Record<string, UsdValue>;
}

export function isUsda(bytes: Uint8Array): boolean {
  return '#usda'.split('').every((letter, k) => bytes[k] === letter.charCodeAt(0));
}

export function readUsda(bytes: Uint8Array): UsdLayer {
  if (!isUsda(bytes)) throw new InputError("it does not begin with '#usda'; the file is damaged, export it again");
  const scanner = new UsdaScanner(bytes);
  const metadata = readMetadata(scanner);
  const prims: UsdPrim[] = [];
  while (scanner.peek() !== 0) {
    const word = scanner.name();
    if (isSpecifier(word)) prims.push(readPrim(scanner, word, 0));
    else if (word === 'reorder') skipStatement(scanner);
    else throw scanner.fault(`'${word.slice(0, 40)}' begins no prim`);
  }
  return { metadata, prims };
}

function isSpecifier(word: string): word is UsdPrim['specifier'] {
  return (SPECIFIERS as readonly string[]).includes(word);
}

function readPrim(scanner: UsdaScanner, specifier: UsdPrim['specifier'], depth: number): UsdPrim {
  if (depth > MAX_DEPTH) throw scanner.fault('prims are nested too deep');
  const type = scanner.atText() ? '' : scanner.name();
  const prim: OpenPrim = { ...emptyPrim(), name: scanner.text(), specifier, type };
  prim.metadata = readMetadata(scanner);
  readBody(scanner, prim, depth);
  return prim;
}

function emptyPrim(): OpenPrim {
  return {
    name: '',
    specifier: 'over',
    type: '',
    metadata: {},
    properties: new Map(),
    children: [],
    variants: new Map(),
  };
}

function readBody(scanner: UsdaScanner, prim: OpenPrim, depth: number): void {
  scanner.expect('{');
  while (!scanner.take('}')) {
    const word = scanner.name();
    if (isSpecifier(word)) prim.children.push(readPrim(scanner, word, depth + 1));
    else if (word === 'variantSet') readVariants(scanner, prim, depth);
    else readProperty(scanner, prim, word);
    scanner.take(';');
  }
}

function readVariants(scanner: UsdaScanner, prim: OpenPrim, depth: number): void {
  if (depth > MAX_DEPTH) throw scanner.fault('prims are nested too deep');
  const set = new Map<string, UsdPrim>();
  prim.variants.set(scanner.text(), set);
  scanner.expect('=');
  scanner.expect('{');
  while (!scanner.take('}')) {
    const variant = { ...emptyPrim(), name: scanner.text() };
    variant.metadata = readMetadata(scanner);
    readBody(scanner, variant, depth + 1);
    set.set(variant.name, variant);
  }
}

/** `uniform token[] joints = [...] ( ... )`, `rel material:binding = <...>`, `float x.timeSamples = { ... }` */
function readProperty(scanner: UsdaScanner, prim: OpenPrim, first: string): void {
  let word = first;
  if (word === 'reorder') {
    skipStatement(scanner);
    return;
  }
  let listed = '';
  while (LIST_WORDS.includes(word) || ['custom', 'uniform', 'varying', 'config'].includes(word)) {
    if (LIST_WORDS.includes(word)) listed = word;
    word = scanner.name();
  }
  const type = word + scanner.brackets();
  const full = scanner.name();
  const cut = full.lastIndexOf('.');
  const [name, aspect] = cut < 0 ? [full, ''] : [full.slice(0, cut), full.slice(cut + 1)];
  const property = prim.properties.get(name) ?? emptyProperty(type);
  prim.properties.set(name, property);
  if (scanner.take('=')) {
    if (aspect === 'timeSamples') property.samples = readSamples(scanner, type);
    else {
      const value = readValue(scanner, type);
      const leads = type === 'rel' || aspect === 'connect';
      if (leads && listed !== 'delete') property.targets = Array.isArray(value) ? value.map(String) : pathsOf(value);
      else if (!leads && aspect === '') {
        property.hasValue = value !== undefined;
        property.value = () => value;
      }
    }
  }
  Object.assign(property.metadata, readMetadata(scanner));
}

function emptyProperty(typeName: string): OpenProperty {
  return { hasValue: false, value: () => undefined, samples: undefined, targets: [], metadata: { typeName } };
}

function pathsOf(value: UsdValue): string[] {
  return typeof value === 'string' ? [value] : [];
}

function readSamples(scanner: UsdaScanner, type: string): UsdSamples {
  const found: { time: number; value: UsdValue }[] = [];
  scanner.expect('{');
  while (!scanner.take('}')) {
    const time = scanner.number();
    scanner.expect(':');
    const value = readValue(scanner, type);
    // A blocked sample has no value, and what is before it holds.
    if (Number.isFinite(time) && value !== undefined) found.push({ time, value });
    scanner.take(',');
  }
  found.sort((a, b) => a.time - b.time);
  const kept = found.filter(({ time }, k) => k + 1 === found.length || time < found[k + 1].time);
  return { times: Float64Array.from(kept, ({ time }) => time), at: (k) => kept[k]?.value };
}

/** Lines in brackets: documentation, `key = value`, and lists that are edited. */
function readMetadata(scanner: UsdaScanner): Record<string, UsdValue> {
  const metadata: Record<string, UsdValue> = {};
  if (!scanner.take('(')) return metadata;
  while (!scanner.take(')')) {
    if (scanner.atText()) {
      scanner.text();
      continue;
    }
    let key = scanner.name();
    let edit = '';
    if (LIST_WORDS.includes(key)) {
      edit = key;
      key = scanner.name();
    }
    scanner.expect('=');
    const value = readValue(scanner, '');
    if (edit !== 'delete' && edit !== 'reorder') {
      const before = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      const both = edit !== '' && Array.isArray(before) && Array.isArray(value);
      const joined = both ? ([...before, ...value] as readonly string[]) : value;
      Object.defineProperty(metadata, key, { value: joined, enumerable: true, configurable: true, writable: true });
    }
    scanner.take(';');
    scanner.take(',');
  }
  return metadata;
}

/** `nameChildren = [ ... ]` */
function skipStatement(scanner: UsdaScanner): void {
  while (scanner.peek() !== 0 && scanner.peek() !== 61) scanner.name();
  scanner.expect('=');
  readValue(scanner, '');
}
