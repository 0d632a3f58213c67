import { describe, expect, it } from 'vitest';
import { attributeParts } from '../../../src/puppet/runtime/attribution.ts';
import { expectClose } from '../expect-close.ts';

/** N × N × C squared distances of numbers given per pair. */
function squaredDistances(values: number[][]): Float64Array {
  return Float64Array.from(values.flatMap((a) => values.flatMap((b) => a.map((value, c) => (value - b[c]) ** 2))));
}

const none = (bones: number) => new Int32Array(bones).fill(-1);

/** Arms and legs of the performer in six pairs: at rest, arms alone twice, legs alone twice, both. */
const PARTS = [
  [0, 0],
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [0.4, 1],
];

describe('attributeParts', () => {
  it('finds that a bone follows the arms, or the legs, or both', () => {
    const bones = PARTS.map(([arms, legs]) => [2 * arms, 3 * legs, arms + legs]);
    const { shares, examples } = attributeParts(squaredDistances(PARTS), squaredDistances(bones), 6, 0, none(3));
    const share = (bone: number, pair: number) => [
      ...shares.subarray((bone * 6 + pair) * 2, (bone * 6 + pair + 1) * 2),
    ];
    expectClose(share(0, 1), [1, 0], 1e-3);
    expectClose(share(1, 3), [0, 1], 1e-3);
    // In the pair that moves both, each bone still follows its own.
    expect(share(0, 5)[0]).toBeGreaterThan(0.95);
    expect(share(1, 5)[1]).toBeGreaterThan(0.999);
    expect(share(2, 1)).toEqual([1, 0]);
    expect(share(2, 3)).toEqual([0, 1]);
    expect([...examples]).toEqual([1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1]);
  });

  it('gives shares that sum to 1, always', () => {
    const contradictory = [
      [0, 0],
      [0, 0],
      [1, 1],
      [0, 2],
    ];
    const bones = [[0], [5], [1], [0]];
    const { shares } = attributeParts(squaredDistances(contradictory), squaredDistances(bones), 4, 0, none(1));
    for (let k = 0; k < shares.length; k += 2) expect(shares[k] + shares[k + 1]).toBeCloseTo(1, 12);
  });

  it('believes what it is told, where that part moves', () => {
    const together = [
      [0, 0],
      [1, 1],
      [2, 2.1],
    ];
    const bones = [[0], [1], [2]];
    const { shares } = attributeParts(squaredDistances(together), squaredDistances(bones), 3, 0, Int32Array.of(1));
    expectClose(shares.subarray(2), [0, 1, 0, 1]);
    // The legs stand still in pair 1: there the bone can only follow the arms.
    const still = [
      [0, 0],
      [1, 0],
      [0, 2],
    ];
    const other = attributeParts(squaredDistances(still), squaredDistances(bones), 3, 0, Int32Array.of(1));
    expectClose(other.shares.subarray(2, 4), [1, 0]);
  });

  it('copes with bones that never move and a single pair', () => {
    const { shares } = attributeParts(squaredDistances([[0, 0]]), squaredDistances([[0]]), 1, 0, none(1));
    expectClose(shares, [0.5, 0.5]);
  });
});
