import { describe, expect, it } from 'vitest';
import { farPoints } from '../../src/drive/far-points.ts';

const positions = (...points: readonly [number, number, number][]) => Float32Array.from(points.flat());

describe('farPoints', () => {
  it('finds the ends of a cross, the farthest from the given end first', () => {
    const cross = positions([0, 0, 0], [3, 0, 0], [-4, 0, 0], [0, 2, 0], [0, -2.5, 0], [1, 0, 0]);
    // From (3, 0, 0): (−4, 0, 0) is 7 away; then (0, −2.5, 0), √15.25 from (3, 0, 0); then (0, 2, 0), √13.
    expect(farPoints(cross, 1, 3)).toEqual([2, 4, 3]);
  });

  it('does not repeat positions', () => {
    expect(farPoints(positions([0, 0, 0], [1, 0, 0], [1, 0, 0]), 0, 4)).toEqual([1]);
  });

  it('has nothing to say of one point, or when nothing is asked for', () => {
    expect(farPoints(positions([1, 2, 3]), 0, 4)).toEqual([]);
    expect(farPoints(positions([0, 0, 0], [1, 0, 0]), 0, 0)).toEqual([]);
  });
});
