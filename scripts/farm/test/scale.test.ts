import { describe, expect, it } from 'vitest';
import { simulateScale } from '../scale.mjs';

const SMALL = { workers: 50, jobs: 5000 };

describe('simulateScale', () => {
  it('does every job once where nobody fails, in the time that it takes', () => {
    const calm = simulateScale({ ...SMALL, spread: 0, failAfter: 1e12, bytes: 0, queueSeconds: 0, median: 20 });
    expect(calm).toMatchObject({ done: 5000, again: 0 });
    expect(calm.hours * 3600).toBeCloseTo(2000);
    expect(calm.used).toBeCloseTo(1);
  });

  it('does every job where workers fail, and more slowly', () => {
    const [calm, hard] = [simulateScale({ ...SMALL, failAfter: 1e12 }), simulateScale({ ...SMALL, failAfter: 600 })];
    expect(hard.done).toBe(5000);
    expect(hard.again).toBeGreaterThan(50);
    expect(hard.hours).toBeGreaterThan(calm.hours);
  });

  it('is bound by the store where jobs are large', () => {
    const bound = simulateScale({ ...SMALL, bytes: 1e9, bandwidth: 1e9 });
    expect(bound.hours * 3600).toBeGreaterThanOrEqual(5000);
    expect(bound.store).toBeGreaterThan(0.9);
  });
});
