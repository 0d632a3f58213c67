/** Words, numbers and marks of USDA text, straight from its bytes. */
import { InputError } from '@pelt/model';

const decoder = new TextDecoder();
const [NEWLINE, SPACE, QUOTE, HASH, APOSTROPHE, AT, BACKSLASH] = [10, 32, 34, 35, 39, 64, 92];
const [COLON, LESS, GREATER] = [58, 60, 62];
const POWERS = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
const EXACT_DIGITS = 15;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

export class UsdaScanner {
  readonly bytes: Uint8Array;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The byte of the next mark or word; 0 at the end. Blanks and comments are passed over. */
  peek(): number {
    const { bytes } = this;
    let p = this.position;
    for (; p < bytes.length; p++) {
      if (bytes[p] === HASH) while (p + 1 < bytes.length && bytes[p + 1] !== NEWLINE) p++;
      else if (bytes[p] > SPACE) break;
    }
    this.position = p;
    return p < bytes.length ? bytes[p] : 0;
  }

  /** Whether the next is a mark, which is then passed. */
  take(mark: string): boolean {
    if (this.peek() !== mark.charCodeAt(0)) return false;
    this.position++;
    return true;
  }

  expect(mark: string): void {
    if (!this.take(mark)) throw this.fault(`'${mark}' is expected`);
  }

  /** A word of letters, digits, `_`, `:`, `.`, or empty where none is next. Types may end in `[]`. */
  word(): string {
    this.peek();
    const start = this.position;
    while (isWordByte(this.bytes[this.position])) this.position++;
    return decoder.decode(this.bytes.subarray(start, this.position));
  }

  /** `[]` of a type of arrays, or nothing. */
  brackets(): string {
    if (!this.take('[')) return '';
    this.expect(']');
    return '[]';
  }

  /** A word that has to be there. */
  name(): string {
    const word = this.word();
    if (word === '') throw this.fault('a name is expected');
    return word;
  }

  atNumber(): boolean {
    const c = this.peek();
    return (c >= 48 && c <= 57) || c === 43 || c === 45 || c === 46;
  }

  /** A number, `inf` and `nan` too. */
  number(): number {
    this.peek();
    const { bytes } = this;
    const start = this.position;
    let p = start;
    const negative = bytes[p] === 45;
    if (negative || bytes[p] === 43) p++;
    let mantissa = 0;
    let digits = 0;
    let exponent = 0;
    for (; bytes[p] >= 48 && bytes[p] <= 57; p++, digits++) mantissa = mantissa * 10 + bytes[p] - 48;
    if (bytes[p] === 46) {
      for (p++; bytes[p] >= 48 && bytes[p] <= 57; p++, digits++, exponent--) mantissa = mantissa * 10 + bytes[p] - 48;
    }
    const plain = bytes[p] === COLON || !isWordByte(bytes[p]);
    if (plain && digits > 0 && digits <= EXACT_DIGITS) {
      this.position = p;
      // Both are exact, so that one rounding gives the nearest number.
      const value = exponent < 0 ? mantissa / POWERS[-exponent] : mantissa;
      return negative ? -value : value;
    }
    while ((isWordByte(bytes[p]) && bytes[p] !== COLON) || bytes[p] === 43 || bytes[p] === 45) p++;
    const text = decoder.decode(bytes.subarray(start, p));
    this.position = p;
    if (/^[+-]?inf$/.test(text)) return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (/^[+-]?nan$/.test(text)) return Number.NaN;
    const value = text === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) throw this.fault(`'${text.slice(0, 40)}' is not a number`, start);
    return value;
  }

  atText(): boolean {
    const c = this.peek();
    return c === QUOTE || c === APOSTROPHE;
  }

  /** Text in quotes, single, double, or three of either. */
  text(): string {
    const mark = this.peek();
    if (mark !== QUOTE && mark !== APOSTROPHE) throw this.fault('text in quotes is expected');
    const { bytes } = this;
    const start = this.position;
    const long = bytes[start + 1] === mark && bytes[start + 2] === mark;
    const width = long ? 3 : 1;
    let p = start + width;
    const closes = () => bytes[p] === mark && (!long || (bytes[p + 1] === mark && bytes[p + 2] === mark));
    let escaped = false;
    while (p < bytes.length && !closes()) {
      if (bytes[p] === BACKSLASH) {
        escaped = true;
        p++;
      }
      p++;
    }
    if (p >= bytes.length) throw this.fault('text in quotes does not end', start);
    this.position = p + width;
    const raw = decoder.decode(bytes.subarray(start + width, p));
    return escaped ? raw.replace(/\\(x[0-9a-fA-F]{1,2}|.)/gs, (_, code: string) => unescaped(code)) : raw;
  }

  atAsset(): boolean {
    return this.peek() === AT;
  }

  /** `@path@`, or `@@@path@@@`. */
  asset(): string {
    const { bytes } = this;
    const start = this.position;
    const width = bytes[start + 1] === AT && bytes[start + 2] === AT ? 3 : 1;
    let p = start + width;
    while (p < bytes.length && !(bytes[p] === AT && (width === 1 || (bytes[p + 1] === AT && bytes[p + 2] === AT)))) p++;
    if (p >= bytes.length) throw this.fault("a path in '@' does not end", start);
    this.position = p + width;
    return decoder.decode(bytes.subarray(start + width, p));
  }

  atPath(): boolean {
    return this.peek() === LESS;
  }

  path(): string {
    const start = this.position;
    const end = this.bytes.indexOf(GREATER, start);
    if (end < 0) throw this.fault("a path in '<' and '>' does not end", start);
    this.position = end + 1;
    return decoder.decode(this.bytes.subarray(start + 1, end)).trim();
  }

  fault(what: string, at = this.position): InputError {
    let line = 1;
    for (let p = 0; p < at && p < this.bytes.length; p++) if (this.bytes[p] === NEWLINE) line++;
    return new InputError(`line ${line}: ${what}; the file is damaged, export it again`);
  }
}

function isWordByte(c: number | undefined): boolean {
  if (c === undefined) return false;
  const letter = c | 32;
  return (c >= 48 && c <= 57) || (letter >= 97 && letter <= 122) || c === 95 || c === 58 || c === 46 || c >= 128;
}

function unescaped(code: string): string {
  if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return ESCAPES[code] ?? code;
}
