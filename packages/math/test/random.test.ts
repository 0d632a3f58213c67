import { describe, expect, it } from 'vitest';
import { Random } from '../src/index.ts';

describe('Random', () => {
  it('gives the same sequence for the same seed, another for another', () => {
    const draw = (seed: number) => {
      const random = new Random(seed);
      return [random.bits(), random.uniform(), random.normal(), random.integer(1000)];
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('keeps its sequence over versions: results of fits depend on it', () => {
    const random = new Random(42);
    expect(Array.from({ length: 4 }, () => random.bits())).toEqual(GOLDEN_BITS);
  });

  it('draws uniform numbers in [low, high) with the right mean and variance', () => {
    const random = new Random(3);
    const count = 100_000;
    let sum = 0;
    let squares = 0;
    let outside = 0;
    for (let k = 0; k < count; k++) {
      const x = random.uniform(2, 4);
      if (!(x >= 2 && x < 4)) outside++;
      sum += x;
      squares += (x - 3) ** 2;
    }
    expect(outside).toBe(0);
    // Five standard deviations of the two estimates.
    expect(Math.abs(sum / count - 3)).toBeLessThan(5 * Math.sqrt(1 / 3 / count));
    expect(Math.abs(squares / count - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / count));
  });

  it('draws normal numbers with the right moments and tails', () => {
    const random = new Random(4);
    const count = 200_000;
    const moments = [0, 0, 0, 0];
    let beyondTwo = 0;
    for (let k = 0; k < count; k++) {
      const x = random.normal();
      for (let p = 0; p < 4; p++) moments[p] += x ** (p + 1) / count;
      if (Math.abs(x) > 2) beyondTwo++;
    }
    const spread = 5 / Math.sqrt(count);
    expect(Math.abs(moments[0])).toBeLessThan(spread);
    expect(Math.abs(moments[1] - 1)).toBeLessThan(spread * Math.sqrt(2));
    expect(Math.abs(moments[2])).toBeLessThan(spread * Math.sqrt(15));
    expect(Math.abs(moments[3] - 3)).toBeLessThan(spread * Math.sqrt(96));
    expect(Math.abs(beyondTwo / count - 0.0455)).toBeLessThan(spread * 0.21);
  });

  it.each([1, 2, 3, 7, 1000])('draws every integer below %i equally often', (count) => {
    const random = new Random(count);
    const draws = 1000 * count;
    const seen = new Uint32Array(count);
    for (let k = 0; k < draws; k++) seen[random.integer(count)]++;
    for (const times of seen) expect(Math.abs(times - 1000)).toBeLessThan(6 * Math.sqrt(1000));
  });
});

const GOLDEN_BITS = [2837322924, 544945897, 479756282, 3500138142];
