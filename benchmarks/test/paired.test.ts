import { describe, expect, it } from 'vitest';
import { measurePairs, pairedRatio } from '../harness/paired.mjs';

/** Numbers from 0 to 1 that look random, the same ones every time. */
function numbers(seed: number) {
  let state = seed;
  return () => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('the ratio of pairs', () => {
  it('is that of rivals on a machine that slows down, and whose runs are interrupted', () => {
    const next = numbers(1);
    const pairs = Array.from({ length: 301 }, (_, k) => {
      const speed = 1 + k / 50;
      const jitter = () => 1 + 0.05 * next() + (next() < 0.2 ? 3 * next() : 0);
      return [0.9 * speed * jitter(), speed * jitter()];
    });
    const { ratio, low, high } = pairedRatio(pairs);
    expect(ratio).toBeCloseTo(0.9, 1);
    expect(low).toBeLessThan(ratio);
    expect(high).toBeGreaterThan(ratio);
    expect(high - low).toBeLessThan(0.05);
  });

  it('has an interval that contains the true ratio nineteen times in twenty', () => {
    const next = numbers(2);
    let hits = 0;
    for (let run = 0; run < 400; run++) {
      const { low, high } = pairedRatio(Array.from({ length: 25 }, () => [0.5 + next(), 1]));
      if (low <= 1 && 1 <= high) hits++;
    }
    expect(hits / 400).toBeGreaterThan(0.93);
  });

  it('has no bounds for a few pairs', () => {
    expect(pairedRatio([[3, 2]])).toEqual({ ratio: 1.5, low: 0, high: Number.POSITIVE_INFINITY });
  });
});

describe('measuring pairs', () => {
  const options = { width: 0.02, fewest: 20, most: 100, batch: 10 };

  it('ends when the interval is narrow', async () => {
    const found = await measurePairs((count: number) => Array.from({ length: count }, () => [3, 4]), options);
    expect(found).toEqual({ value: 3, reference: 4, ratio: 0.75, low: 0.75, high: 0.75, pairs: 20 });
  });

  it('ends where it never is', async () => {
    const next = numbers(3);
    const wild = (count: number) => Array.from({ length: count }, () => [0.5 + next(), 1]);
    expect((await measurePairs(wild, options)).pairs).toBe(100);
  });
});
