import { describe, expect, it } from 'vitest';
import { slowPeriod, slowPeriods } from '../../../src/shared/search/stop-rules.ts';

describe('stop rules', () => {
  it('stop at a period that lowers the root of the cost by less than the tolerance', () => {
    const stop = slowPeriod(0.1);
    expect(stop(Number.POSITIVE_INFINITY, 100)).toBe(false);
    // 10 → 8 is a fifth, 8 → 7.5 less than a tenth.
    expect(stop(100, 64)).toBe(false);
    expect(stop(64, 7.5 ** 2)).toBe(true);
    expect(stop(64, 64)).toBe(true);
  });

  it('have patience with slow periods, and more with periods without any progress', () => {
    const stop = slowPeriods(0.1);
    expect(stop(Number.POSITIVE_INFINITY, 100)).toBe(false);
    expect(stop(100, 98)).toBe(false);
    // Idle periods neither count as slow nor forgive those before.
    expect(stop(98, 98)).toBe(false);
    expect(stop(98, 97)).toBe(true);
    const idle = slowPeriods(0.1);
    expect([idle(50, 50), idle(50, 50), idle(50, 50), idle(50, 50)]).toEqual([false, false, false, true]);
    // Fast progress forgives.
    const fast = slowPeriods(0.1);
    expect([fast(100, 98), fast(98, 50), fast(50, 49), fast(49, 48)]).toEqual([false, false, false, true]);
  });
});
