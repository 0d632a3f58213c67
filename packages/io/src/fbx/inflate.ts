/**
 * Inflates a zlib stream into exactly as many bytes as the file declares, and not one more: a stream that holds more,
 * or less, is refused where that shows. A library that grows its output would let 2 MB of file ask for gigabytes.
 *
 * Reference: Deutsch. DEFLATE Compressed Data Format Specification, RFC 1951; Deutsch, Gailly. ZLIB, RFC 1950. The
 * checksum at the end is not compared: a reader of numbers checks those themselves.
 */
import { InputError } from '@pelt/model';

const LENGTH_BASE = Uint16Array.of(
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  10,
  11,
  13,
  15,
  17,
  19,
  23,
  27,
  31,
  35,
  43,
  51,
  59,
  67,
  83,
  99,
  115,
  131,
  163,
  195,
  227,
  258,
);
const LENGTH_BITS = Uint8Array.of(
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
  1,
  1,
  2,
  2,
  2,
  2,
  3,
  3,
  3,
  3,
  4,
  4,
  4,
  4,
  5,
  5,
  5,
  5,
  0,
);
const DISTANCE_BASE = Uint16Array.of(
  1,
  2,
  3,
  4,
  5,
  7,
  9,
  13,
  17,
  25,
  33,
  49,
  65,
  97,
  129,
  193,
  257,
  385,
  513,
  769,
  1025,
  1537,
  2049,
  3073,
  4097,
  6145,
  8193,
  12289,
  16385,
  24577,
);
const DISTANCE_BITS = Uint8Array.of(
  0,
  0,
  0,
  0,
  1,
  1,
  2,
  2,
  3,
  3,
  4,
  4,
  5,
  5,
  6,
  6,
  7,
  7,
  8,
  8,
  9,
  9,
  10,
  10,
  11,
  11,
  12,
  12,
  13,
  13,
);
const CODE_ORDER = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15);
const END_OF_BLOCK = 256;
const MAX_BITS = 15;

/** Symbols by the next `bits` bits of the stream, low bit first: symbol << 4 | length of its code; 0 for no code. */
interface CodeTable {
  readonly bits: number;
  readonly entries: Uint16Array;
}

let fixed: { readonly literals: CodeTable; readonly distances: CodeTable } | undefined;

/**
 * @param input  a zlib stream
 * @param size   bytes that it must give
 * @throws InputError for a stream that is damaged or of another size
 */
export function inflateExactly(input: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  if (input.length < 2 || (input[0] & 15) !== 8 || ((input[0] << 8) | input[1]) % 31 !== 0 || (input[1] & 32) !== 0) {
    throw damaged('does not begin as a zlib stream');
  }
  return new Inflater(input, size).run();
}

class Inflater {
  readonly #input: Uint8Array;
  readonly #out: Uint8Array<ArrayBuffer>;
  #at = 2;
  #written = 0;
  /** Bits that were taken from the input and not used yet. */
  #hold = 0;
  #count = 0;

  constructor(input: Uint8Array, size: number) {
    this.#input = input;
    this.#out = new Uint8Array(size);
  }

  run(): Uint8Array<ArrayBuffer> {
    for (let last = 0; last === 0; ) {
      last = this.#take(1);
      const type = this.#take(2);
      if (type === 0) this.#stored();
      else if (type === 1) {
        fixed ??= fixedTables();
        this.#block(fixed.literals, fixed.distances);
      } else if (type === 2) {
        const { literals, distances } = this.#dynamicTables();
        this.#block(literals, distances);
      } else throw damaged('has a block of no known type');
    }
    if (this.#written !== this.#out.length) {
      throw damaged(`holds ${this.#written} bytes, but ${this.#out.length} are declared`);
    }
    return this.#out;
  }

  #take(bits: number): number {
    while (this.#count < bits) {
      if (this.#at >= this.#input.length) throw damaged('ends too early');
      this.#hold |= this.#input[this.#at++] << this.#count;
      this.#count += 8;
    }
    const value = this.#hold & ((1 << bits) - 1);
    this.#hold >>>= bits;
    this.#count -= bits;
    return value;
  }

