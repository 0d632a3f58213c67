import { describe, expect, it } from 'vitest';
import { linearTicks, logTicks, tickText } from '../../src/drawing/ticks.ts';

describe('ticks', () => {
  it.each([
    [0, 1, 4, [0, 0.5, 1]],
    [0, 10, 5, [0, 2, 4, 6, 8, 10]],
    [-3, 3, 6, [-3, -2, -1, 0, 1, 2, 3]],
    [0.013, 0.029, 4, [0.015, 0.02, 0.025]],
    [5, 5, 4, [5]],
  ])('of %d to %d, about %d', (min, max, wanted, expected) => {
    const ticks = linearTicks(min, max, wanted);
    expect(ticks).toHaveLength(expected.length);
    ticks.forEach((tick, k) => {
      expect(tick).toBeCloseTo(expected[k], 12);
    });
  });

  it('are powers of ten on a log axis, with 2 and 5 where those are few', () => {
    expect(logTicks(1, 1000)).toEqual([1, 10, 100, 1000]);
    expect(logTicks(1.5, 30)).toEqual([2, 5, 10, 20]);
  });

  it('are written with few signs', () => {
    const texts = [0, -2, 0.1 + 0.2, 0.0004, 3e6, 1e-5].map(tickText);
    expect(texts).toEqual(['0', '−2', '0.3', '4·10⁻⁴', '3·10⁶', '10⁻⁵']);
  });
});
