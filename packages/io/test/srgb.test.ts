import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearColors, linearToSrgb, srgbToLinear } from '../src/srgb.ts';

describe('sRGB', () => {
  it('knows black, white and the middle', () => {
    expect(srgbToLinear(0)).toBe(0);
    expect(srgbToLinear(1)).toBe(1);
    // 18 % grey is half way up the scale of a screen, nearly.
    expect(linearToSrgb(0.18)).toBeCloseTo(0.4614, 4);
  });

  it('goes there and back', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        expect(linearToSrgb(srgbToLinear(value))).toBeCloseTo(value, 6);
      }),
    );
  });

  it('gives all 256 bytes back through float32', () => {
    const bytes = Float32Array.from({ length: 256 * 3 }, (_, k) => Math.floor(k / 3));
    const back = linearColors(bytes, 3, 255).map((value) => Math.round(linearToSrgb(value) * 255));
    expect(back).toEqual(bytes);
  });

  it('leaves alpha linear and everything within 0 and 1', () => {
    expect([...linearColors(Float32Array.of(300, -1, 0, 127.5), 4, 255)]).toEqual([1, 0, 0, 0.5]);
  });
});
