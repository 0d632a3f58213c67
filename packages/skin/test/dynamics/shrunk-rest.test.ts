import { SWING_CODE } from '@pelt/model';
import { describe, expect, test } from 'vitest';
import { shrunkRest } from '../../src/dynamics/training/shrunk-rest.ts';

/** Two proxies, of which the first has `a` and the second `b` in every number of a frame. */
const frame = (a: number, b: number) => [...new Array(SWING_CODE).fill(a), ...new Array(SWING_CODE).fill(b)];
const metric = new Float64Array(2 * SWING_CODE).fill(1);
const restOf = (frames: readonly number[][], groups: readonly number[]) => {
  const rest = shrunkRest(Float64Array.from(frames.flat()), metric, groups);
  return [rest[0], rest[SWING_CODE]];
};

describe('shrunkRest', () => {
  test('what is the same in all groups stays, exactly', () => {
    expect(restOf([frame(2, -1), frame(2, -1), frame(2, -1)], [0, 1, 2])).toEqual([2, -1]);
  });

  test('what one group says against the others goes, for each proxy by itself', () => {
    // The mean of the first is 0.5, but each half predicts the other with the wrong sign.
    expect(restOf([frame(3, 4), frame(3, 4), frame(-2, 4), frame(-2, 4)], [0, 2])).toEqual([0, 4]);
  });

  test('shrinks in between', () => {
    const [first] = restOf([frame(1, 0), frame(3, 0)], [0, 1]);
    // s = (1·3 + 3·1) / (3² + 1²), of a mean of 2.
    expect(first).toBeCloseTo(1.2, 12);
  });

  test('trusts nothing that could not be left out', () => {
    expect(restOf([frame(1, 1), frame(1, 1)], [0])).toEqual([0, 0]);
  });
});
