/**
 * Crates for tests, from layers of text: structure packed as version 0.8 has it, in LZ4 blocks of literals alone; arrays
 * plain, or packed where that is asked for. It shares nothing with the reader but the layer's types.
 */
import type { UsdLayer, UsdPrim, UsdProperty, UsdReference, UsdValue } from '../../src/usd/read/usd-layer.ts';

const TYPES: Readonly<Record<string, readonly [id: number, scalar: 'f' | 'd' | 'h' | 'i', size: number]>> = {
  int: [3, 'i', 1],
  float: [8, 'f', 1],
  double: [9, 'd', 1],
  matrix4d: [15, 'd', 16],
  quatf: [17, 'f', 4],
  float2: [20, 'f', 2],
  texCoord2f: [20, 'f', 2],
  float3: [24, 'f', 3],
  double3: [23, 'd', 3],
  point3f: [24, 'f', 3],
  normal3f: [24, 'f', 3],
  vector3f: [24, 'f', 3],
  color3f: [24, 'f', 3],
  half3: [25, 'h', 3],
  float4: [28, 'f', 4],
};
const BYTES = { f: 4, d: 8, h: 2, i: 4 };
const LIST_NAMES: Readonly<Record<string, string>> = { inherits: 'inheritPaths', variants: 'variantSelection' };

export interface CrateOptions {
  /** Whether arrays of whole numbers and tables of floats are packed. */
  readonly packed?: boolean;
}

export function writeCrate(layer: UsdLayer, options: CrateOptions = {}): Uint8Array<ArrayBuffer> {
  return new CrateWriter(options).write(layer);
}

class CrateWriter {
  readonly #packed: boolean;
  readonly #body: number[] = [];
  readonly #tokens: string[] = [];
  readonly #tokenPlaces = new Map<string, number>();
  readonly #strings: number[] = [];
  readonly #fields: { token: number; rep: Uint8Array }[] = [];
  readonly #sets: number[] = [];
  readonly #paths: { name: number; property: boolean; depth: number }[] = [];
  readonly #pathPlaces = new Map<string, number>();
  readonly #specs: { path: number; set: number; type: number }[] = [];

  constructor({ packed = false }: CrateOptions) {
    this.#packed = packed;
    // Room for the header.
    for (let k = 0; k < 88; k++) this.#body.push(0);
    this.#token(';-)');
  }

