/**
 * Values of a crate. A value is told by 8 bytes: its type, whether it is an array, packed, or small enough to be in these
 * bytes itself, and else where it is in the file. Only what is asked for is read.
 */
import { InputError } from '@pelt/model';
import { EXPANSION_BASE_BYTES, EXPANSION_LIMIT } from '../../gltf/check-accessors.ts';
import type { CrateFile } from './crate-file.ts';
import { decodeIntegers, decodeLongIntegers } from './crate-integers.ts';
import { CrateReader } from './crate-reader.ts';
import type { UsdDictionary, UsdReference, UsdSamples, UsdValue } from './usd-layer.ts';

type Scalar = 'half' | 'float' | 'double' | 'int' | 'uint' | 'byte' | 'long' | 'ulong';

/** Numbers of each type: how they are stored, and how many make a value. */
const NUMBERS: Readonly<Record<number, readonly [Scalar, number]>> = {
  1: ['byte', 1],
  2: ['byte', 1],
  3: ['int', 1],
  4: ['uint', 1],
  5: ['long', 1],
  6: ['ulong', 1],
  7: ['half', 1],
  8: ['float', 1],
  9: ['double', 1],
  13: ['double', 4],
  14: ['double', 9],
  15: ['double', 16],
  16: ['double', 4],
  17: ['float', 4],
  18: ['half', 4],
  19: ['double', 2],
  20: ['float', 2],
  21: ['half', 2],
  22: ['int', 2],
  23: ['double', 3],
  24: ['float', 3],
  25: ['half', 3],
  26: ['int', 3],
  27: ['double', 4],
  28: ['float', 4],
  29: ['half', 4],
  30: ['int', 4],
  56: ['double', 1],
};
const BYTES: Readonly<Record<Scalar, number>> = {
  half: 2,
  float: 4,
  double: 8,
  int: 4,
  uint: 4,
  byte: 1,
  long: 8,
  ulong: 8,
};
const [BOOL, DOUBLE, STRING, TOKEN, ASSET] = [1, 9, 10, 11, 12];
const [MATRIX2, MATRIX3, MATRIX4, QUATD, QUATH] = [13, 14, 15, 16, 18];
const [DICTIONARY, TOKEN_LIST, STRING_LIST, PATH_LIST, REFERENCE_LIST] = [31, 32, 33, 34, 35];
const [PATHS, TOKENS, SPECIFIER, SELECTIONS, SAMPLES, PAYLOAD, DOUBLES, STRINGS] = [40, 41, 42, 45, 46, 47, 48, 50];
const [PERMISSION, VARIABILITY, PAYLOAD_LIST, TIME_CODE] = [43, 44, 55, 56];
/** Shorter arrays are not packed. */
const LEAST_PACKED = 16;
const MAX_DEPTH = 32;
/** Which lists of an edited list a byte announces; of these, those that add. */
const LISTS = [2, 4, 32, 64, 8, 16] as const;
const ADDING: readonly number[] = [2, 4, 32, 64];

export interface ValueRep {
  readonly type: number;
  readonly isArray: boolean;
  readonly isInlined: boolean;
  readonly isPacked: boolean;
  readonly payload: number;
}

export function valueRep(view: DataView, at: number): ValueRep {
  const [low, high] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
  return {
    type: (high >>> 16) & 0xff,
    isArray: high >>> 31 === 1,
    isInlined: ((high >>> 30) & 1) === 1,
    isPacked: ((high >>> 29) & 1) === 1,
    payload: (high & 0xffff) * 2 ** 32 + low,
  };
}

export class CrateValues {
  readonly #file: CrateFile;
  readonly #samples = new Map<number, UsdSamples | undefined>();

  constructor(file: CrateFile) {
    this.#file = file;
  }

  read(rep: ValueRep, depth = 0): UsdValue {
    if (depth > MAX_DEPTH) throw new InputError('its values are nested too deep; the file is damaged, export it again');
    if (rep.isArray) return this.#array(rep);
    return rep.isInlined ? this.#inlined(rep) : this.#stored(rep, depth);
  }

