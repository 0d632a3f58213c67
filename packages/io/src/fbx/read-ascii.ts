/**
 * The text form of FBX: `Name: value, value {`, children, `}`; lists as `Name: *count {`, `a: number,number,…`, `}`; comments
 * from `;` to the end of the line.
 */
import { InputError } from '@pelt/model';
import { type FbxNode, type FbxValue, TextArray } from './fbx-node.ts';
import { type FbxTree, MAX_DEPTH, requireVersion } from './read-binary.ts';

const NEW_LINE = 10;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const SEMICOLON = 59;
const OPEN = 123;
const CLOSE = 125;
const STAR = 42;

export function readAsciiFbx(bytes: Uint8Array): FbxTree {
  const text = new TextDecoder().decode(bytes);
  const version = Number(/FBXVersion:\s*(\d+)/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(version)) throw new InputError('it is neither a binary nor a text FBX; export it again, or as glTF');
  requireVersion(version);
  return { version, nodes: new TextReader(text).topNodes() };
}

class TextReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  topNodes(): FbxNode[] {
    return this.#nodes(0);
  }

  #nodes(depth: number): FbxNode[] {
    if (depth > MAX_DEPTH) throw new InputError(`its nodes are nested more than ${MAX_DEPTH} deep; it is damaged`);
    const nodes: FbxNode[] = [];
    for (;;) {
      this.#skipBlanks(true);
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code)) {
        if (depth > 0) throw this.#wrong('the file ends inside of a node');
        return nodes;
      }
      if (code === CLOSE) {
        this.#at++;
        if (depth === 0) throw this.#wrong('a bracket closes what was not open');
        return nodes;
      }
      nodes.push(this.#node(depth));
    }
  }

  #node(depth: number): FbxNode {
    const colon = this.#text.indexOf(':', this.#at);
    const name = colon < 0 ? '' : this.#text.slice(this.#at, colon).trim();
    if (!/^[\w|]{1,80}$/.test(name)) throw this.#wrong('a name and a colon are expected');
    this.#at = colon + 1;
    this.#skipBlanks(false);
    if (this.#text.charCodeAt(this.#at) === STAR) return { name, values: [this.#array()], children: [] };
    const values = this.#values();
    this.#skipBlanks(false);
    if (this.#text.charCodeAt(this.#at) !== OPEN) return { name, values, children: [] };
    this.#at++;
    return { name, values, children: this.#nodes(depth + 1) };
  }

  #values(): FbxValue[] {
    const values: FbxValue[] = [];
    for (;;) {
      this.#skipBlanks(false);
      const code = this.#text.charCodeAt(this.#at);
      if (code === COMMA) {
        this.#at++;
        // A list goes on in the next line behind a comma.
        this.#skipBlanks(true);
        continue;
      }
      if (Number.isNaN(code) || code === NEW_LINE || code === OPEN || code === CLOSE || code === SEMICOLON)
        return values;
      values.push(code === QUOTE ? this.#string() : this.#word());
    }
  }

  #string(): string {
    const end = this.#text.indexOf('"', this.#at + 1);
    if (end < 0) throw this.#wrong('a text has no end');
    const value = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return value.includes('&')
      ? value.replaceAll('&quot;', '"').replaceAll('&cr;', '\n').replaceAll('&lf;', '\n')
      : value;
  }

  #word(): FbxValue {
    const start = this.#at;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code) || code <= 32 || code === COMMA || code === OPEN || code === CLOSE || code === COLON)
        break;
      this.#at++;
    }
    if (this.#at === start) throw this.#wrong('a value is expected');
    const word = this.#text.slice(start, this.#at);
    if (!/^[-+.\d]/.test(word)) return word;
    const number = Number(word);
    if (Number.isNaN(number)) return word;
    return Number.isSafeInteger(number) || !/^-?\d+$/.test(word) ? number : BigInt(word);
  }

  #array(): TextArray {
    const open = this.#text.indexOf('{', this.#at);
    const close = this.#text.indexOf('}', this.#at);
    const count = Number(this.#text.slice(this.#at + 1, open).trim());
    if (open < 0 || close < open || !Number.isSafeInteger(count) || count < 0)
      throw this.#wrong('a list is not closed');
    // A number takes a digit and a comma at least.
    if (2 * count > close - open) {
      throw this.#wrong(`a list declares ${count} numbers, but has ${close - open} characters`);
    }
    const numbers = new Float64Array(count);
    let at = this.#text.indexOf(':', open) + 1;
    if (count > 0 && (at === 0 || at > close)) throw this.#wrong('a list has no numbers');
    for (let k = 0; k < count; k++) {
      let end = this.#text.indexOf(',', at);
      if (end < 0 || end > close) end = close;
      numbers[k] = at > close ? Number.NaN : Number(this.#text.slice(at, end));
      at = end + 1;
    }
    this.#at = close + 1;
    return new TextArray(numbers);
  }

  /** Moves over blanks and comments, and over line ends where `lines` is set. */
  #skipBlanks(lines: boolean): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === SEMICOLON) {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (code <= 32 && (lines || code !== NEW_LINE)) this.#at++;
      else return;
    }
  }

  #wrong(what: string): InputError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new InputError(`${what} in line ${line}; the file is cut short or damaged, export it again`);
  }
}
