import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { MIXING_SLOTS, Mixing } from '../../src/volume/mixing.ts';

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, k) => sum + value * b[k], 0);
const minus = (a: readonly number[], b: readonly number[]) => a.map((value, k) => value - b[k]);

/** Looks that `Mixing` makes of a map; as many as asked, or until one misses by less than a tolerance. */
function iterate(map: (x: readonly number[]) => number[], start: readonly number[], most: number, tolerance = 0) {
  const mixing = new Mixing();
  mixing.begin();
  const factors = new Float64Array(MIXING_SLOTS);
  const [misses, steps] = [0, 1].map(() => Array.from({ length: MIXING_SLOTS }, () => start.map(() => 0)));
  let look = [...start];
  let [lastY, lastMiss] = [start.map(() => 0), start.map(() => 0)];
  for (let rounds = 1; ; rounds++) {
    const y = map(look);
    const miss = minus(y, look);
    const newest = mixing.slot;
    misses[newest] = minus(miss, lastMiss);
    steps[newest] = minus(y, lastY);
    const missed = dot(miss, miss);
    if (missed <= tolerance ** 2 || rounds >= most) return { rounds, y };
    const sums = {
      missed,
      along: Float64Array.from(steps, (other) => dot(other, miss)),
      ofMiss: Float64Array.from(misses, (other) => dot(other, miss)),
      ofNewest: Float64Array.from(misses, (other) => dot(other, misses[newest])),
    };
    mixing.next(sums, factors);
    [lastY, lastMiss] = [y, miss];
    look = y.map((value, k) => value - factors.reduce((sum, factor, s) => sum + factor * steps[s][k], 0));
  }
}

describe('mixing', () => {
  it('stays at a fixed point', () => {
    const { y } = iterate((x) => [...x], [3, -1, 2], 8);
    expect(y).toEqual([3, -1, 2]);
  });

  it('solves a linear map of few dimensions in one round more than it has', () => {
    // x → A x + b with the fixed point (1, 2, 3); two of its three directions contract slowly.
    const rates = [0.9, -0.5, 0.98];
    const fixed = [1, 2, 3];
    const map = (x: readonly number[]) => x.map((value, k) => fixed[k] + rates[k] * (value - fixed[k]));
    const { rounds, y } = iterate(map, [0, 0, 0], 50, 1e-6);
    expect(rounds).toBeLessThanOrEqual(6);
    for (let k = 0; k < 3; k++) expect(y[k]).toBeCloseTo(fixed[k], 4);
  });

  it.each([1, 2, 3])('needs a fraction of the plain rounds of a slow linear map (seed %i)', (seed) => {
    const random = new Random(seed);
    const rates = Array.from({ length: 40 }, () => random.uniform(0, 0.99));
    const map = (x: readonly number[]) => x.map((value, k) => 1 + rates[k] * (value - 1));
    const start = rates.map(() => random.uniform(-1, 1));
    let plain = start;
    let count = 1;
    for (; ; count++) {
      const next = map(plain);
      if (Math.hypot(...minus(next, plain)) <= 1e-8) break;
      plain = next;
    }
    const { rounds, y } = iterate(map, start, 2000, 1e-8);
    expect(rounds).toBeLessThan(0.25 * count);
    for (const value of y) expect(value).toBeCloseTo(1, 5);
  });

  it('leaves a saddle for the minimum beyond', () => {
    // Descent on (x² − 1)²/8 + y²/2: the first axis has a maximum at 0 and minima at ±1.
    const map = ([x, y]: readonly number[]) => [x - 0.5 * 0.5 * x * (x * x - 1), 0.4 * y];
    const { y } = iterate(map, [1e-3, 2], 200, 1e-10);
    expect(y[0]).toBeCloseTo(1, 6);
    expect(y[1]).toBeCloseTo(0, 6);
  });

  it('takes rounds that repeat each other', () => {
    // One dimension: from the second difference on, slots are multiples of each other.
    const { y } = iterate(([x]) => [0.5 * x + 1], [0], 30);
    expect(y[0]).toBeCloseTo(2, 12);
  });
});
