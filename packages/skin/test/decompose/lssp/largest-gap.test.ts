import { describe, expect, it } from 'vitest';
import { largestGap } from '../../../src/decompose/lssp/largest-gap.ts';

describe('largestGap', () => {
  it('counts the eigenvalues above the widest gap', () => {
    // Three near 1, then noise.
    expect(largestGap(Float64Array.of(0.05, 0.1, 0.2, 0.95, 0.99, 1))).toBe(3);
    expect(largestGap(Float64Array.of(0.1, 0.2, 0.9, 1))).toBe(2);
  });

  it('never says one where there are two, for a body that moves as a whole is found before', () => {
    expect(largestGap(Float64Array.of(0.1, 0.2, 1))).toBe(2);
  });

  it('takes degenerate spectra', () => {
    expect(largestGap(Float64Array.of(1))).toBe(1);
    expect(largestGap(Float64Array.of(1, 1))).toBe(2);
    expect(largestGap(new Float64Array(0))).toBe(1);
    expect(largestGap(new Float64Array(100).fill(1))).toBeLessThanOrEqual(60);
  });
});