  #stored(): void {
    this.#hold = 0;
    this.#count = 0;
    const input = this.#input;
    if (this.#at + 4 > input.length) throw damaged('ends too early');
    const length = input[this.#at] | (input[this.#at + 1] << 8);
    this.#at += 4;
    if (this.#at + length > input.length) throw damaged('ends too early');
    if (this.#written + length > this.#out.length) throw tooLong(this.#out.length);
    this.#out.set(input.subarray(this.#at, this.#at + length), this.#written);
    this.#at += length;
    this.#written += length;
  }

  #dynamicTables() {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const codeCount = this.#take(4) + 4;
    const codeLengths = new Uint8Array(19);
    for (let k = 0; k < codeCount; k++) codeLengths[CODE_ORDER[k]] = this.#take(3);
    const codes = tableOf(codeLengths);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let k = 0; k < lengths.length; ) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) {
        lengths[k++] = symbol;
        continue;
      }
      if (symbol === 16 && k === 0) throw damaged('repeats a code length that is not there');
      const value = symbol === 16 ? lengths[k - 1] : 0;
      const times = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (k + times > lengths.length) throw damaged('has too many code lengths');
      lengths.fill(value, k, k + times);
      k += times;
    }
    return {
      literals: tableOf(lengths.subarray(0, literalCount)),
      distances: tableOf(lengths.subarray(literalCount)),
    };
  }

  /** The next symbol, bits one by one where the input nearly ends. */
  #symbol({ bits, entries }: CodeTable): number {
    while (this.#count < bits && this.#at < this.#input.length) {
      this.#hold |= this.#input[this.#at++] << this.#count;
      this.#count += 8;
    }
    const entry = entries[this.#hold & ((1 << bits) - 1)];
    const length = entry & 15;
    if (length === 0 || length > this.#count)
      throw damaged(length === 0 ? 'has a code of no symbol' : 'ends too early');
    this.#hold >>>= length;
    this.#count -= length;
    return entry >> 4;
  }

  #block(literals: CodeTable, distances: CodeTable): void {
    const out = this.#out;
    const { length } = out;
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol < END_OF_BLOCK) {
        if (this.#written === length) throw tooLong(length);
        out[this.#written++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) return;
      const l = symbol - 257;
      if (l >= LENGTH_BASE.length) throw damaged('has a length of no meaning');
      const run = LENGTH_BASE[l] + this.#take(LENGTH_BITS[l]);
      const d = this.#symbol(distances);
      if (d >= DISTANCE_BASE.length) throw damaged('has a distance of no meaning');
      const distance = DISTANCE_BASE[d] + this.#take(DISTANCE_BITS[d]);
      const at = this.#written;
      if (distance > at) throw damaged('refers to bytes before its beginning');
      if (at + run > length) throw tooLong(length);
      if (distance >= run) out.copyWithin(at, at - distance, at - distance + run);
      else for (let k = 0; k < run; k++) out[at + k] = out[at - distance + k];
      this.#written = at + run;
    }
  }
}

/** Canonical codes of given lengths, as a table over the next bits. Codes of an incomplete set stay without a symbol. */
function tableOf(lengths: Uint8Array): CodeTable {
  const counts = new Uint16Array(MAX_BITS + 2);
  let bits = 1;
  for (const length of lengths) {
    counts[length]++;
    if (length > bits) bits = length;
  }
  counts[0] = 0;
  const next = new Uint32Array(MAX_BITS + 2);
  for (let length = 1; length <= MAX_BITS; length++) {
    next[length + 1] = (next[length] + counts[length]) << 1;
    if (next[length] + counts[length] > 1 << length) throw damaged('has more codes than fit');
  }
  const entries = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    const code = reversed(next[length]++, length);
    for (let k = code; k < entries.length; k += 1 << length) entries[k] = (symbol << 4) | length;
  }
  return { bits, entries };
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let k = 0; k < length; k++) result |= ((code >> k) & 1) << (length - 1 - k);
  return result;
}

function fixedTables() {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return { literals: tableOf(lengths), distances: tableOf(new Uint8Array(30).fill(5)) };
}

function damaged(what: string): InputError {
  return new InputError(`compressed data ${what}; the file is damaged, export it again`);
}

function tooLong(size: number): InputError {
  return damaged(`gives more than the ${size} bytes that are declared`);
}
