/**
 * Reads numbers and words of line-based text straight from bytes: no line is ever cut into strings.
 *
 * A number, rounded to float32, is what the platform's own conversion would give, rounded likewise: float32 is all that
 * is kept. A decimal of up to 15 digits with a power of ten up to 22 is one exact integer times or divided by one exact
 * power, so a single rounding gives the right double (Clinger. How to read floating point numbers accurately. 1990, §2).
 * A longer one lies between its first 15 digits and the next such number; where both round to the same float32 the rest
 * does not matter, else the platform decides.
 */
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const BACKSLASH = 92;

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
const MAX_EXACT_POWER = 22;

const decoder = new TextDecoder();

/** What a number in a file may reach: the largest double that rounds to a finite float32, half a unit above FLT_MAX. */
export const MAX_FLOAT32 = 3.4028235677973362e38;

export class TextScanner {
  readonly bytes: Uint8Array;
  readonly end: number;
  position: number;
  /** Where the number or word read last begins. */
  tokenStart: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.end = bytes.length;
    this.position = position;
    this.tokenStart = position;
  }

  get atEnd(): boolean {
    return this.position >= this.end;
  }

  /** Moves to the next word of this line, over blanks and joined lines (`\` at the end); false where there is none. */
  moreOnLine(): boolean {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end) {
      const c = bytes[p];
      if (c === NEWLINE || c === RETURN || c === HASH) break;
      if (c > SPACE) {
        const joined = c === BACKSLASH ? this.#joinLength(p) : 0;
        if (joined === 0) {
          this.position = p;
          return true;
        }
        p += joined;
      } else p++;
    }
    this.position = p;
    return false;
  }

  /** Moves to the next word, whatever the line; false at the end of the text. */
  moreInText(): boolean {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end && bytes[p] <= SPACE) p++;
    this.position = p;
    return p < end;
  }

  /** Moves to the end of this line, or of the last one joined to it by a `\`; a comment joins nothing. */
  toLineEnd(): void {
    const { bytes, end } = this;
    let start = this.position;
    let p = start;
    for (;;) {
      while (p < end && bytes[p] !== NEWLINE && bytes[p] !== RETURN) p++;
      // Looked for behind the line rather than at every byte of it: joined lines are rare.
      if (p >= end || p === start || bytes[p - 1] !== BACKSLASH || bytes.subarray(start, p).includes(HASH)) break;
      p += this.#joinLength(p - 1) - 1;
      start = p;
    }
    this.position = p;
  }

  /** Moves behind the end of this line. */
  nextLine(): void {
    this.toLineEnd();
    const { bytes, end, position } = this;
    if (position >= end) return;
    const crlf = bytes[position] === RETURN && position + 1 < end && bytes[position + 1] === NEWLINE;
    this.position = position + (crlf ? 2 : 1);
  }

  /**
   * The number here, to the end of its word. NaN where the word is not a number; `isFinite` is the caller's to check,
   * since 1e999 is one and infinite.
   */
  number(): number {
    const { bytes, end } = this;
    let p = this.position;
    this.tokenStart = p;
    const negative = p < end && bytes[p] === MINUS;
    if (negative || (p < end && bytes[p] === PLUS)) p++;

    let mantissa = 0;
    let exponent = 0;
    let digits = 0;
    let truncated = false;
    for (; p < end; p++, digits++) {
      const d = bytes[p] - 48;
      if (d < 0 || d > 9) break;
      if (mantissa < 1e14) mantissa = mantissa * 10 + d;
      else {
        exponent++;
        truncated = true;
      }
    }
    if (p < end && bytes[p] === DOT) {
      for (p++; p < end; p++, digits++) {
        const d = bytes[p] - 48;
        if (d < 0 || d > 9) break;
        if (mantissa < 1e14) {
          mantissa = mantissa * 10 + d;
          exponent--;
        } else truncated = true;
      }
    }
    if (digits > 0 && p < end && (bytes[p] | 32) === 101) {
      // An exponent; one without digits leaves the `e` behind, and the word is no number.
      let q = p + 1;
      const sign = q < end && bytes[q] === MINUS ? -1 : 1;
      if (q < end && (bytes[q] === MINUS || bytes[q] === PLUS)) q++;
      let power = 0;
      const first = q;
      for (; q < end; q++) {
        const d = bytes[q] - 48;
        if (d < 0 || d > 9) break;
        if (power < 1e6) power = power * 10 + d;
      }
      if (q > first) {
        exponent += sign * power;
        p = q;
      }
    }
    this.position = p;
    if (digits === 0 || this.wordGoesOn()) {
      this.#moveToTokenEnd();
      return Number.NaN;
    }
    if (mantissa === 0 && !truncated) return negative ? -0 : 0;
    if (exponent > MAX_EXACT_POWER || exponent < -MAX_EXACT_POWER) return this.#slowNumber();
    const value = scaled(mantissa, exponent);
    if (truncated && Math.fround(value) !== Math.fround(scaled(mantissa + 1, exponent))) return this.#slowNumber();
    return negative ? -value : value;
  }

  /** The whole number here, with its sign, up to whatever follows its digits; NaN where there are none. */
  integer(): number {
    const { bytes, end } = this;
    let p = this.position;
    this.tokenStart = p;
    const negative = p < end && bytes[p] === MINUS;
    if (negative || (p < end && bytes[p] === PLUS)) p++;
    const first = p;
    let value = 0;
    for (; p < end; p++) {
      const d = bytes[p] - 48;
      if (d < 0 || d > 9) break;
      // Growing on without bound ends at Infinity, which no range check lets through.
      value = value * 10 + d;
    }
    this.position = p;
    if (p === first) return Number.NaN;
    return negative ? -value : value;
  }

  /** The word here. */
  word(): string {
    this.tokenStart = this.position;
    this.#moveToTokenEnd();
    return decoder.decode(this.bytes.subarray(this.tokenStart, this.position));
  }

  /** True in the middle of a word: what was read is only the beginning of it. */
  wordGoesOn(): boolean {
    const { bytes, end, position } = this;
    return position < end && bytes[position] > SPACE && bytes[position] !== BACKSLASH;
  }

  /** All that is left of this line, trimmed, with joined lines put together. */
  restOfLine(): string {
    const start = this.position;
    this.toLineEnd();
    return decoder
      .decode(this.bytes.subarray(start, this.position))
      .replace(/\\\r?\n|\\\r/g, ' ')
      .trim();
  }

  /** The word read last as an error shows it: not longer than a name would be. */
  lastToken(): string {
    const { tokenStart } = this;
    this.position = tokenStart;
    this.#moveToTokenEnd();
    const token = decoder.decode(this.bytes.subarray(tokenStart, Math.min(this.position, tokenStart + 40)));
    return this.position > tokenStart + 40 ? `${token}…` : token;
  }

  /** The line of `position`, from 1; counted only when asked, since only messages need it. */
  lineNumber(position = this.tokenStart): number {
    let line = 1;
    for (let p = 0; p < position && p < this.end; p++) {
      const c = this.bytes[p];
      if (c === NEWLINE || (c === RETURN && this.bytes[p + 1] !== NEWLINE)) line++;
    }
    return line;
  }

  #slowNumber(): number {
    return Number(decoder.decode(this.bytes.subarray(this.tokenStart, this.position)));
  }

  #moveToTokenEnd(): void {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end && bytes[p] > SPACE) p++;
    this.position = p;
  }

  /** Bytes of a `\` with the line end behind it; 0 where it is a plain character. */
  #joinLength(p: number): number {
    const next = p + 1 < this.end ? this.bytes[p + 1] : 0;
    if (next === NEWLINE) return 2;
    if (next !== RETURN) return 0;
    return p + 2 < this.end && this.bytes[p + 2] === NEWLINE ? 3 : 2;
  }
}

/** mantissa × 10^exponent with one rounding: both operands are exact. */
function scaled(mantissa: number, exponent: number): number {
  return exponent < 0 ? mantissa / POWERS_OF_TEN[-exponent] : mantissa * POWERS_OF_TEN[exponent];
}