  write({ metadata, prims }: UsdLayer): Uint8Array<ArrayBuffer> {
    const paths = this.#layOut(prims);
    this.#spec('/', 7, [
      ...this.#metadata(metadata),
      ['primChildren', this.#tokenVector(prims.map(({ name }) => name))],
    ]);
    for (const { path, prim } of paths) this.#prim(path, prim);
    const sections: [string, Uint8Array][] = [
      ['TOKENS', this.#tokenSection()],
      ['STRINGS', bytesOf([...u64(this.#strings.length), ...this.#strings.flatMap(u32)])],
      ['FIELDS', this.#fieldSection()],
      ['FIELDSETS', bytesOf([...u64(this.#sets.length), ...integers(this.#sets)])],
      ['PATHS', this.#pathSection()],
      [
        'SPECS',
        bytesOf([
          ...u64(this.#specs.length),
          ...integers(this.#specs.map(({ path }) => path)),
          ...integers(this.#specs.map(({ set }) => set)),
          ...integers(this.#specs.map(({ type }) => type)),
        ]),
      ],
    ];
    const contents: number[] = [...u64(sections.length)];
    for (const [name, bytes] of sections) {
      contents.push(
        ...new TextEncoder().encode(name.padEnd(16, '\0')),
        ...u64(this.#body.length),
        ...u64(bytes.length),
      );
      for (const byte of bytes) this.#body.push(byte);
    }
    const start = this.#body.length;
    this.#body.push(...contents);
    const out = Uint8Array.from(this.#body);
    out.set(new TextEncoder().encode('PXR-USDC'));
    out.set([0, 8, 0], 8);
    out.set(u64(start), 16);
    return out;
  }

  /** All paths, depth first, properties after children. */
  #layOut(prims: readonly UsdPrim[]): { path: string; prim: UsdPrim }[] {
    const found: { path: string; prim: UsdPrim }[] = [];
    const add = (path: string, name: string, property: boolean, depth: number) => {
      this.#pathPlaces.set(path, this.#paths.length);
      this.#paths.push({ name: this.#token(name), property, depth });
    };
    add('/', '', false, 0);
    const go = (prim: UsdPrim, above: string, depth: number) => {
      const path = `${above}/${prim.name}`;
      add(path, prim.name, false, depth);
      found.push({ path, prim });
      for (const child of prim.children) go(child, path, depth + 1);
      for (const name of prim.properties.keys()) add(`${path}.${name}`, name, true, depth + 1);
    };
    for (const prim of prims) go(prim, '', 1);
    return found;
  }

  #prim(path: string, prim: UsdPrim): void {
    this.#spec(path, 6, [
      ['specifier', inlined(42, ['def', 'over', 'class'].indexOf(prim.specifier))],
      ...(prim.type ? ([['typeName', inlined(11, this.#token(prim.type))]] as const) : []),
      ...this.#metadata(prim.metadata),
      ...(prim.children.length > 0
        ? ([['primChildren', this.#tokenVector(prim.children.map(({ name }) => name))]] as const)
        : []),
    ]);
    for (const [name, property] of prim.properties) this.#property(`${path}.${name}`, property);
  }

  #property(path: string, property: UsdProperty): void {
    const type = String(property.metadata.typeName ?? 'token');
    const fields: [string, Uint8Array][] = [['typeName', inlined(11, this.#token(type))]];
    for (const key of ['interpolation', 'elementSize', 'weight']) {
      const value = property.metadata[key];
      if (typeof value === 'string') fields.push([key, inlined(11, this.#token(value))]);
      if (typeof value === 'number') fields.push([key, key === 'weight' ? this.#number(value) : inlined(3, value)]);
    }
    if (property.hasValue) fields.push(['default', this.#value(property.value(), type)]);
    const { samples, targets } = property;
    if (samples) {
      const reps = Array.from(samples.times, (_, k) => this.#value(samples.at(k), type));
      const times = this.#stored(
        48,
        false,
        [...u64(samples.times.length), ...samples.times].flatMap((v, k) => (k < 8 ? [v] : f64(v))),
      );
      // Both parts are told by their distance, which is none here.
      fields.push([
        'timeSamples',
        this.#stored(46, false, [
          ...u64(8),
          ...times,
          ...u64(8),
          ...u64(reps.length),
          ...reps.flatMap((rep) => [...rep]),
        ]),
      ]);
    }
    if (targets.length > 0) {
      const key = type === 'rel' ? 'targetPaths' : 'connectionPaths';
      fields.push([
        key,
        this.#stored(34, false, [
          1 + 2,
          ...u64(targets.length),
          ...targets.flatMap((target) => u32(this.#path(target))),
        ]),
      ]);
    }
    this.#spec(path, type === 'rel' ? 8 : 1, fields);
  }

  #metadata(metadata: Readonly<Record<string, UsdValue>>): [string, Uint8Array][] {
    return Object.entries(metadata).flatMap(([key, value]): [string, Uint8Array][] => {
      if (typeof value === 'number') return [[key, this.#number(value)]];
      if (typeof value === 'boolean') return [[key, inlined(1, Number(value))]];
      if (typeof value === 'string')
        return [
          [
            key,
            inlined(key === 'displayName' ? 10 : 11, key === 'displayName' ? this.#string(value) : this.#token(value)),
          ],
        ];
      if (key === 'references' && Array.isArray(value))
        return [[key, this.#references(value as readonly (UsdReference | string)[])]];
      if (key === 'inherits' && Array.isArray(value)) {
        const paths = (value as readonly string[]).flatMap((path) => u32(this.#path(path)));
        return [[LIST_NAMES[key], this.#stored(34, false, [32, ...u64(value.length), ...paths])]];
      }
      return [];
    });
  }

  #references(items: readonly (UsdReference | string)[]): Uint8Array {
    const bytes = items.flatMap((item) => {
      const { asset, path } = typeof item === 'string' ? { asset: '', path: item } : item;
      return [...u32(this.#string(asset)), ...u32(this.#path(path || '/')), ...f64(0), ...f64(1), ...u64(0)];
    });
    return this.#stored(35, false, [32, ...u64(items.length), ...bytes]);
  }

  #value(value: UsdValue, type: string): Uint8Array {
    const plain = type.replace('[]', '');
    const isArray = type.endsWith('[]');
    const word = { token: 11, asset: 12, string: 10 }[plain];
    if (word !== undefined) {
      const index = (text: string) => (word === 10 ? this.#string(text) : this.#token(text));
      if (!isArray) return inlined(word, index(String(value)));
      const items = value as readonly string[];
      return this.#stored(word, true, [...u64(items.length), ...items.flatMap((text) => u32(index(text)))]);
    }
    if (plain === 'bool') return inlined(1, Number(value));
    const known = TYPES[plain];
    if (!known) throw new Error(`the writer of tests knows no '${type}'`);
    const [id, scalar, size] = known;
    const numbers = typeof value === 'number' ? [value] : Array.from(value as Float32Array);
    const ordered = plain === 'quatf' ? imaginaryFirst(numbers) : numbers;
    if (isArray && this.#packed && size === 1 && numbers.length >= 16) return this.#packedArray(id, scalar, numbers);
    const bytes = ordered.flatMap((number) => scalarBytes(number, scalar));
    if (bytes.length !== ordered.length * BYTES[scalar]) throw new Error('numbers of one size');
    return isArray ? this.#stored(id, true, [...u64(numbers.length / size), ...bytes]) : this.#stored(id, false, bytes);
  }

  #packedArray(id: number, scalar: 'f' | 'd' | 'h' | 'i', numbers: readonly number[]): Uint8Array {
    const head = u64(numbers.length);
    if (scalar === 'i') return this.#stored(id, true, [...head, ...integers(numbers)], true);
    const table = [...new Set(numbers)];
    const places = numbers.map((number) => table.indexOf(number));
    const bytes = table.flatMap((number) => scalarBytes(number, scalar));
    return this.#stored(
      id,
      true,
      [...head, 't'.charCodeAt(0), ...u32(table.length), ...bytes, ...integers(places)],
      true,
    );
  }

  #number(value: number): Uint8Array {
    return this.#stored(9, false, f64(value));
  }

  #tokenVector(names: readonly string[]): Uint8Array {
    return this.#stored(41, false, [...u64(names.length), ...names.flatMap((name) => u32(this.#token(name)))]);
  }

  #stored(type: number, isArray: boolean, bytes: readonly number[], packed = false): Uint8Array {
    while (this.#body.length % 8 !== 0) this.#body.push(0);
    const at = this.#body.length;
    for (const byte of bytes) this.#body.push(byte);
    const rep = Uint8Array.from(u64(at));
    rep[6] = type;
    rep[7] = (isArray ? 128 : 0) | (packed ? 32 : 0);
    return rep;
  }

  #spec(path: string, type: number, fields: readonly (readonly [string, Uint8Array])[]): void {
    const set = this.#sets.length;
    for (const [name, rep] of fields) {
      this.#sets.push(this.#fields.length);
      this.#fields.push({ token: this.#token(name), rep });
    }
    this.#sets.push(-1);
    this.#specs.push({ path: this.#path(path), set, type });
  }

  #path(path: string): number {
    const known = this.#pathPlaces.get(path);
    if (known === undefined) throw new Error(`the writer of tests knows paths of the layer alone, not '${path}'`);
    return known;
  }

  #token(text: string): number {
    const known = this.#tokenPlaces.get(text) ?? this.#tokens.length;
    if (known === this.#tokens.length) this.#tokens.push(text);
    this.#tokenPlaces.set(text, known);
    return known;
  }

  #string(text: string): number {
    this.#strings.push(this.#token(text));
    return this.#strings.length - 1;
  }

  #tokenSection(): Uint8Array {
    const text = new TextEncoder().encode(this.#tokens.map((token) => `${token}\0`).join(''));
    const packed = literals(text);
    return bytesOf([...u64(this.#tokens.length), ...u64(text.length), ...u64(packed.length), ...packed]);
  }

  #fieldSection(): Uint8Array {
    const reps = literals(bytesOf(this.#fields.flatMap(({ rep }) => [...rep])));
    const names = integers(this.#fields.map(({ token }) => token));
    return bytesOf([...u64(this.#fields.length), ...names, ...u64(reps.length), ...reps]);
  }

  #pathSection(): Uint8Array {
    const jumps = this.#paths.map(({ depth }, k) => {
      const child = this.#paths[k + 1]?.depth === depth + 1;
      const behind = this.#paths.findIndex((path, j) => j > k && path.depth <= depth);
      const sibling = behind >= 0 && this.#paths[behind].depth === depth;
      return child ? (sibling ? behind - k : -1) : sibling ? 0 : -2;
    });
    const names = this.#paths.map(({ name, property }) => (property ? -name : name));
    const count = u64(this.#paths.length);
    return bytesOf([...count, ...count, ...integers([...this.#paths.keys()]), ...integers(names), ...integers(jumps)]);
  }
}

function scalarBytes(value: number, scalar: 'f' | 'd' | 'h' | 'i'): number[] {
  if (scalar === 'f') return [...new Uint8Array(Float32Array.of(value).buffer)];
  if (scalar === 'd') return f64(value);
  if (scalar === 'i') return u32(value | 0);
  return halfBytes(value);
}

/** Of numbers that a half has exactly, or cut off. */
function halfBytes(value: number): number[] {
  const [bits] = new Uint32Array(Float32Array.of(value).buffer);
  const exponent = ((bits >>> 23) & 255) - 127 + 15;
  const half = value === 0 ? 0 : ((bits >>> 16) & 0x8000) | (Math.max(exponent, 0) << 10) | ((bits >>> 13) & 1023);
  return [half & 255, half >> 8];
}

function imaginaryFirst(quaternions: readonly number[]): number[] {
  return quaternions.map((_, k) => (k % 4 === 3 ? quaternions[k - 3] : quaternions[k + 1]));
}

function inlined(type: number, value: number): Uint8Array {
  return Uint8Array.from([...u32(value), 0, 0, type, 64]);
}

/** A list of whole numbers with its size in front: the commonest difference is taken to be 1, others have what they need. */
function integers(values: readonly number[]): number[] {
  const codes = new Uint8Array(Math.ceil(values.length / 4));
  const numbers: number[] = [];
  let before = 0;
  values.forEach((value, k) => {
    const step = value - before;
    before = value;
    const code = step === 1 ? 0 : step >= -128 && step < 128 ? 1 : step >= -32768 && step < 32768 ? 2 : 3;
    codes[k >> 2] |= code << (2 * (k & 3));
    if (code > 0) numbers.push(...u32(step).slice(0, code === 3 ? 4 : code));
  });
  const packed = literals(bytesOf([...u32(1), ...codes, ...numbers]));
  return [...u64(packed.length), ...packed];
}

/** A block of LZ4 without a match. */
function literals(bytes: Uint8Array): number[] {
  const out = [0];
  if (bytes.length < 15) out.push(bytes.length << 4);
  else {
    out.push(15 << 4);
    let left = bytes.length - 15;
    for (; left >= 255; left -= 255) out.push(255);
    out.push(left);
  }
  for (const byte of bytes) out.push(byte);
  return out;
}

function bytesOf(values: readonly number[]): Uint8Array {
  return Uint8Array.from(values);
}

function u32(value: number): number[] {
  return [...new Uint8Array(Uint32Array.of(value >>> 0).buffer)];
}

function u64(value: number): number[] {
  return [...new Uint8Array(BigInt64Array.of(BigInt(value)).buffer)];
}

function f64(value: number): number[] {
  return [...new Uint8Array(Float64Array.of(value).buffer)];
}
