import { expect } from 'vitest';

/** Number by number, to so many digits. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, digits = 5): void {
  expect(actual.length).toBe(expected.length);
  for (let k = 0; k < actual.length; k++) expect(actual[k]).toBeCloseTo(expected[k], digits);
}
