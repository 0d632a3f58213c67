import { describe, expect, it } from 'vitest';
import { blendFlops, layeredFlops, meanWeights } from '../../src/outputs/skin-flops.ts';

const skin = (slots: number, weights: readonly number[]) => ({
  slots,
  bones: new Uint16Array(weights.length),
  weights: Float32Array.from(weights),
});

describe('flops of a skin', () => {
  it('count weights that are not 0', () => {
    expect(meanWeights(skin(2, [1, 0, 0.5, 0.5]))).toBe(1.5);
    expect(meanWeights(skin(4, []))).toBe(0);
    // One weight: 12 products and sums, and a 3 × 4 transform of a point.
    expect(blendFlops(1)).toBe(24 + 18);
  });

  it('share the blending of virtual bones', () => {
    const vertices = skin(2, [0.5, 0.5, 0.5, 0.5]);
    // Two vertices, one virtual bone of three masters.
    expect(layeredFlops({ masters: skin(3, [0.2, 0.3, 0.5]), vertices })).toBe((24 * 3) / 2 + 2 * 24 + 18);
    expect(layeredFlops({ masters: skin(3, []), vertices: skin(2, []) })).toBe(18);
  });
});
