/**
 * The structure of a crate, the binary form of USD: tokens, strings, fields, sets of fields, paths and specs. These are
 * read whole; values stay in the file until they are asked for.
 *
 * Reference: Pixar. OpenUSD, `usd/crateFile.h` and `.cpp`, versions 0.4 to 0.12.
 */
import { InputError, UnsupportedError } from '@pelt/model';
import type { ByteSource } from '../../byte-source.ts';
import { decodeIntegers } from './crate-integers.ts';
import { decompressChunks } from './lz4.ts';

const SIGNATURE = 'PXR-USDC';
const HEADER_BYTES = 88;
const SECTION_BYTES = 32;
const FIRST_VERSION = 4;
const MAX_SECTIONS = 64;
/** Of a list, numbers for each byte of the file: equal differences take two bits and are then packed. */
const MAX_PER_BYTE = 16;
/** Of every file, so that tiny ones are not refused. */
const MIN_COUNT = 4096;
const decoder = new TextDecoder();

type Sections = Map<string, { readonly start: number; readonly size: number }>;

export interface CratePath {
  /** Index of the parent among the paths; −1 for the root. */
  readonly parent: number;
  /** Name of the prim, or of the property. */
  readonly name: string;
  readonly isProperty: boolean;
}

export interface CrateSpec {
  readonly path: number;
  readonly fieldSet: number;
  readonly type: number;
}

export class CrateFile {
  readonly source: ByteSource;
  /** Second part of the version, which is 0.x. */
  readonly version: number;
  readonly tokens: readonly string[];
  readonly strings: Uint32Array;
  /** Token of each field's name. */
  readonly fieldNames: Int32Array;
  /** Of each field where its value is, 8 bytes. */
  readonly fieldReps: DataView;
  readonly fieldSets: Int32Array;
  readonly paths: readonly CratePath[];
  readonly specs: readonly CrateSpec[];

  constructor(source: ByteSource) {
    this.source = source;
    const head = this.view(0, HEADER_BYTES);
    if (!isCrate(new Uint8Array(head.buffer, head.byteOffset, 8))) throw new InputError('it is not a crate of USD');
    this.version = head.getUint8(9);
    const before = head.getUint8(8) > 0 ? `${head.getUint8(8)}.` : '';
    if (head.getUint8(8) > 0 || this.version < FIRST_VERSION) {
      throw new UnsupportedError(
        `its version ${before || '0.'}${this.version} is not read, which is 0.4 or later; save it by a program of today`,
      );
    }
    const sections = this.#sections(this.#long(head, 16));
    this.tokens = this.#tokens(this.#reader(sections, 'TOKENS'));
    const strings = this.#reader(sections, 'STRINGS');
    this.strings = strings.u32s(strings.count(4));
    const fields = this.#reader(sections, 'FIELDS');
    const fieldCount = this.#count(fields);
    this.fieldNames = fields.integers(fieldCount);
    const reps = decompressChunks(fields.packed(), 8 * fieldCount);
    if (reps.length !== 8 * fieldCount) throw damaged('FIELDS');
    this.fieldReps = new DataView(reps.buffer, reps.byteOffset, reps.byteLength);
    const sets = this.#reader(sections, 'FIELDSETS');
    this.fieldSets = sets.integers(this.#count(sets));
    this.paths = this.#paths(this.#reader(sections, 'PATHS'));
    this.specs = this.#specs(this.#reader(sections, 'SPECS'));
  }

  /** Bytes of the file, which are checked to be there. */
  view(from: number, count: number): DataView {
    if (!(from >= 0 && count >= 0 && from + count <= this.source.size)) {
      throw new InputError(
        `${count} bytes at byte ${from} are outside of the file, which has ${this.source.size}; it is cut short or damaged, export it again`,
      );
    }
    const bytes = this.source.read(from, count);
    return new DataView(bytes.buffer, bytes.byteOffset, count);
  }

  token(index: number): string {
    const token = this.tokens[index];
    if (token === undefined) throw damaged('TOKENS');
    return token;
  }

  string(index: number): string {
    if (!(index < this.strings.length)) throw damaged('STRINGS');
    return this.token(this.strings[index]);
  }

  /** `/Root/mesh.points` */
  pathText(index: number): string {
    const parts: string[] = [];
    for (let k = index; k >= 0; k = this.paths[k].parent) {
      const path = this.paths[k];
      if (!path) throw damaged('PATHS');
      if (path.parent < 0) break;
      parts.push((path.isProperty ? '.' : path.name.startsWith('{') ? '' : '/') + path.name);
    }
    return parts.length === 0 ? '/' : parts.reverse().join('');
  }

  #long(view: DataView, at: number): number {
    return Number(view.getBigInt64(at, true));
  }

