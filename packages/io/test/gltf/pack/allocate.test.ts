import { describe, expect, it } from 'vitest';
import { allocate, oneOf } from '../../../src/gltf/pack/allocate.ts';

/** Bits of n numbers: each halves the step, and quarters the error. */
const bits = (n: number, cost: number) =>
  oneOf(Array.from({ length: 16 }, (_, b) => ({ value: b, bytes: (n * b) / 8, error: n * cost * 4 ** -b })));

describe('allocation', () => {
  it('stays within the budget, and spends it', () => {
    for (const budget of [10, 1, 0.1, 0.01]) {
      const picked = allocate([bits(100, 1), bits(10, 4), bits(1000, 0.1)], budget);
      const error = picked.reduce((sum, own) => sum + own.error, 0);
      expect(error).toBeLessThanOrEqual(budget);
      expect(error).toBeGreaterThan(0.2 * budget);
    }
  });

  it('gives more bits to what costs more: half a bit for each factor of two', () => {
    const [low, high] = allocate([bits(100, 1), bits(100, 256)], 0.01);
    // Up to a step, by which the last of the budget is spent.
    expect(Math.abs(high.value - low.value - 4)).toBeLessThanOrEqual(1);
  });

  it('uses what is left of the budget where all would change at once', () => {
    const picked = allocate(
      Array.from({ length: 10 }, () => bits(100, 1)),
      1.5 * 10 * 100 * 4 ** -6,
    );
    expect(new Set(picked.map(({ value }) => value))).toEqual(new Set([5, 6]));
  });

  it('takes the finest where nothing is within the budget, and nothing where there is nothing', () => {
    expect(allocate([bits(100, 1)], 0)[0].value).toBe(15);
    expect(allocate([], 1)).toEqual([]);
  });
});
