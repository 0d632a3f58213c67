import { describe, expect, it } from 'vitest';
import { mimeTypeOf } from '../src/gltf/read-materials.ts';
import { pictureFault } from '../src/picture-fault.ts';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xd9);
const WEBP = new Uint8Array(20);
WEBP.set(Buffer.from('RIFF\x0c\0\0\0WEBP', 'latin1'));

const faultOf = (bytes: Uint8Array) => pictureFault(bytes, mimeTypeOf(bytes));

describe('pictureFault', () => {
  it('finds nothing in whole pictures, nor in what follows them', () => {
    for (const picture of [PNG, JPEG, WEBP]) {
      expect(faultOf(picture)).toBeUndefined();
      expect(faultOf(Uint8Array.of(...picture, 0, 0, 0))).toBeUndefined();
    }
  });

  it('finds every cut', () => {
    for (const picture of [PNG, JPEG, WEBP]) {
      for (let length = 0; length < picture.length; length++) {
        expect(faultOf(picture.subarray(0, length)), `${length} bytes`).toMatch(
          /cut off|ends before|known kind|signature/,
        );
      }
    }
  });

  it('finds every changed byte of a PNG', () => {
    for (let k = 0; k < PNG.length; k++) {
      const damaged = Uint8Array.from(PNG);
      damaged[k] ^= 4;
      expect(faultOf(damaged), `byte ${k}`).toBeDefined();
    }
  });
});
