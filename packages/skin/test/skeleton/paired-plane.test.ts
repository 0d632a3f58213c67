/** The mirror plane of a skeleton from its pairs of bones. */
import { describe, expect, it } from 'vitest';
import { pairedPlane } from '../../src/skeleton/paired-plane.ts';

const parents = Int32Array.of(-1, 0, 0, 0);
const centres = new Float64Array(12);

describe('pairedPlane', () => {
  it('lies half-way between the joints of a pair', () => {
    // Two bones of a trunk at x = 1, a left one and a right one at 1 ± 0.5.
    const origins = Float64Array.of(1, 0, 0, 1, 0, 1, 1.5, 0, 0, 0.5, 0, 0);
    const found = pairedPlane({ parents, origins, centres, partners: Int32Array.of(0, 1, 3, 2) });
    expect(Math.abs(found?.across[0] ?? 0)).toBe(1);
    expect((found?.middle ?? 0) * (found?.across[0] ?? 0)).toBe(1);
    expect([...(found?.central ?? [])]).toEqual([0, 1]);
  });

  it('is unknown without pairs, or where nothing lies on it', () => {
    const origins = new Float64Array(12);
    expect(pairedPlane({ parents, origins, centres })).toBeUndefined();
    expect(pairedPlane({ parents, origins, centres, partners: Int32Array.of(0, 1, 2, 3) })).toBeUndefined();
    expect(pairedPlane({ parents, origins, centres, partners: Int32Array.of(1, 0, 3, 2) })).toBeUndefined();
    expect(pairedPlane({ parents, origins, centres, partners: Int32Array.of(0, 1, 3, 2) })).toBeUndefined();
  });
});
