import { describe, expect, it } from 'vitest';
import { imageSize, texelBits } from '../src/texel-bits.ts';

function bytes(text: string, ...more: number[]): Uint8Array {
  return Uint8Array.from([...[...text].map((letter) => letter.charCodeAt(0)), ...more, ...new Array(32).fill(0)]);
}

/** 640 × 480, as the headers of the formats have it. */
const PNG = bytes('\x89PNG\r\n\x1a\n', 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0x80, 0, 0, 1, 0xe0);
const JPEG = bytes('\xff\xd8', 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xff, 0xc2, 0, 17, 8, 1, 0xe0, 2, 0x80);
const WEBP = bytes('RIFF\0\0\0\0WEBPVP8X', 10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0);
const LOSSLESS = bytes('RIFF\0\0\0\0WEBPVP8L', 0, 0, 0, 0, 0x2f, 0x7f, 0xc2, 0x77, 0);
const LOSSY = bytes('RIFF\0\0\0\0WEBPVP8 ', 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1);
const KTX2 = bytes('\xabKTX 20\xbb\r\n\x1a\n', 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 0xe0, 1, 0, 0);

const image = (own: Uint8Array) => ({ name: '', mimeType: '', bytes: own });
const mesh = { name: '', positions: new Float32Array(0), triangles: new Uint32Array(0) };

describe('texels', () => {
  it.each([
    ['PNG', PNG],
    ['JPEG', JPEG],
    ['WebP', WEBP],
    ['lossless WebP', LOSSLESS],
    ['lossy WebP', LOSSY],
    ['KTX2', KTX2],
  ])('are counted in a %s', (_, own) => {
    expect(imageSize(own)).toBe(640);
  });

  it('are not made up of anything else', () => {
    expect(imageSize(bytes('GIF89a'))).toBeUndefined();
    expect(imageSize(new Uint8Array(0))).toBeUndefined();
    expect(imageSize(Uint8Array.of(0xff, 0xd8, 0xff, 0xc0))).toBeUndefined();
  });

  it('need bits for the largest image, more where it is tiled, and all where its size is not known', () => {
    expect(texelBits({ ...mesh, images: [image(PNG)] }, 12)).toBe(10);
    expect(texelBits({ ...mesh, images: [image(PNG), image(bytes('?'))] }, 12)).toBe(12);
    expect(texelBits(mesh, 12)).toBe(8);
    const baseColorTexture = { image: 0, uvSet: 0, transform: { offset: [0, 0], rotation: 0, scale: [3, 1] } };
    const tiled = { ...mesh, images: [image(PNG)], materials: [{ baseColorTexture }] };
    expect(texelBits(tiled as unknown as Parameters<typeof texelBits>[0], 12)).toBe(11);
  });
});
