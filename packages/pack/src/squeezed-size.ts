/**
 * About how many bytes a general compressor, such as brotli or gzip, makes of bytes: what layouts, orders and bits are
 * compared by where a file travels compressed. An estimate rather than a compressor, for it must be quick, and the same in
 * every engine.
 *
 * Repetitions are found greedily by hashes of four bytes (LZ77); the rest costs −log₂ p by counts that forget, in a few
 * contexts of the byte before.
 */
const HASH_BITS = 15;
/** Bits of a repetition beside those of its length and its distance. */
const MATCH_BITS = 5;
const LEAST_MATCH = 4;
/** The same of one at the distance of the one before. */
const [AGAIN_BITS, LEAST_AGAIN, FIRST_DISTANCE] = [3, 2, 4];
/** What a literal adds to its count, and the sum at which counts are halved. */
const [GAIN, LIMIT] = [32, 1 << 13];

/** Context of a byte: how large the one before it was. */
const CONTEXTS = Uint8Array.from({ length: 256 }, (_, value) => (value === 0 ? 0 : value < 4 ? 1 : value < 24 ? 2 : 3));

/** log₂ of 1 to 2^13 in steps of one, by a table, for the engines' logarithms differ. */
const LOG = logarithms(LIMIT + GAIN + 257);

export function squeezedSize(bytes: Uint8Array): number {
  const n = bytes.length;
  const counts = new Uint32Array(4 * 256).fill(1);
  const sums = new Uint32Array(4).fill(256);
  const heads = new Int32Array(1 << HASH_BITS).fill(-1);
  let bits = 0;
  let context = 0;
  let distance = FIRST_DISTANCE;
  const literal = (value: number): number => {
    const at = 256 * context + value;
    const cost = LOG[sums[context]] - LOG[counts[at]];
    counts[at] += GAIN;
    sums[context] += GAIN;
    if (sums[context] > LIMIT) halve(counts, sums, context);
    context = CONTEXTS[value];
    return cost;
  };
  for (let at = 0; at < n; ) {
    if (at + LEAST_MATCH > n) {
      bits += literal(bytes[at++]);
      continue;
    }
    const hash = hashAt(bytes, at);
    const found = heads[hash];
    heads[hash] = at;
    // The distance of the repetition before costs next to nothing: rows repeat what is a row above.
    const again = matchLength(bytes, at - distance, at);
    const fresh = found >= 0 ? matchLength(bytes, found, at) : 0;
    const cheap = again >= LEAST_AGAIN && again + 1 >= fresh;
    const length = cheap ? again : fresh;
    if (cheap || fresh >= LEAST_MATCH) {
      const way = cheap ? AGAIN_BITS : MATCH_BITS + LOG[Math.min(at - found, LIMIT)];
      const matched = way + LOG[Math.min(length, LIMIT)];
      if (matched < plainBits(bytes, at, Math.min(length, 16), counts, sums)) {
        bits += matched;
        if (!cheap) distance = at - found;
        for (const end = at + length; at < end; at++) if (at + LEAST_MATCH <= n) heads[hashAt(bytes, at)] = at;
        context = CONTEXTS[bytes[at - 1]];
        continue;
      }
    }
    bits += literal(bytes[at++]);
  }
  return bits / 8;
}

function matchLength(bytes: Uint8Array, from: number, at: number): number {
  if (from < 0) return 0;
  let length = 0;
  while (at + length < bytes.length && bytes[from + length] === bytes[at + length]) length++;
  return length;
}

/** What bytes would cost as literals. */
function plainBits(bytes: Uint8Array, at: number, length: number, counts: Uint32Array, sums: Uint32Array): number {
  let bits = 0;
  for (let k = at; k < at + length; k++) {
    const context = k > 0 ? CONTEXTS[bytes[k - 1]] : 0;
    bits += LOG[sums[context]] - LOG[counts[256 * context + bytes[k]]];
  }
  return bits;
}

function halve(counts: Uint32Array, sums: Uint32Array, context: number): void {
  let sum = 0;
  for (let k = 256 * context; k < 256 * (context + 1); k++) {
    counts[k] = (counts[k] + 1) >> 1;
    sum += counts[k];
  }
  sums[context] = sum;
}

function hashAt(bytes: Uint8Array, at: number): number {
  const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** Between powers of two linear from square roots: to a hundredth of a bit. */
function logarithms(count: number): Float32Array {
  const out = new Float32Array(count);
  for (let k = 1; k < count; k++) {
    const whole = 31 - Math.clz32(k);
    let [rest, bit] = [k / 2 ** whole, 0.5];
    let sum: number = whole;
    for (let digit = 0; digit < 10; digit++, bit /= 2) {
      rest *= rest;
      if (rest < 2) continue;
      rest /= 2;
      sum += bit;
    }
    out[k] = sum;
  }
  return out;
}
