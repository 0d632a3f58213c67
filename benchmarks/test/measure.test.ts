import { describe, expect, it } from 'vitest';
import { compareTimes, median, medianRun, medianTime } from '../harness/measure.mjs';

const FEW = { runs: 3, warmUps: 2, warmMilliseconds: 0, milliseconds: 0 };

describe('medians', () => {
  it('are the middle, or the mean of the two there', () => {
    expect(median([3])).toBe(3);
    expect(median([9, 1, 4])).toBe(4);
    expect(median([9, 1, 4, 2])).toBe(3);
  });
});

describe('times', () => {
  it('count runs and warm-ups, each prepared', () => {
    const calls: string[] = [];
    const note = (name: string) => () => void calls.push(name);
    expect(medianTime(note('work'), { ...FEW, prepare: note('prepare') })).toBeGreaterThanOrEqual(0);
    expect(calls).toEqual(Array.from({ length: 5 }, () => ['prepare', 'work']).flat());
  });

  it('of rivals are taken in turn, after both were warmed alike', () => {
    const calls: string[] = [];
    const times = compareTimes(
      () => calls.push('a'),
      () => calls.push('b'),
      FEW,
    );
    expect(calls.join('')).toBe('aabbababab');
    expect(Object.keys(times)).toEqual(['value', 'reference']);
  });

  it('warm a short function as long as a long one', () => {
    let calls = 0;
    medianTime(() => calls++, { ...FEW, warmMilliseconds: 5 });
    expect(calls).toBeGreaterThan(FEW.warmUps + FEW.runs);
  });

  it('of whole runs come with the last result', () => {
    let runs = 0;
    expect(medianRun(() => ++runs, 3)).toEqual({ seconds: expect.any(Number), result: 3 });
  });
});
