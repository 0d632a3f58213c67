/**
 * MurmurHash3_x64_128 with seed 0: the key stored before every sample, by which equal samples are shared. 64-bit
 * arithmetic on 32-bit halves: BigInt is a hundred times slower, and samples are large.
 *
 * Reference: Appleby. MurmurHash3, MurmurHash3_x64_128. 2011.
 */
const C1_LOW = 0x114253d5;
const C1_HIGH = 0x87c37b91;
const C2_LOW = 0x2745937f;
const C2_HIGH = 0x4cf5ad43;

/** @return 16 bytes, little-endian */
export function murmur3(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const word = new Word64();
  const { byteLength } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, byteLength);
  const blocks = byteLength - (byteLength % 16);
  // The state h1, h2, each as low and high half.
  let h1l = 0;
  let h1h = 0;
  let h2l = 0;
  let h2h = 0;
  for (let at = 0; at < blocks; at += 16) {
    word.mixFirst(view.getInt32(at, true), view.getInt32(at + 4, true));
    h1l ^= word.low;
    h1h ^= word.high;
    // h1 = (rotl(h1, 27) + h2) · 5 + 0x52dce729
    word.rotate(h1l, h1h, 27);
    word.add(word.low, word.high, h2l, h2h);
    word.timesFivePlus(0x52dce729);
    h1l = word.low;
    h1h = word.high;

    word.mixSecond(view.getInt32(at + 8, true), view.getInt32(at + 12, true));
    h2l ^= word.low;
    h2h ^= word.high;
    // h2 = (rotl(h2, 31) + h1) · 5 + 0x38495ab5
    word.rotate(h2l, h2h, 31);
    word.add(word.low, word.high, h1l, h1h);
    word.timesFivePlus(0x38495ab5);
    h2l = word.low;
    h2h = word.high;
  }
  if (byteLength > blocks) {
    const tail = new Uint8Array(16);
    tail.set(bytes.subarray(blocks));
    const words = new DataView(tail.buffer);
    // A zero word leaves the state unchanged, so that padding needs no special case.
    word.mixSecond(words.getInt32(8, true), words.getInt32(12, true));
    h2l ^= word.low;
    h2h ^= word.high;
    word.mixFirst(words.getInt32(0, true), words.getInt32(4, true));
    h1l ^= word.low;
    h1h ^= word.high;
  }
  const lengthHigh = Math.floor(byteLength / 2 ** 32);
  h1l ^= byteLength | 0;
  h2l ^= byteLength | 0;
  h1h ^= lengthHigh;
  h2h ^= lengthHigh;
  word.add(h1l, h1h, h2l, h2h);
  h1l = word.low;
  h1h = word.high;
  word.add(h2l, h2h, h1l, h1h);
  h2l = word.low;
  h2h = word.high;
  word.finalMix(h1l, h1h);
  h1l = word.low;
  h1h = word.high;
  word.finalMix(h2l, h2h);
  h2l = word.low;
  h2h = word.high;
  word.add(h1l, h1h, h2l, h2h);
  h1l = word.low;
  h1h = word.high;
  word.add(h2l, h2h, h1l, h1h);
  const digest = new DataView(new ArrayBuffer(16));
  [h1l, h1h, word.low, word.high].forEach((half, k) => {
    digest.setInt32(4 * k, half, true);
  });
  return new Uint8Array(digest.buffer);
}

/** Holds the 64-bit result of the last operation, to avoid an allocation per operation. */
class Word64 {
  low = 0;
  high = 0;

  /** rotl(k · c1, 31) · c2 */
  mixFirst(kl: number, kh: number): void {
    this.multiply(kl, kh, C1_LOW, C1_HIGH);
    this.rotate(this.low, this.high, 31);
    this.multiply(this.low, this.high, C2_LOW, C2_HIGH);
  }

  /** rotl(k · c2, 33) · c1 */
  mixSecond(kl: number, kh: number): void {
    this.multiply(kl, kh, C2_LOW, C2_HIGH);
    this.rotate(this.high, this.low, 1);
    this.multiply(this.low, this.high, C1_LOW, C1_HIGH);
  }

  finalMix(l: number, h: number): void {
    // k ^= k >>> 33
    this.multiply(l ^ (h >>> 1), h, 0xed558ccd, 0xff51afd7);
    this.multiply(this.low ^ (this.high >>> 1), this.high, 0x1a85ec53, 0xc4ceb9fe);
    this.low ^= this.high >>> 1;
  }

  add(al: number, ah: number, bl: number, bh: number): void {
    const sum = (al >>> 0) + (bl >>> 0);
    this.low = sum | 0;
    this.high = (ah + bh + (sum > 0xffffffff ? 1 : 0)) | 0;
  }

  /** Rotates left by fewer than 32 bits; exchange the halves for 32 more. */
  rotate(l: number, h: number, bits: number): void {
    this.low = (l << bits) | (h >>> (32 - bits));
    this.high = (h << bits) | (l >>> (32 - bits));
  }

  /** this ← this · 5 + addend. The product of the low half is exact in a double. */
  timesFivePlus(addend: number): void {
    const l = (this.low >>> 0) * 5 + addend;
    this.high = (Math.imul(this.high, 5) + Math.floor(l / 2 ** 32)) | 0;
    this.low = l | 0;
  }

  multiply(al: number, ah: number, bl: number, bh: number): void {
    // Upper 32 bits of the product of the low halves, from 16-bit pieces.
    const a0 = al & 0xffff;
    const a1 = al >>> 16;
    const b0 = bl & 0xffff;
    const b1 = bl >>> 16;
    const p00 = a0 * b0;
    const middle = a1 * b0 + (p00 >>> 16);
    const carry = a0 * b1 + (middle & 0xffff);
    // No sum reaches 2³²: (2¹⁶ − 1)² + 2¹⁶ − 1 < 2³².
    const upper = a1 * b1 + (middle >>> 16) + (carry >>> 16);
    this.low = Math.imul(al, bl);
    this.high = (upper + Math.imul(al, bh) + Math.imul(ah, bl)) | 0;
  }
}
