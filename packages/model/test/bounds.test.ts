import { describe, expect, it } from 'vitest';
import { boundsOf, centerOf, diagonalOf } from '../src/bounds.ts';

describe('boundsOf', () => {
  it('is a point around one point, and the origin around none', () => {
    expect(boundsOf([1, -2, 3])).toEqual({ min: [1, -2, 3], max: [1, -2, 3] });
    expect(boundsOf(new Float32Array(0))).toEqual({ min: [0, 0, 0], max: [0, 0, 0] });
    expect(diagonalOf(boundsOf([1, -2, 3]))).toBe(0);
  });

  it('takes each axis by itself', () => {
    const box = boundsOf(Float64Array.of(0, 5, -1, 3, 1, -1, 1, 3, 11));
    expect(box).toEqual({ min: [0, 1, -1], max: [3, 5, 11] });
    expect(diagonalOf(box)).toBe(13); // 3, 4, 12
    expect(centerOf(box)).toEqual([1.5, 3, 5]);
  });
});
