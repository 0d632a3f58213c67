import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LargestValues } from '../../src/metrics/largest-values.ts';

function quantileOf(values: readonly number[], quantile: number): number {
  const largest = new LargestValues(values.length, quantile);
  for (const value of values) largest.add(value);
  return largest.quantile;
}

describe('LargestValues', () => {
  it('is the value at the nearest rank', () => {
    const ten = [3, 9, 1, 7, 5, 10, 2, 8, 4, 6];
    expect(quantileOf(ten, 1)).toBe(10);
    expect(quantileOf(ten, 0.9)).toBe(9);
    expect(quantileOf(ten, 0.85)).toBe(9); // rank ⌈8.5⌉
    expect(quantileOf(ten, 0)).toBe(1);
    expect(quantileOf([4], 0.999)).toBe(4);
    expect(quantileOf([], 0.999)).toBe(0);
  });

  it('agrees with sorting, ties included', () => {
    const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 0.25, 0.5, 0.9, 0.99, 0.999, 1), (list, quantile) => {
        const sorted = [...list].sort((a, b) => a - b);
        expect(quantileOf(list, quantile)).toBe(sorted[Math.max(1, Math.ceil(quantile * list.length)) - 1]);
      }),
      { seed: 5 },
    );
  });
});
