import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { describe, expect, it } from 'vitest';
import { decodeExponential, encodeExponential, exponentBelow, exponentFor } from '../src/exponential.ts';

describe('numbers with a shared exponent', () => {
  it('on the grid come back to the bit', () => {
    const values = Float32Array.of(0, 1, -1, 0.25, -1000.75, 3);
    expect(decodeExponential(encodeExponential(values, [-2], 1))).toEqual(values);
  });

  it('are within half a step, whatever their sign', () => {
    const values = Float32Array.from({ length: 200 }, (_, k) => 3 * Math.sin(7 * k));
    decodeExponential(encodeExponential(values, [-8], 1)).forEach((value, k) => {
      expect(Math.abs(value - values[k])).toBeLessThanOrEqual(2 ** -9);
    });
  });

  it('are what the decoder of the format makes of them', async () => {
    await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
    const words = encodeExponential(Float32Array.of(0.5, -7.125, 100, -0.001), [-10], 2);
    const encoded = MeshoptEncoder.encodeGltfBuffer(new Uint8Array(words.buffer), 4, 4, 'ATTRIBUTES', 0);
    const decoded = new Uint8Array(16);
    MeshoptDecoder.decodeGltfBuffer(decoded, 4, 4, encoded, 'ATTRIBUTES', 'EXPONENTIAL');
    expect(new Float32Array(decoded.buffer)).toEqual(decodeExponential(words));
  });

  it('have an exponent that their largest fits', () => {
    expect(exponentBelow(0.3)).toBe(-2);
    expect(exponentBelow(0.25)).toBe(-2);
    expect(exponentFor([1], -10)).toBe(-10);
    expect(exponentFor([2 ** 20], -10)).toBe(-2);
    expect(exponentFor([], -5)).toBe(-5);
  });
});
