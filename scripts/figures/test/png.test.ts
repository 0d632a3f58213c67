import { describe, expect, it } from 'vitest';
import { decodePng, encodePalette, encodeTrueColour } from '../png.mjs';

describe('png', () => {
  const width = 37;
  const height = 23;
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, k) => (k * k * 7 + (k % 11) * 40) % 256);

  it('gives back every pixel', () => {
    expect(decodePng(encodeTrueColour({ width, height, rgb }))).toEqual({ width, height, rgb });
  });

  it('names what it does not read', () => {
    expect(() => decodePng(Uint8Array.of(1, 2, 3))).toThrow(/not a PNG/);
    expect(() => decodePng(encodePalette(1, 1, Uint8Array.of(1, 2, 3), Uint8Array.of(0)))).toThrow(/colour type 3/);
  });
});
