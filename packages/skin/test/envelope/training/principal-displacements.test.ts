import { openNumerics } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { principalDisplacements } from '../../../src/envelope/training/principal-displacements.ts';

const numerics = await openNumerics();
/** Four vertices, in a box with a diagonal of √3. */
const rest = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1);
const poses = (E: number) => new Float64Array(3 * E);

function mixed({ displacements, mixing }: { displacements: Float32Array; mixing?: Float64Array }, E: number) {
  const R = (mixing?.length ?? 0) / E;
  const size = displacements.length / R;
  return Array.from({ length: E * size }, (_, k) => {
    const [e, c] = [Math.floor(k / size), k % size];
    return Array.from({ length: R }, (_, r) => (mixing?.[r * E + e] ?? 0) * displacements[r * size + c]).reduce(
      (sum, value) => sum + value,
      0,
    );
  });
}

describe('principal displacements', () => {
  it('are none where nothing is displaced', () => {
    const given = { poses: poses(3), displacements: new Float32Array(36) };
    expect(principalDisplacements(given, rest, 1e-4, { numerics })).toBeUndefined();
  });

  it('are one where the examples are multiples of one, exact to 8 bits and zero where that is', () => {
    const shape = Float32Array.of(0, 0, 0, 0.1, 0, 0, 0, -0.05, 0, 0, 0, 0);
    const displacements = Float32Array.from([0, 1, -2].flatMap((share) => Array.from(shape, (x) => share * x)));
    const found = principalDisplacements({ poses: poses(3), displacements }, rest, 1e-4, { numerics });
    if (!found) throw new Error('no displacements');
    expect(found.mixing).toHaveLength(3);
    expect(Array.from(found.displacements).every(Number.isInteger)).toBe(true);
    expect(Array.from(found.displacements.subarray(9))).toEqual([0, 0, 0]);
    for (const [k, value] of mixed(found, 3).entries()) {
      expect(Math.abs(value - displacements[k])).toBeLessThan(0.2 / 127);
    }
  });

  it('grow in number with the accuracy', () => {
    const displacements = Float32Array.from({ length: 72 }, (_, k) => Math.sin(k * k) * 0.1 ** (k % 6));
    const ranks = [0.1, 0.01, 1e-4].map((tolerance) => {
      const found = principalDisplacements({ poses: poses(6), displacements }, rest, tolerance, { numerics });
      return (found?.mixing?.length ?? 0) / 6;
    });
    expect(ranks[0]).toBeLessThan(ranks[1]);
    expect(ranks[1]).toBeLessThan(ranks[2]);
  });
});
