import { describe, expect, it } from 'vitest';
import { EASES, type Ease, easedShare, type Key, numbersAt, withKey } from '../../src/store/keys.ts';

const key = (frame: number, value: number, ease: Ease = 'smooth'): Key<number> => ({ frame, value, ease });
const at = (keys: readonly Key<number>[], frame: number, period?: number) =>
  numbersAt(keys, frame, period, (value) => [value])?.[0];

describe('numbersAt', () => {
  it('is what a key says at the key, whatever the ease', () => {
    for (const ease of EASES) {
      const keys = [key(2, 1, ease), key(7, -3, ease), key(9, 4, ease)];
      for (const { frame, value } of keys) expect(at(keys, frame)).toBe(value);
    }
    expect(at([], 3)).toBeUndefined();
    expect(at([key(5, 2)], 1)).toBe(2);
  });

  it('holds before the first key and after the last, and goes between as the ease says', () => {
    const keys = [key(10, 0, 'linear'), key(20, 1, 'hold'), key(30, 0, 'slow'), key(40, 1)];
    expect(at(keys, 0)).toBe(0);
    expect(at(keys, 15)).toBe(0.5);
    expect(at(keys, 29)).toBe(1);
    expect(at(keys, 35)).toBe(0.5);
    expect(at(keys, 31)).toBeCloseTo(0.028, 10);
    expect(at(keys, 99)).toBe(1);
  });

  it('goes through keys on a line without a stop, and keeps its speed', () => {
    const keys = [key(0, 0), key(10, 10), key(20, 20), key(30, 30)];
    for (const frame of [11, 14, 19]) expect(at(keys, frame)).toBeCloseTo(frame, 10);
    // Unequal times of a line are one line, too.
    const uneven = [key(0, 0), key(4, 4), key(20, 20), key(30, 30)];
    for (const frame of [5, 9, 15]) expect(at(uneven, frame)).toBeCloseTo(frame, 10);
  });

  it('overshoots nothing, and stands where it turns round', () => {
    const keys = [key(0, 0), key(3, 1), key(6, 1.01), key(20, 5), key(22, 0)];
    for (let frame = 0; frame <= 20; frame += 0.25) {
      expect(at(keys, frame + 0.25)).toBeGreaterThanOrEqual((at(keys, frame) as number) - (frame < 20 ? 1e-12 : 5));
    }
    expect(at(keys, 20.01)).toBeCloseTo(5, 3);
  });

  it('goes on from the last key to the first of a clip that closes, with one speed across the seam', () => {
    const keys = [key(5, 5), key(15, -5)];
    expect(at(keys, 0, 20)).toBeCloseTo(at(keys, 20, 20) as number, 10);
    const before = (at(keys, 20, 20) as number) - (at(keys, 19.999, 20) as number);
    const after = (at(keys, 0.001, 20) as number) - (at(keys, 0, 20) as number);
    expect(before / after).toBeCloseTo(1, 3);
    expect(at(keys, 0, 20)).toBeCloseTo(0, 10);
  });

  it('takes several numbers by themselves', () => {
    const keys = [
      { frame: 0, value: [0, 8], ease: 'linear' as const },
      { frame: 4, value: [4, 0], ease: 'linear' as const },
    ];
    expect(numbersAt(keys, 1, undefined, (value) => value)).toEqual([1, 6]);
  });
});

describe('easedShare', () => {
  it('draws a curve from 0 to 1 through its own middle', () => {
    expect(easedShare(0, 'curve', [0.1, 0.9, 0.2, 1])).toBe(0);
    expect(easedShare(1, 'curve', [0.1, 0.9, 0.2, 1])).toBe(1);
    expect(easedShare(0.5, 'curve', [0.42, 0, 0.58, 1])).toBeCloseTo(0.5, 8);
    for (const x of [0.2, 0.6]) expect(easedShare(x, 'curve', [1 / 3, 1 / 3, 2 / 3, 2 / 3])).toBeCloseTo(x, 8);
    // It may swing beyond.
    expect(easedShare(0.8, 'curve', [0.3, 0, 0.4, 1.4])).toBeGreaterThan(1);
  });
});

it('withKey takes the place of a key at the same frame, in order', () => {
  const keys = withKey([key(10, 1), key(30, 3)], key(20, 2));
  expect(keys.map(({ frame }) => frame)).toEqual([10, 20, 30]);
  expect(withKey(keys, key(10, 7)).map(({ value }) => value)).toEqual([7, 2, 3]);
});
