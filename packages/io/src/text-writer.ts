/**
 * Builds text as bytes. A float32 is written with the fewest digits that read back as the same float32, nine at most.
 *
 * With p digits x ≈ k / 10^e, k a whole number below 10^9: both are exact doubles while e ≤ 22, so k / 10^e is what any
 * correct reader makes of the text, and comparing its float32 with x decides whether p digits are enough. Starting at
 * six is enough to find shorter ones: x lies so near to those that rounding to six digits gives them, with zeros behind.
 */
const FIRST_CAPACITY = 1 << 16;
const ZERO = 48;
const DOT = 46;
const MINUS = 45;
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
const LEAST_DIGITS = 6;
const MOST_DIGITS = 9;

const encoder = new TextEncoder();

export class TextWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;
  readonly #digits = new Uint8Array(16);

  text(text: string): this {
    const encoded = encoder.encode(text);
    this.#reserve(encoded.length);
    this.#bytes.set(encoded, this.#length);
    this.#length += encoded.length;
    return this;
  }

  /** One byte: a blank, a slash, a line end. */
  byte(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  /** A whole number from 0 to 2^32 − 1. */
  index(value: number): this {
    this.#reserve(10);
    this.#length = this.#writeDigits(value, this.#length);
    return this;
  }

  /** A finite float32, so that reading it gives the same number, its sign of zero included. */
  float32(value: number): this {
    const size = Math.abs(value);
    // Outside of this a plain decimal is long, or its power of ten no longer exact; the platform writes an exponent.
    if (size !== 0 && !(size >= 1e-6 && size < 1e9)) return this.text(shortestFloat32(value));
    this.#reserve(24);
    if (value < 0 || Object.is(value, -0)) this.#bytes[this.#length++] = MINUS;
    let magnitude = 0;
    while (magnitude < MOST_DIGITS && size >= POWERS_OF_TEN[magnitude]) magnitude++;
    while (magnitude > -6 && magnitude <= 0 && size * POWERS_OF_TEN[-magnitude + 1] < 1) magnitude--;
    // `magnitude` digits stand before the point; where it is negative, that many zeros follow the point.
    for (let digits = LEAST_DIGITS; ; digits++) {
      const decimals = Math.max(digits - magnitude, 0);
      const scaled = Math.round(size * POWERS_OF_TEN[decimals]);
      if (digits === MOST_DIGITS || Math.fround(scaled / POWERS_OF_TEN[decimals]) === size) {
        this.#length = this.#writeDecimal(scaled, decimals, this.#length);
        return this;
      }
    }
  }

  /** A number rounded to so many decimals: for data that never had more. */
  rounded(value: number, decimals: number): this {
    return this.text(String(Number(value.toFixed(decimals))));
  }

  /** All that was written, as a copy of its exact size. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + size));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  #writeDigits(value: number, at: number): number {
    let count = 0;
    let left = value;
    do {
      const tenth = Math.floor(left / 10);
      this.#digits[count++] = ZERO + (left - tenth * 10);
      left = tenth;
    } while (left > 0);
    while (count > 0) this.#bytes[at++] = this.#digits[--count];
    return at;
  }

  /** value / 10^decimals, without zeros at the end. */
  #writeDecimal(value: number, decimals: number, at: number): number {
    const scale = POWERS_OF_TEN[decimals];
    const whole = Math.floor(value / scale);
    at = this.#writeDigits(whole, at);
    let fraction = value - whole * scale;
    if (fraction === 0) return at;
    this.#bytes[at] = DOT;
    // From the last decimal to the first, each in its place.
    let end = at + decimals;
    while (fraction % 10 === 0) {
      fraction /= 10;
      end--;
    }
    for (let p = end; p > at; p--) {
      const tenth = Math.floor(fraction / 10);
      this.#bytes[p] = ZERO + (fraction - tenth * 10);
      fraction = tenth;
    }
    return end + 1;
  }
}

function shortestFloat32(value: number): string {
  for (let digits = LEAST_DIGITS; digits < MOST_DIGITS; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(MOST_DIGITS)));
}

/** A name that stays on its line: control characters, and a `\` at the end that would join the next line, become `_`. */
export function onOneLine(name: string): string {
  let plain = '';
  for (const character of name) plain += (character.codePointAt(0) ?? 0) < 32 ? '_' : character;
  return plain.replace(/\\$/, '_');
}
