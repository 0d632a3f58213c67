import { expect } from 'vitest';

/** Same length, every number within `tolerance`. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-9): void {
  expect(actual.length).toBe(expected.length);
  let [largest, at] = [0, 0];
  for (let k = 0; k < actual.length; k++) {
    const difference = Math.abs(actual[k] - expected[k]);
    if (difference <= largest) continue;
    [largest, at] = [difference, k];
  }
  expect(largest, `number ${at} is ${actual[at]}, expected ${expected[at]}`).toBeLessThanOrEqual(tolerance);
}

/** Length of v − w for points of a list of triples. */
export function distanceAt(points: ArrayLike<number>, i: number, j: number): number {
  return Math.hypot(...[0, 1, 2].map((k) => points[3 * i + k] - points[3 * j + k]));
}
