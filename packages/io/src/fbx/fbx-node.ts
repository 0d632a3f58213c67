/** The tree of an FBX file, binary or text: nodes of a name, a list of values and children. */
import { InputError } from '@pelt/model';
import { HOST_IS_LITTLE_ENDIAN } from '../cursor.ts';
import { inflateExactly } from './inflate.ts';

/** Ids beyond 2⁵³ stay bigints, so that two of them are never taken for one. */
export type FbxId = number | bigint;

export type FbxValue = number | bigint | boolean | string | Uint8Array | FbxArray;

export interface FbxNode {
  readonly name: string;
  readonly values: readonly FbxValue[];
  readonly children: readonly FbxNode[];
}

export type FbxNumbers = Float64Array | Float32Array | Int32Array | Uint8Array;

/** A list of numbers, decoded when it is asked for: most of a file are lists, and not all of them are used. */
export interface FbxArray {
  readonly length: number;
  numbers(): FbxNumbers;
}

/** Bytes of one number of each type of list. */
export const ARRAY_ITEM_BYTES: Readonly<Record<string, number>> = { f: 4, d: 8, i: 4, l: 8, b: 1, c: 1 };

export class BinaryArray implements FbxArray {
  readonly length: number;
  readonly #type: string;
  readonly #bytes: Uint8Array;
  readonly #deflated: boolean;
  readonly #littleEndian: boolean;

  /** @param bytes  of the list, length × size of an item where they are not deflated */
  constructor(type: string, length: number, bytes: Uint8Array, deflated: boolean, littleEndian: boolean) {
    this.length = length;
    this.#type = type;
    this.#bytes = bytes;
    this.#deflated = deflated;
    this.#littleEndian = littleEndian;
  }

  numbers(): FbxNumbers {
    const size = this.length * ARRAY_ITEM_BYTES[this.#type];
    // A copy that begins its buffer; `slice` of a Buffer of Node would be none.
    const bytes = this.#deflated ? inflateExactly(this.#bytes, size) : new Uint8Array(this.#bytes);
    if (HOST_IS_LITTLE_ENDIAN && this.#littleEndian) {
      switch (this.#type) {
        case 'd':
          return new Float64Array(bytes.buffer);
        case 'f':
          return new Float32Array(bytes.buffer);
        case 'i':
          return new Int32Array(bytes.buffer);
        case 'b':
        case 'c':
          return bytes;
      }
    }
    return this.#byView(new DataView(bytes.buffer));
  }

  #byView(view: DataView): Float64Array {
    const little = this.#littleEndian;
    const out = new Float64Array(this.length);
    for (let k = 0; k < this.length; k++) {
      if (this.#type === 'd') out[k] = view.getFloat64(8 * k, little);
      else if (this.#type === 'f') out[k] = view.getFloat32(4 * k, little);
      else if (this.#type === 'i') out[k] = view.getInt32(4 * k, little);
      else if (this.#type === 'l') {
        const [low, high] = little ? [8 * k, 8 * k + 4] : [8 * k + 4, 8 * k];
        out[k] = view.getInt32(high, little) * 2 ** 32 + view.getUint32(low, little);
      } else out[k] = view.getUint8(k);
    }
    return out;
  }
}

/** A list that was text. */
export class TextArray implements FbxArray {
  readonly #numbers: Float64Array;

  constructor(numbers: Float64Array) {
    this.#numbers = numbers;
  }

  get length(): number {
    return this.#numbers.length;
  }

  numbers(): Float64Array {
    return this.#numbers;
  }
}

export function childNamed(node: FbxNode, name: string): FbxNode | undefined {
  return node.children.find((child) => child.name === name);
}

export function childrenNamed(node: FbxNode, name: string): FbxNode[] {
  return node.children.filter((child) => child.name === name);
}

/** The first value of a child as text; empty where there is none. */
export function textIn(node: FbxNode, name: string): string {
  const value = childNamed(node, name)?.values[0];
  return typeof value === 'string' ? value : '';
}

/** The first value of a child as a number. */
export function numberIn(node: FbxNode, name: string, fallback: number): number {
  const value = childNamed(node, name)?.values[0];
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}

/** The list of a child: an array, or plain values as old writers have them; `undefined` where there is none. */
export function numbersIn(node: FbxNode, name: string): FbxNumbers | undefined {
  const child = childNamed(node, name);
  if (!child) return undefined;
  const [first] = child.values;
  if (isArray(first)) return first.numbers();
  const numbers = Float64Array.from(child.values, (value) => (typeof value === 'string' ? Number.NaN : Number(value)));
  return numbers.every(Number.isFinite) ? numbers : undefined;
}

export function finiteNumbersIn(node: FbxNode, name: string, what: string): FbxNumbers {
  const numbers = numbersIn(node, name) ?? new Float64Array(0);
  for (let k = 0; k < numbers.length; k++) {
    if (!Number.isFinite(numbers[k])) throw new InputError(`${what}: number ${k} of '${name}' is ${numbers[k]}`);
  }
  return numbers;
}

export function isArray(value: FbxValue | undefined): value is FbxArray {
  return value instanceof BinaryArray || value instanceof TextArray;
}