  #sections(offset: number): Sections {
    const count = this.#long(this.view(offset, 8), 0);
    if (count < 0 || count > MAX_SECTIONS) throw damaged('contents');
    const view = this.view(offset + 8, count * SECTION_BYTES);
    const found: Sections = new Map();
    for (let k = 0; k < count; k++) {
      const at = k * SECTION_BYTES;
      let name = '';
      for (let c = 0; c < 16 && view.getUint8(at + c) !== 0; c++) name += String.fromCharCode(view.getUint8(at + c));
      found.set(name, { start: this.#long(view, at + 16), size: this.#long(view, at + 24) });
    }
    return found;
  }

  #reader(sections: Sections, name: string): SectionReader {
    const section = sections.get(name);
    if (!section) throw new InputError(`it has no section '${name}'; the file is damaged, export it again`);
    const view = this.view(section.start, section.size);
    // A source may reuse its buffer.
    return new SectionReader(new Uint8Array(view.buffer, view.byteOffset, section.size).slice(), name);
  }

  /** A count of a packed list, whose numbers take fewer bits than bytes. */
  #count(reader: SectionReader): number {
    const count = reader.long();
    if (count < 0 || count > MIN_COUNT + MAX_PER_BYTE * this.source.size) throw damaged(reader.name);
    return count;
  }

  #tokens(reader: SectionReader): string[] {
    const count = this.#count(reader);
    const size = reader.long();
    const bytes = decompressChunks(reader.packed(), size);
    const tokens: string[] = [];
    for (let start = 0; tokens.length < count; ) {
      const end = bytes.indexOf(0, start);
      if (end < 0) throw damaged('TOKENS');
      tokens.push(decoder.decode(bytes.subarray(start, end)));
      start = end + 1;
    }
    return tokens;
  }

  #specs(reader: SectionReader): CrateSpec[] {
    const count = this.#count(reader);
    const [paths, sets, types] = [reader.integers(count), reader.integers(count), reader.integers(count)];
    return Array.from(paths, (path, k) => ({ path, fieldSet: sets[k], type: types[k] }));
  }

  /** A tree written out depth first: of each path its name, whether a child follows, and how far the next sibling is. */
  #paths(reader: SectionReader): CratePath[] {
    const total = this.#count(reader);
    const count = this.#count(reader);
    const [places, names, jumps] = [reader.integers(count), reader.integers(count), reader.integers(count)];
    const paths: (CratePath | undefined)[] = new Array(total);
    const waiting: { readonly at: number; readonly parent: number }[] = count > 0 ? [{ at: 0, parent: -1 }] : [];
    let visited = 0;
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      let { at, parent } = next;
      for (;;) {
        const place = places[at];
        if (!(at < count) || !(place >= 0 && place < total) || paths[place] || ++visited > count)
          throw damaged('PATHS');
        const name = names[at];
        const isProperty = name < 0;
        paths[place] = { parent, name: parent < 0 ? '' : this.token(Math.abs(name)), isProperty };
        const jump = jumps[at];
        if (jump > 0) waiting.push({ at: at + jump, parent });
        // A path without a child that has a sibling is followed by it.
        if (jump > 0 || jump === -1) parent = place;
        else if (jump !== 0) break;
        at++;
      }
    }
    return Array.from(paths, (path) => path ?? { parent: -1, name: '', isProperty: false });
  }
}

/** Numbers of a section, one behind the other. */
class SectionReader {
  readonly name: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes;
    this.name = name;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  long(): number {
    if (this.#at + 8 > this.#bytes.length) throw damaged(this.name);
    this.#at += 8;
    return Number(this.#view.getBigUint64(this.#at - 8, true));
  }

  /** A count of items of so many bytes, which have to be there. */
  count(itemBytes: number): number {
    const count = this.long();
    if (count * itemBytes > this.#bytes.length - this.#at) throw damaged(this.name);
    return count;
  }

  u32s(count: number): Uint32Array {
    const out = Uint32Array.from({ length: count }, (_, k) => this.#view.getUint32(this.#at + 4 * k, true));
    this.#at += 4 * count;
    return out;
  }

  packed(): Uint8Array {
    const size = this.count(1);
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  integers(count: number): Int32Array {
    if (count === 0) {
      // An empty list may come without bytes.
      if (this.#at + 8 <= this.#bytes.length) this.packed();
      return new Int32Array(0);
    }
    return decodeIntegers(this.packed(), count);
  }
}

export function isCrate(bytes: Uint8Array): boolean {
  return [...SIGNATURE].every((letter, k) => bytes[k] === letter.charCodeAt(0));
}

function damaged(section: string): InputError {
  return new InputError(`its section '${section}' is damaged; export the file again`);
}
