import { describe, expect, it } from 'vitest';
import { PoseBlend } from '../../../src/puppet/runtime/pose-blend.ts';

describe('PoseBlend', () => {
  /** Two bones with one number each, in three pairs. */
  const values = Float64Array.of(1, 10, 2, 20, 4, 40);
  const out = new Float64Array(2);

  it('is Σ wᵢ yᵢ for one part and weights that sum to 1', () => {
    const blend = new PoseBlend(values, 3, 2, 0, new Float64Array(6).fill(1));
    blend.blend(Float64Array.of(0, 1, 0), out);
    expect([...out]).toEqual([2, 20]);
    blend.blend(Float64Array.of(0.5, -1, 1.5), out);
    expect([...out]).toEqual([4.5, 45]);
  });

  it('does not depend on which pair is neutral, for one part', () => {
    for (const neutral of [0, 1, 2]) {
      new PoseBlend(values, 3, 2, neutral, new Float64Array(6).fill(1)).blend(Float64Array.of(0.25, 0.25, 0.5), out);
      expect([...out]).toEqual([2.75, 27.5]);
    }
  });

  it('gives each part its share of each bone', () => {
    // Bone 0 follows part 0, bone 1 part 1.
    const shares = Float64Array.of(1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1);
    const blend = new PoseBlend(values, 3, 2, 0, shares);
    blend.blend(Float64Array.of(0, 1, 0, 0, 0, 1), out);
    expect([...out]).toEqual([2, 40]);
  });

  it('gives a pair back where the shares sum to 1, however they are split', () => {
    const shares = Float64Array.from({ length: 12 }, (_, k) => (k % 2 === 0 ? 0.3 : 0.7));
    new PoseBlend(values, 3, 2, 0, shares).blend(Float64Array.of(0, 0, 1, 0, 0, 1), out);
    expect(out[0]).toBeCloseTo(4, 12);
    expect(out[1]).toBeCloseTo(40, 12);
  });
});
