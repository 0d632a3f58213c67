/**
 * Ogawa, the container format of Alembic archives: a tree of groups and data blocks at arbitrary file positions.
 *
 *   header  'Ogawa', u8 0xff when finished, u16 version (big-endian, 1), u64 position of the root group
 *   group   u64 count, count × u64 child: a position with the top bit set for data; position 0 means empty
 *   data    u64 size, then that many bytes
 *
 * All but the version is little-endian. Positions are 64-bit; a double represents them exactly up to 2⁵³. Every group
 * and data block is checked against the file size before it is read, and the total size of the groups and headers read
 * must not exceed the file size. This rejects overlapping and cyclic groups, which would otherwise let a small file
 * describe an unbounded tree.
 *
 * Reference: the Alembic sources, lib/Alembic/Ogawa.
 */
import { InputError, UnsupportedError } from '@pelt/model';
import type { ByteSource } from '../byte-source.ts';
import { requireFit } from '../cursor.ts';
import { refuseLfsPointer } from '../lfs-pointer.ts';
import { fileLabel } from '../read-options.ts';

export const OGAWA_MAGIC = 'Ogawa';
export const OGAWA_VERSION = 1;
export const OGAWA_HEADER_BYTES = 16;
/** Byte 5 of a finished file. */
export const OGAWA_COMPLETE = 0xff;

/** Signature of archives before version 1.5, and the advice for them. */
export const HDF5 = '\x89HDF';
export const OGAWA_CURE = 'convert it to Ogawa (abcconvert -toOgawa)';

/** Enough to recognise a Git LFS pointer. */
const POINTER_BYTES = 64;
const TWO_32 = 2 ** 32;
const DATA_BIT = 0x80000000;

/** A byte range of the file. */
export interface ByteRange {
  readonly from: number;
  readonly count: number;
}

const EMPTY: ByteRange = { from: 0, count: 0 };

/** The children of a group. */
export class OgawaGroup {
  readonly count: number;
  /** Low and high word of each entry. */
  readonly #words: Uint32Array;

  constructor(words: Uint32Array) {
    this.#words = words;
    this.count = words.length / 2;
  }

  isData(child: number): boolean {
    return this.#words[2 * child + 1] >= DATA_BIT;
  }

  /** 0 if the child is empty. */
  position(child: number): number {
    return (this.#words[2 * child + 1] % DATA_BIT) * TWO_32 + this.#words[2 * child];
  }
}

const EMPTY_GROUP = new OgawaGroup(new Uint32Array(0));

export class OgawaFile {
  readonly source: ByteSource;
  readonly name: string;
  /** Begins every message: `Alembic 'clip.abc'`. */
  readonly label: string;
  readonly root: OgawaGroup;
  /** Bytes of groups and headers that may still be read; see above. */
  #budget: number;

  constructor(source: ByteSource, name: string) {
    this.source = source;
    this.name = name;
    this.label = fileLabel('Alembic', name);
    this.#budget = source.size;
    this.root = this.#groupAt(this.#readHeader(), 'the archive');
  }

  /** Reads a child that must be a group. */
  group(parent: OgawaGroup, child: number, what: string): OgawaGroup {
    this.#requireChild(parent, child, false, what);
    const position = parent.position(child);
    return position === 0 ? EMPTY_GROUP : this.#groupAt(position, what);
  }

  /** Locates a child that must be data. */
  data(parent: OgawaGroup, child: number, what: string): ByteRange {
    this.#requireChild(parent, child, true, what);
    const position = parent.position(child);
    if (position === 0) return EMPTY;
    const count = this.#u64(position, `size of ${what}`);
    requireFit(this.label, `size of ${what}`, count, 1, this.source.size - position - 8);
    return { from: position + 8, count };
  }

  /** A copy of a data block that counts as structure: for headers and tables, not for samples. */
  readStructure({ from, count }: ByteRange): Uint8Array {
    this.#charge(count);
    return count === 0 ? new Uint8Array(0) : this.source.read(from, count).slice();
  }

  #readHeader(): number {
    const { size } = this.source;
    if (size < OGAWA_HEADER_BYTES) {
      throw new InputError(`${this.label}: ${size} bytes are too short for an archive; export it again`);
    }
    refuseLfsPointer(this.name || 'file', this.source.read(0, Math.min(size, POINTER_BYTES)));
    const head = this.source.read(0, OGAWA_HEADER_BYTES);
    requireOgawa(this.label, head);
    if (head[5] !== OGAWA_COMPLETE) {
      throw new InputError(
        `${this.label}: the archive is unfinished: its writer was interrupted or is still running; export it again`,
      );
    }
    const version = head[6] * 256 + head[7];
    if (version !== OGAWA_VERSION) {
      throw new UnsupportedError(`${this.label}: Ogawa version ${version}, only ${OGAWA_VERSION} is known`);
    }
    return this.#u64(8, 'position of the root group');
  }

  #groupAt(position: number, what: string): OgawaGroup {
    const count = this.#u64(position, `children of ${what}`);
    requireFit(this.label, `children of ${what}`, count, 8, this.source.size - position - 8);
    this.#charge(8 + count * 8);
    const bytes = this.source.read(position + 8, count * 8);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const words = new Uint32Array(count * 2);
    for (let k = 0; k < words.length; k++) words[k] = view.getUint32(4 * k, true);
    return new OgawaGroup(words);
  }

  #u64(position: number, field: string): number {
    if (position < 8 || position + 8 > this.source.size) {
      throw new InputError(
        `${this.label}: '${field}' is at byte ${position} of ${this.source.size}; ` +
          'the file is cut short or damaged, export it again',
      );
    }
    const bytes = this.source.read(position, 8);
    const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
    return view.getUint32(4, true) * TWO_32 + view.getUint32(0, true);
  }

  #requireChild(parent: OgawaGroup, child: number, isData: boolean, what: string): void {
    if (child >= 0 && child < parent.count && parent.isData(child) === isData) return;
    const found = child >= 0 && child < parent.count ? `a ${isData ? 'group' : 'data block'}` : 'missing';
    throw new InputError(`${this.label}: ${what} is ${found}; the file is damaged, export it again`);
  }

  #charge(bytes: number): void {
    this.#budget -= bytes;
    if (this.#budget >= 0) return;
    throw new InputError(`${this.label}: its groups overlap or form a cycle; the file is damaged, export it again`);
  }
}

function requireOgawa(label: string, head: Uint8Array): void {
  const begins = (signature: string) => [...signature].every((char, k) => head[k] === char.charCodeAt(0));
  if (begins(OGAWA_MAGIC)) return;
  if (begins(HDF5)) {
    throw new UnsupportedError(`${label}: an HDF5 file, the form of Alembic before version 1.5; ${OGAWA_CURE}`);
  }
  throw new InputError(`${label}: the file does not begin with ${OGAWA_MAGIC}; it is of another format`);
}
