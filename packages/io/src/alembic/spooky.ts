/**
 * SpookyHash V2, 128 bits, seed 0: the hashes of properties and objects in an archive, by which applications recognise
 * equal content. Hashed headers are short, so this is plain BigInt arithmetic.
 *
 * Reference: Jenkins. SpookyHash: a 128-bit noncryptographic hash. 2012.
 */
export type Hash128 = readonly [bigint, bigint];

const SEED = 0xdeadbeefdeadbeefn;
const WORDS = 12;
const BLOCK_BYTES = WORDS * 8;
/** Shorter messages use the short variant of the hash. */
const SHORT_BYTES = 2 * BLOCK_BYTES;

const MIX = [11n, 32n, 43n, 31n, 17n, 28n, 39n, 57n, 55n, 54n, 22n, 46n];
const END = [44n, 15n, 34n, 21n, 38n, 33n, 10n, 13n, 38n, 53n, 42n, 54n];
const SHORT_MIX = [50n, 52n, 30n, 41n, 54n, 48n, 38n, 37n, 62n, 34n, 5n, 36n];
const SHORT_END = [15n, 52n, 26n, 51n, 28n, 9n, 47n, 54n, 32n, 25n, 63n];

export function spookyHash(bytes: Uint8Array): Hash128 {
  return bytes.length < SHORT_BYTES ? shortHash(bytes) : longHash(bytes);
}

/** Mixes a second hash into a first, as the library accumulates the sample keys of a property. */
export function combineHashes([a, b]: Hash128, [c, d]: Hash128): Hash128 {
  return shortEnd([a, b, c, d]);
}

export function hashBytes([first, second]: Hash128): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(16));
  view.setBigUint64(0, first, true);
  view.setBigUint64(8, second, true);
  return new Uint8Array(view.buffer);
}

export function hashOfBytes(bytes: Uint8Array): Hash128 {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return [view.getBigUint64(0, true), view.getBigUint64(8, true)];
}

function shortHash(bytes: Uint8Array): Hash128 {
  const { length } = bytes;
  const padded = new Uint8Array(length + 16);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  const word = (at: number) => view.getBigUint64(at, true);
  const h = [0n, 0n, SEED, SEED];
  let at = 0;
  for (; at + 32 <= length; at += 32) {
    h[2] = add(h[2], word(at));
    h[3] = add(h[3], word(at + 8));
    shortMix(h);
    h[0] = add(h[0], word(at + 16));
    h[1] = add(h[1], word(at + 24));
  }
  if (length - at >= 16) {
    h[2] = add(h[2], word(at));
    h[3] = add(h[3], word(at + 8));
    shortMix(h);
    at += 16;
  }
  // The last 0 to 15 bytes, zero-padded; the seed if there are none.
  h[3] = add(h[3], BigInt(length) << 56n);
  h[2] = add(h[2], length > at ? word(at) : SEED);
  h[3] = add(h[3], length > at ? word(at + 8) : SEED);
  return shortEnd(h);
}

function longHash(bytes: Uint8Array): Hash128 {
  const blocks = Math.floor(bytes.length / BLOCK_BYTES);
  const rest = bytes.length - blocks * BLOCK_BYTES;
  const padded = new Uint8Array((blocks + 1) * BLOCK_BYTES);
  padded.set(bytes);
  padded[padded.length - 1] = rest;
  const view = new DataView(padded.buffer);
  const s = Array.from({ length: WORDS }, (_, k): bigint => (k % 3 === 2 ? SEED : 0n));
  for (let block = 0; block < blocks; block++) {
    for (let k = 0; k < WORDS; k++) {
      const [last, next] = [(k + 11) % WORDS, (k + 1) % WORDS];
      s[k] = add(s[k], view.getBigUint64(block * BLOCK_BYTES + 8 * k, true));
      s[(k + 2) % WORDS] ^= s[(k + 10) % WORDS];
      s[last] ^= s[k];
      s[k] = rotate(s[k], MIX[k]);
      s[last] = add(s[last], s[next]);
    }
  }
  for (let k = 0; k < WORDS; k++) s[k] = add(s[k], view.getBigUint64(blocks * BLOCK_BYTES + 8 * k, true));
  for (let round = 0; round < 3; round++) {
    for (let k = 0; k < WORDS; k++) {
      const [a, b, c] = [(k + 11) % WORDS, (k + 1) % WORDS, (k + 2) % WORDS];
      s[a] = add(s[a], s[b]);
      s[c] ^= s[a];
      s[b] = rotate(s[b], END[k]);
    }
  }
  return [s[0], s[1]];
}

function shortMix(h: bigint[]): void {
  SHORT_MIX.forEach((bits, k) => {
    const [a, b, c] = [(k + 2) % 4, (k + 3) % 4, k % 4];
    h[a] = add(rotate(h[a], bits), h[b]);
    h[c] ^= h[a];
  });
}

function shortEnd(h: bigint[]): Hash128 {
  SHORT_END.forEach((bits, k) => {
    const [a, b] = [(k + 3) % 4, (k + 2) % 4];
    h[a] ^= h[b];
    h[b] = rotate(h[b], bits);
    h[a] = add(h[a], h[b]);
  });
  return [h[0], h[1]];
}

function add(a: bigint, b: bigint): bigint {
  return BigInt.asUintN(64, a + b);
}

function rotate(a: bigint, bits: bigint): bigint {
  return BigInt.asUintN(64, (a << bits) | (a >> (64n - bits)));
}
