import { Random } from '@pelt/math';
import { type SkinWeights, WEIGHT_SUM_TOLERANCE } from '@pelt/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packWeights } from '../../src/gltf/pack-weights.ts';
import { randomWeights } from './models.ts';

function skinOf(rows: readonly (readonly (readonly [bone: number, weight: number])[])[]): SkinWeights {
  const slots = Math.max(...rows.map((row) => row.length));
  const bones = new Uint16Array(rows.length * slots);
  const weights = new Float32Array(rows.length * slots);
  rows.forEach((row, i) => {
    row.forEach(([bone, weight], s) => {
      bones[i * slots + s] = bone;
      weights[i * slots + s] = weight;
    });
  });
  return { slots, bones, weights };
}

const identityMap = (n: number) => Uint32Array.from({ length: n }, (_, i) => i);

it('keeps weights that are right, to the bit', () => {
  const { sets, dropped } = packWeights(
    skinOf([
      [
        [3, 0.75],
        [1, 0.25],
      ],
      [[2, 1]],
    ]),
    5,
    identityMap(2),
    'float',
  );
  expect(sets).toHaveLength(1);
  expect([...sets[0].joints]).toEqual([3, 1, 0, 0, 2, 0, 0, 0]);
  expect([...sets[0].weights]).toEqual([0.75, 0.25, 0, 0, 1, 0, 0, 0]);
  expect(dropped).toBe(0);
});

it('puts the four largest into the first set', () => {
  const row = [0.05, 0.3, 0.1, 0.2, 0.15, 0.2].map((weight, bone) => [bone, weight] as const);
  const { sets } = packWeights(skinOf([row]), 300, identityMap(1), 'float');
  expect(sets).toHaveLength(2);
  expect(sets[0].joints).toBeInstanceOf(Uint16Array);
  expect([...sets[0].joints]).toEqual([1, 3, 5, 4]);
  expect([...sets[1].joints]).toEqual([2, 0, 0, 0]);
});

it('keeps sixteen of more, scaled to 1, and says what the others had', () => {
  const row = Array.from({ length: 18 }, (_, bone) => [bone, bone < 16 ? 0.06 : 0.02] as const);
  const { sets, dropped } = packWeights(skinOf([row]), 18, identityMap(1), 'float');
  expect(dropped).toBeCloseTo(0.04, 6);
  for (const { weights } of sets) for (const weight of weights) expect(weight).toBeCloseTo(1 / 16, 6);
});

it('repeats the weights of a vertex on a seam', () => {
  const { sets } = packWeights(skinOf([[[0, 1]], [[1, 1]]]), 2, Uint32Array.of(0, 1, 1), 'u8');
  expect([...sets[0].joints]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
});

it('uses one byte a joint for 256 of them, two for more', () => {
  const skin = skinOf([[[0, 1]]]);
  expect(packWeights(skin, 256, identityMap(1), 'float').sets[0].joints).toBeInstanceOf(Uint8Array);
  expect(packWeights(skin, 257, identityMap(1), 'float').sets[0].joints).toBeInstanceOf(Uint16Array);
});

describe('for any weights', () => {
  const cases = fc.record({ seed: fc.integer({ min: 0 }), slots: fc.integer({ min: 1, max: 12 }) });

  it('sums floats to 1, added in 32 bits', () => {
    fc.assert(
      fc.property(cases, ({ seed, slots }) => {
        const { sets } = packWeights(randomWeights(20, 30, slots, new Random(seed)), 30, identityMap(20), 'float');
        for (let i = 0; i < 20; i++) {
          const row = sets.flatMap(({ weights }) => [...weights.subarray(4 * i, 4 * i + 4)]);
          const sum = row.reduce((total, weight) => Math.fround(total + weight), 0);
          const used = row.filter((weight) => weight > 0).length;
          expect(Math.abs(sum - 1)).toBeLessThanOrEqual(WEIGHT_SUM_TOLERANCE * used);
          expect([...row].sort((a, b) => b - a)).toEqual(row);
        }
      }),
    );
  });

  it('sums integers to exactly their whole, with joint 0 where there is no weight', () => {
    for (const [format, whole] of [
      ['u8', 255],
      ['u16', 65535],
    ] as const) {
      fc.assert(
        fc.property(cases, ({ seed, slots }) => {
          const skin = randomWeights(20, 30, slots, new Random(seed));
          const { sets } = packWeights(skin, 30, identityMap(20), format);
          for (let i = 0; i < 20; i++) {
            const row = sets.flatMap(({ weights }) => [...weights.subarray(4 * i, 4 * i + 4)]);
            const joints = sets.flatMap((set) => [...set.joints.subarray(4 * i, 4 * i + 4)]);
            expect(row.reduce((total, weight) => total + weight, 0)).toBe(whole);
            row.forEach((weight, s) => {
              if (weight === 0) expect(joints[s]).toBe(0);
            });
          }
        }),
      );
    }
  });
});
