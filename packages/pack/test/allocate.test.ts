import { describe, expect, it } from 'vitest';
import { Allocator, allocate, commonBudget, oneOf } from '../src/allocate.ts';

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

describe('a budget that parts share with what is common', () => {
  const total = (common: Allocator<number>, parts: Allocator<number>[], budgets: number[], share: number) =>
    [common.within(share), ...parts.map((part, c) => part.within(budgets[c] - share))]
      .flat()
      .reduce((sum, { bytes }) => sum + bytes, 0);

  it('is split so that no other split is smaller', () => {
    const common = new Allocator([bits(3000, 1), bits(500, 3)]);
    const parts = [new Allocator([bits(2000, 0.5)]), new Allocator([bits(100, 8), bits(40, 1)])];
    const budgets = [2, 1.5];
    const share = commonBudget(common, parts, budgets);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1.5);
    const least = total(common, parts, budgets, share);
    // Bits are whole: the best of all splits is missed by one bit of one choice at most.
    for (let k = 1; k < 50; k++) expect(least).toBeLessThanOrEqual(total(common, parts, budgets, 0.03 * k) + 3000 / 8);
  });

  it('is all of what is common where nothing else is chosen, and the other way round', () => {
    const none = new Allocator<number>([]);
    expect(commonBudget(new Allocator([bits(10, 1)]), [none], [1])).toBeCloseTo(1, 2);
    expect(commonBudget(none, [new Allocator([bits(10, 1)])], [1])).toBeCloseTo(0, 2);
  });

  it('gives the same answer for the same budget, whatever was asked before', () => {
    const make = () => new Allocator([bits(100, 1), bits(10, 4)]);
    const asked = make();
    for (const budget of [5, 0.1, 2]) asked.within(budget);
    expect(asked.within(0.5)).toEqual(make().within(0.5));
  });
});
