/**
 * The binary form of FBX, versions 7.0 to 7.7: a header of 27 bytes, then node records. A record is where it ends, how many
 * values it has and how many bytes those take (32 bits each, from version 7500 on 64), its name, its values, and its
 * children up to a record of zeros.
 */
import { InputError, UnsupportedError } from '@pelt/model';
import { ARRAY_ITEM_BYTES, BinaryArray, type FbxNode, type FbxValue } from './fbx-node.ts';

const MAGIC = 'Kaydara FBX Binary  \0';
const HEADER_BYTES = 27;
const WIDE_VERSION = 7500;
/** Real files are five deep. */
export const MAX_DEPTH = 64;
/** Deflate cannot do better. */
const MAX_RATIO = 1032;
const LEAST_VALUE_BYTES = 2;

export interface FbxTree {
  readonly version: number;
  readonly nodes: readonly FbxNode[];
}

export function isBinaryFbx(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER_BYTES) return false;
  for (let k = 0; k < MAGIC.length; k++) if (bytes[k] !== MAGIC.charCodeAt(k)) return false;
  return true;
}

export function readBinaryFbx(bytes: Uint8Array): FbxTree {
  // The byte before the version says the order of bytes: 1 is big-endian, of which there are few.
  const littleEndian = bytes[22] !== 1;
  const version = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(23, littleEndian);
  requireVersion(version);
  return { version, nodes: new RecordReader(bytes, littleEndian, version >= WIDE_VERSION).topNodes() };
}

export function requireVersion(version: number): void {
  if (version >= 7000) return;
  throw new UnsupportedError(`it is FBX ${version / 1000}; export it as FBX 2011 (7.1) or later, or as glTF`);
}

const decoder = new TextDecoder();

class RecordReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #wide: boolean;
  #at = HEADER_BYTES;

  constructor(bytes: Uint8Array, littleEndian: boolean, wide: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#little = littleEndian;
    this.#wide = wide;
  }

  topNodes(): FbxNode[] {
    const nodes: FbxNode[] = [];
    // Some writers leave out the last record of zeros and the footer.
    while (this.#at + this.#headBytes <= this.#bytes.length) {
      const node = this.#node(this.#bytes.length, 0);
      if (!node) break;
      nodes.push(node);
    }
    return nodes;
  }

  get #headBytes(): number {
    return this.#wide ? 25 : 13;
  }

  /** The record at the current place; `undefined` for the one of zeros that ends a list. */
  #node(limit: number, depth: number): FbxNode | undefined {
    const start = this.#at;
    if (start + this.#headBytes > limit) throw this.#cut(start, 'a record');
    if (depth > MAX_DEPTH) throw new InputError(`its nodes are nested more than ${MAX_DEPTH} deep; it is damaged`);
    const end = this.#offset();
    const count = this.#offset();
    const valueBytes = this.#offset();
    const nameLength = this.#bytes[this.#at++];
    if (end === 0) return undefined;
    const first = this.#at + nameLength;
    if (end > limit || first + valueBytes > end || count * LEAST_VALUE_BYTES > valueBytes) {
      throw new InputError(
        `the record at byte ${start} ends at ${end} with ${count} values of ${valueBytes} bytes, ` +
          `but its list ends at ${limit}; the file is damaged, export it again`,
      );
    }
    const name = decoder.decode(this.#bytes.subarray(this.#at, first));
    this.#at = first;
    const values: FbxValue[] = [];
    for (let k = 0; k < count; k++) values.push(this.#value(first + valueBytes));
    this.#at = first + valueBytes;
    const children: FbxNode[] = [];
    while (this.#at < end) {
      const child = this.#node(end, depth + 1);
      if (!child) break;
      children.push(child);
    }
    this.#at = end;
    return { name, values, children };
  }

  #offset(): number {
    const at = this.#at;
    this.#at += this.#wide ? 8 : 4;
    if (!this.#wide) return this.#view.getUint32(at, this.#little);
    return Number(this.#view.getBigUint64(at, this.#little));
  }

  #value(limit: number): FbxValue {
    const type = String.fromCharCode(this.#bytes[this.#take(1, limit)]);
    const view = this.#view;
    const little = this.#little;
    switch (type) {
      case 'Y':
        return view.getInt16(this.#take(2, limit), little);
      case 'C':
      case 'B':
        return (this.#bytes[this.#take(1, limit)] & 1) === 1;
      case 'I':
        return view.getInt32(this.#take(4, limit), little);
      case 'F':
        return view.getFloat32(this.#take(4, limit), little);
      case 'D':
        return view.getFloat64(this.#take(8, limit), little);
      case 'L': {
        const long = view.getBigInt64(this.#take(8, limit), little);
        const number = Number(long);
        return Number.isSafeInteger(number) ? number : long;
      }
      case 'S':
      case 'R': {
        const length = view.getUint32(this.#take(4, limit), little);
        const at = this.#take(length, limit);
        const bytes = this.#bytes.subarray(at, at + length);
        return type === 'S' ? decoder.decode(bytes) : bytes;
      }
      default:
        return this.#array(type, limit);
    }
  }

  #array(type: string, limit: number): FbxValue {
    const start = this.#at - 1;
    if (!Object.hasOwn(ARRAY_ITEM_BYTES, type)) {
      throw new InputError(`the value at byte ${start} is of no known type; the file is damaged, export it again`);
    }
    const head = this.#take(12, limit);
    const length = this.#view.getUint32(head, this.#little);
    const encoding = this.#view.getUint32(head + 4, this.#little);
    const stored = this.#view.getUint32(head + 8, this.#little);
    const size = length * ARRAY_ITEM_BYTES[type];
    // Uncompressed lists often give their length in bytes, or none.
    const taken = encoding === 0 ? size : stored;
    if (encoding > 1 || taken > limit - this.#at || size > taken * MAX_RATIO) {
      throw new InputError(
        `the list at byte ${start} declares ${length} numbers in ${taken} bytes, of which ${limit - this.#at} are left; ` +
          'the file is cut short or damaged, export it again',
      );
    }
    const at = this.#take(taken, limit);
    return new BinaryArray(type, length, this.#bytes.subarray(at, at + taken), encoding === 1, this.#little);
  }

  #take(size: number, limit: number): number {
    const at = this.#at;
    if (size > limit - at) throw this.#cut(at, 'a value');
    this.#at = at + size;
    return at;
  }

  #cut(at: number, what: string): InputError {
    return new InputError(`${what} at byte ${at} is cut off; the file is cut short or damaged, export it again`);
  }
}
