import { brotliCompressSync } from 'node:zlib';
import { Random } from '@pelt/math';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeWholeBytes } from '../src/attribute-codec.ts';
import { Codec } from '../src/codec.ts';
import { squeezedSize } from '../src/squeezed-size.ts';

beforeAll(async () => {
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
});

/** A surface of points on a grid, as 16-bit numbers. */
function surface(count: number): Uint8Array {
  const random = new Random(1);
  const values = new Int16Array(4 * count);
  for (let i = 0; i < count; i++) {
    values[4 * i] = (i % 40) * 60 + 9 * random.uniform();
    values[4 * i + 1] = Math.floor(i / 40) * 55 + 9 * random.uniform();
    values[4 * i + 2] = 30 * random.uniform();
  }
  return new Uint8Array(values.buffer);
}

describe('attributes in whole bytes', () => {
  // One row, less than a group, a group, a block and a row, blocks that are shorter than 256 rows.
  it.each([
    [1, 4],
    [7, 12],
    [16, 8],
    [257, 4],
    [300, 64],
    [1000, 16],
  ])('decode to %i rows of %i bytes', (count, stride) => {
    const random = new Random(1);
    const bytes = Uint8Array.from({ length: count * stride }, (_, k) =>
      k % stride === 1 || k % 1000 < 500 ? 3 : Math.floor(256 * random.uniform()),
    );
    const out = new Uint8Array(bytes.length);
    MeshoptDecoder.decodeVertexBuffer(out, count, stride, encodeWholeBytes(bytes, stride));
    expect(out).toEqual(bytes);
  });

  it('are smaller after brotli than packed ones', () => {
    const bytes = surface(4000);
    const packed = MeshoptEncoder.encodeGltfBuffer(bytes, 4000, 8, 'ATTRIBUTES', 0);
    const whole = encodeWholeBytes(bytes, 8);
    expect(whole.length).toBeGreaterThan(packed.length);
    expect(brotliCompressSync(whole).length).toBeLessThan(brotliCompressSync(packed).length);
    expect([...new Codec(MeshoptEncoder, MeshoptDecoder, 'brotli').encode(bytes, 8, 'ATTRIBUTES')]).toEqual([...whole]);
    expect([...new Codec(MeshoptEncoder, MeshoptDecoder, 'none').encode(bytes, 8, 'ATTRIBUTES')]).toEqual([...packed]);
  });
});

describe('the size after a general compressor', () => {
  it('is nothing for nothing, and about all of it for noise', () => {
    expect(squeezedSize(new Uint8Array(0))).toBe(0);
    const random = new Random(1);
    const bytes = Uint8Array.from({ length: 5000 }, () => Math.floor(256 * random.uniform()));
    expect(squeezedSize(bytes)).toBeGreaterThan(4900);
    expect(squeezedSize(bytes)).toBeLessThan(5600);
  });

  it('is next to nothing for what repeats', () => {
    const random = new Random(1);
    const row = Uint8Array.from({ length: 50 }, () => Math.floor(256 * random.uniform()));
    const bytes = Uint8Array.from({ length: 5000 }, (_, k) => row[k % 50]);
    expect(squeezedSize(bytes)).toBeLessThan(80);
  });

  it("is near brotli's for differences", () => {
    const whole = encodeWholeBytes(surface(4000), 8);
    const ratio = squeezedSize(whole) / brotliCompressSync(whole).length;
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.15);
  });
});
