/**
 * `uri` of buffers and images, and the values of `motions`, from a JSON text in parts. Only as much of it is understood as
 * that takes, and nothing is built: a text of a gigabyte is read in a few kilobytes.
 */
import type { NameScanner, NameSet } from './named-files.ts';

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Longer ones are no names: the bytes of a data URI stand in the text itself. */
const LONGEST = 1 << 14;
const LISTS = ['buffers', 'images'];

export class JsonNames implements NameScanner {
  readonly #names: NameSet;
  #depth = 0;
  /** Whether the next string is a key; of the innermost object. */
  #isKey = false;
  /** Whether each of the outermost three is an object. */
  readonly #objects: boolean[] = [];
  /** The last key at depths 1 and 3. */
  #outer = '';
  #inner = '';
  #inString = false;
  #escaped = false;
  /** Bytes of the string at hand, where it matters. */
  #string: number[] | undefined;

  constructor(names: NameSet) {
    this.#names = names;
  }

  push(bytes: Uint8Array): void {
    for (let k = 0; k < bytes.length; k++) {
      const byte = bytes[k];
      if (!this.#inString) this.#structure(byte);
      else if (this.#escaped) {
        this.#escaped = false;
        this.#keep(byte);
      } else if (byte === QUOTE) this.#endString();
      else {
        this.#escaped = byte === BACKSLASH;
        this.#keep(byte);
      }
    }
  }

  end(): readonly string[] {
    return this.#names.all;
  }

  #structure(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        this.#string = this.#matters() ? [] : undefined;
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#isKey = byte === OPEN_OBJECT;
        if (this.#depth++ < 3) this.#objects[this.#depth - 1] = this.#isKey;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#depth = Math.max(0, this.#depth - 1);
        this.#isKey = false;
        break;
      case COLON:
        this.#isKey = false;
        break;
      case COMMA:
        this.#isKey = this.#depth >= 1 && this.#depth <= 3 && this.#objects[this.#depth - 1];
        break;
    }
  }

  /** Whether the string that begins is a key to what is wanted, or wanted itself. */
  #matters(): boolean {
    if (this.#depth === 1) return this.#isKey;
    if (this.#depth === 2) return this.#outer === 'motions' && !this.#isKey;
    return this.#depth === 3 && LISTS.includes(this.#outer) && (this.#isKey || this.#inner === 'uri');
  }

  #keep(byte: number): void {
    if (this.#string === undefined) return;
    if (this.#string.length === LONGEST) this.#string = undefined;
    else this.#string.push(byte);
  }

  #endString(): void {
    this.#inString = false;
    const text = this.#string === undefined ? undefined : unescaped(this.#string);
    this.#string = undefined;
    if (this.#depth === 1 && this.#isKey) this.#outer = text ?? '';
    else if (this.#depth === 3 && this.#isKey) this.#inner = text ?? '';
    else if (text !== undefined && !text.startsWith('data:')) this.#add(text);
  }

  /** A URI as it stands and as it is meant. */
  #add(uri: string): void {
    this.#names.add(uri);
    try {
      this.#names.add(decodeURIComponent(uri));
    } catch {
      // It is a name then.
    }
  }
}

/** Undefined for what is no string of JSON: its reader will say so. */
function unescaped(bytes: readonly number[]): string | undefined {
  try {
    return JSON.parse(`"${Buffer.from(bytes).toString('utf8')}"`) as string;
  } catch {
    return undefined;
  }
}
