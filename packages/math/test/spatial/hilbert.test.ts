import { describe, expect, it } from 'vitest';
import { HILBERT_KEYS, hilbertKeys, hilbertOrder } from '../../src/index.ts';

describe('Hilbert curve', () => {
  it('visits every cell of a grid once, each beside the one before', () => {
    const points: number[] = [];
    for (let x = 0; x < 8; x++) for (let y = 0; y < 8; y++) for (let z = 0; z < 8; z++) points.push(x, y, z);
    // The corner that makes a cell of the grid a cube of cells of the curve: 7 + ½ of 8.
    const order = hilbertOrder(Float64Array.from(points, (value) => value / 8 + 1 / 16));
    for (let k = 1; k < order.length; k++) {
      const [a, b] = [3 * order[k - 1], 3 * order[k]];
      const steps = [0, 1, 2].map((axis) => Math.abs(points[a + axis] - points[b + axis]));
      expect(steps[0] + steps[1] + steps[2]).toBe(1);
    }
  });

  it('does not depend on place and scale, and keeps ties in their order', () => {
    const points = Float64Array.from({ length: 300 }, (_, k) => Math.sin(37 * k));
    const moved = points.map((value) => 1e6 * value);
    expect(hilbertOrder(moved)).toEqual(hilbertOrder(points));
    expect([...hilbertOrder(new Float64Array(9))]).toEqual([0, 1, 2]);
  });

  it('has keys within its range, for no points and for one', () => {
    expect(hilbertKeys(new Float64Array(0)).length).toBe(0);
    expect([...hilbertKeys(Float64Array.of(5, 5, 5))]).toEqual([0]);
    const keys = hilbertKeys(Float64Array.from({ length: 3000 }, (_, k) => Math.cos(91 * k)));
    expect(keys.every((key) => Number.isInteger(key) && key >= 0 && key < HILBERT_KEYS)).toBe(true);
  });
});
