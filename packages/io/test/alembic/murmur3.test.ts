import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { murmur3 } from '../../src/alembic/murmur3.ts';
import { bytesOf } from '../meshes.ts';

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const u64 = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, bits: bigint) => u64((value << bits) | (value >> (64n - bits)));
const finalMix = (value: bigint) => {
  let k = value;
  k = u64((k ^ (k >> 33n)) * 0xff51afd7ed558ccdn);
  k = u64((k ^ (k >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return k ^ (k >> 33n);
};

/** The plain version, on whole 64-bit integers. */
function plainMurmur3(bytes: Uint8Array): string {
  const [c1, c2] = [0x87c37b91114253d5n, 0x4cf5ad432745937fn];
  const padded = new Uint8Array(Math.ceil(bytes.length / 16) * 16);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  let [h1, h2] = [0n, 0n];
  for (let at = 0; at < padded.length; at += 16) {
    const k1 = u64(rotate(u64(view.getBigUint64(at, true) * c1), 31n) * c2);
    const k2 = u64(rotate(u64(view.getBigUint64(at + 8, true) * c2), 33n) * c1);
    if (at + 16 > bytes.length) {
      h1 ^= k1;
      h2 ^= k2;
      break;
    }
    h1 = u64(u64(rotate(h1 ^ k1, 27n) + h2) * 5n + 0x52dce729n);
    h2 = u64(u64(rotate(h2 ^ k2, 31n) + h1) * 5n + 0x38495ab5n);
  }
  h1 ^= BigInt(bytes.length);
  h2 ^= BigInt(bytes.length);
  h1 = u64(h1 + h2);
  h2 = u64(h2 + h1);
  h1 = finalMix(h1);
  h2 = finalMix(h2);
  h1 = u64(h1 + h2);
  h2 = u64(h2 + h1);
  const out = new DataView(new ArrayBuffer(16));
  out.setBigUint64(0, h1, true);
  out.setBigUint64(8, h2, true);
  return hex(new Uint8Array(out.buffer));
}

describe('murmur3', () => {
  it.each([
    ['', '00000000000000000000000000000000'],
    ['hello', '029bbd41b3a7d8cb191dae486a901e5b'],
    ['The quick brown fox jumps over the lazy dog', '6c1b07bc7bbc4be347939ac4a93c437a'],
  ])('hashes %j to the published value', (text, digest) => {
    expect(hex(murmur3(bytesOf(text)))).toBe(digest);
  });

  it('equals the plain version on all lengths, wherever the bytes begin', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(15), (bytes, offset) => {
        const shifted = new Uint8Array(bytes.length + offset);
        shifted.set(bytes, offset);
        expect(hex(murmur3(shifted.subarray(offset)))).toBe(plainMurmur3(bytes));
      }),
    );
  });
});