  samples({ type, isInlined, payload }: ValueRep): UsdSamples | undefined {
    if (type !== SAMPLES || isInlined) return undefined;
    if (!this.#samples.has(payload)) this.#samples.set(payload, this.#readSamples(payload));
    return this.#samples.get(payload);
  }

  #readSamples(payload: number): UsdSamples | undefined {
    const reader = new CrateReader(this.#file, payload);
    reader.jump();
    const timesRep = valueRep(reader.bytes(8), 0);
    const times = this.read(timesRep, 1);
    reader.jump();
    const count = reader.count(8);
    const first = reader.position;
    if (!(times instanceof Float64Array) || times.length !== count) return undefined;
    // A later sample of the same moment, or one out of order, has no place.
    const kept = [...times.keys()].filter((k) => Number.isFinite(times[k]) && (k === 0 || times[k] > times[k - 1]));
    return {
      times: Float64Array.from(kept, (k) => times[k]),
      at: (k) => this.read(valueRep(this.#file.view(first + 8 * kept[k], 8), 0), 1),
    };
  }

  #inlined({ type, payload }: ValueRep): UsdValue {
    const low = payload >>> 0;
    if (type === TOKEN || type === ASSET) return this.#file.token(low);
    if (type === STRING) return this.#file.string(low);
    if (type === BOOL) return low !== 0;
    if (type === SPECIFIER || type === PERMISSION || type === VARIABILITY) return low;
    const bytes = new DataView(new ArrayBuffer(4));
    bytes.setUint32(0, low, true);
    // Doubles whose value a float has, and longs that fit, are stored in four bytes.
    if (type === DOUBLE || type === TIME_CODE || type === 8) return bytes.getFloat32(0, true);
    if (type === 7) return halfToNumber(low & 0xffff);
    if (type === 3 || type === 5) return low | 0;
    if (type === 2 || type === 4 || type === 6) return low;
    const numbers = NUMBERS[type];
    if (!numbers) return undefined;
    const small = (k: number) => bytes.getInt8(k);
    if (type === MATRIX2 || type === MATRIX3 || type === MATRIX4) {
      const side = type - MATRIX2 + 2;
      return Float64Array.from({ length: side * side }, (_, k) => (k % (side + 1) === 0 ? small(k / (side + 1)) : 0));
    }
    return Float64Array.from({ length: Math.min(numbers[1], 4) }, (_, k) => small(k));
  }

  #stored({ type, payload }: ValueRep, depth: number): UsdValue {
    const reader = new CrateReader(this.#file, payload);
    const numbers = NUMBERS[type];
    if (numbers) {
      const [scalar, size] = numbers;
      const values = numbersOf(reader.bytes(size * BYTES[scalar]), scalar, size);
      if (type >= QUATD && type <= QUATH) return realFirst(values);
      return size === 1 ? values[0] : values;
    }
    if (type === STRING) return this.#file.string(reader.u32());
    if (type === TOKEN || type === ASSET) return this.#file.token(reader.u32());
    if (type === TOKENS) return reader.list(4, () => this.#file.token(reader.u32()));
    if (type === STRINGS) return reader.list(4, () => this.#file.string(reader.u32()));
    if (type === PATHS) return reader.list(4, () => this.#file.pathText(reader.u32()));
    if (type === DOUBLES) {
      const count = reader.count(8);
      return numbersOf(reader.bytes(8 * count), 'double', count);
    }
    if (type === TOKEN_LIST) return this.#edited(reader, 4, () => this.#file.token(reader.u32()));
    if (type === STRING_LIST) return this.#edited(reader, 4, () => this.#file.string(reader.u32()));
    if (type === PATH_LIST) return this.#edited(reader, 4, () => this.#file.pathText(reader.u32()));
    if (type === REFERENCE_LIST) return this.#edited(reader, 32, () => this.#reference(reader, true, depth));
    if (type === PAYLOAD_LIST) return this.#edited(reader, 8, () => this.#reference(reader, false, depth));
    if (type === PAYLOAD) return [this.#reference(reader, false, depth)];
    if (type === SELECTIONS) {
      const pairs = reader.list(8, () => [this.#file.string(reader.u32()), this.#file.string(reader.u32())] as const);
      return Object.fromEntries(pairs);
    }
    return type === DICTIONARY ? this.#dictionary(reader, depth) : undefined;
  }

  #reference(reader: CrateReader, hasData: boolean, depth: number): UsdReference {
    const asset = this.#file.string(reader.u32());
    const path = reader.u32();
    const text = this.#file.pathText(path);
    // An offset and a scale of time, of payloads since version 0.8.
    if (hasData || this.#file.version >= 8) reader.bytes(16);
    if (hasData) this.#dictionary(reader, depth + 1);
    return { asset, path: text === '/' ? '' : text };
  }

  #dictionary(reader: CrateReader, depth: number): UsdDictionary {
    if (depth > MAX_DEPTH) throw new InputError('its values are nested too deep; the file is damaged, export it again');
    const count = reader.count(12);
    const found: Record<string, UsdValue> = {};
    for (let k = 0; k < count; k++) {
      const key = this.#file.string(reader.u32());
      reader.jump();
      const value = this.read(valueRep(reader.bytes(8), 0), depth + 1);
      Object.defineProperty(found, key, { value, enumerable: true, configurable: true });
    }
    return found;
  }

  /** All items that a list has or is given, whatever is taken away elsewhere. */
  #edited<T>(reader: CrateReader, itemBytes: number, item: () => T): T[] {
    const header = reader.u8();
    const found: T[] = [];
    // In the order in which they are stored: explicit, added, prepended, appended, deleted, ordered.
    for (const bit of LISTS) {
      if ((header & bit) === 0) continue;
      const items = reader.list(itemBytes, item);
      if (ADDING.includes(bit)) found.push(...items);
    }
    return found;
  }

  #array(rep: ValueRep): UsdValue {
    const { type, payload, isPacked } = rep;
    if (payload === 0) return type >= STRING && type <= ASSET ? [] : new Float64Array(0);
    const reader = new CrateReader(this.#file, payload);
    const count = reader.arraySize(this.#file.version);
    if (type === TOKEN || type === ASSET) return reader.items(count, 4, () => this.#file.token(reader.u32()));
    if (type === STRING) return reader.items(count, 4, () => this.#file.string(reader.u32()));
    const numbers = NUMBERS[type];
    if (!numbers) return undefined;
    const [scalar, size] = numbers;
    const packed = isPacked && size === 1 && count >= LEAST_PACKED;
    if (!packed) {
      const values = numbersOf(reader.bytes(count * size * BYTES[scalar]), scalar, count * size);
      return type >= QUATD && type <= QUATH ? realFirst(values) : values;
    }
    if (count * 8 > EXPANSION_BASE_BYTES + EXPANSION_LIMIT * this.#file.source.size) {
      throw new InputError(
        `a packed list of ${count} numbers is too long for the file; it is damaged, export it again`,
      );
    }
    if (scalar === 'int' || scalar === 'uint') return decodeIntegers(reader.packed(), count);
    if (scalar === 'long' || scalar === 'ulong') return decodeLongIntegers(reader.packed(), count);
    return this.#packedFloats(reader, scalar, count);
  }

  /** Whole numbers, or places in a table of the values that occur. */
  #packedFloats(reader: CrateReader, scalar: Scalar, count: number): UsdValue {
    const Kind = scalar === 'double' ? Float64Array : Float32Array;
    const code = String.fromCharCode(reader.u8());
    if (code === 'i') return Kind.from(decodeIntegers(reader.packed(), count));
    if (code !== 't')
      throw new InputError('a packed list of numbers is of no known kind; the file is damaged, export it again');
    const entries = reader.u32();
    const table = numbersOf(reader.bytes(entries * BYTES[scalar]), scalar, entries);
    const places = decodeIntegers(reader.packed(), count);
    const out = new Kind(count);
    for (let k = 0; k < count; k++) {
      const place = places[k] >>> 0;
      if (place >= entries)
        throw new InputError('a packed list leaves its table; the file is damaged, export it again');
      out[k] = table[place];
    }
    return out;
  }
}

function numbersOf(view: DataView, scalar: Scalar, count: number): Float32Array | Float64Array | Int32Array {
  const each = <A extends Float32Array | Float64Array | Int32Array>(out: A, take: (at: number) => number): A => {
    const step = BYTES[scalar];
    for (let k = 0; k < count; k++) out[k] = take(k * step);
    return out;
  };
  if (scalar === 'float') return each(new Float32Array(count), (at) => view.getFloat32(at, true));
  if (scalar === 'double') return each(new Float64Array(count), (at) => view.getFloat64(at, true));
  if (scalar === 'half') return each(new Float32Array(count), (at) => halfToNumber(view.getUint16(at, true)));
  if (scalar === 'int') return each(new Int32Array(count), (at) => view.getInt32(at, true));
  if (scalar === 'byte') return each(new Int32Array(count), (at) => view.getUint8(at));
  if (scalar === 'uint') return each(new Float64Array(count), (at) => view.getUint32(at, true));
  if (scalar === 'long') return each(new Float64Array(count), (at) => Number(view.getBigInt64(at, true)));
  return each(new Float64Array(count), (at) => Number(view.getBigUint64(at, true)));
}

/** A crate has the imaginary parts first, text the real part. */
function realFirst<A extends Float32Array | Float64Array | Int32Array>(quaternions: A): A {
  for (let k = 0; k + 3 < quaternions.length; k += 4) {
    const real = quaternions[k + 3];
    quaternions.copyWithin(k + 1, k, k + 3);
    quaternions[k] = real;
  }
  return quaternions;
}

/** IEEE 754 binary16. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
