import { openNumerics } from '@pelt/math';
import type { MeshSequence } from '@pelt/model';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose } from '../../src/decompose/index.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

type Key = (x: number, y: number, z: number) => readonly number[];

const CORNERS = [-1, 1].flatMap((z) => [-1, 1].flatMap((y) => [-1, 1].flatMap((x) => [x, y, z])));
// biome-ignore format: a face per row
const FACES = [
  0, 1, 3, 0, 3, 2,
  4, 6, 7, 4, 7, 5,
  0, 4, 5, 0, 5, 1,
  2, 3, 7, 2, 7, 6,
  0, 2, 6, 0, 6, 4,
  1, 5, 7, 1, 7, 3,
];

/** A cube of eight vertices that goes to one shape key, and from there to another. */
function morphingCube(first: Key, second: Key, steps: number): MeshSequence {
  const amounts = Array.from({ length: 2 * steps + 1 }, (_, t) =>
    t <= steps ? [t / steps, 0] : [2 - t / steps, t / steps - 1],
  );
  const frames = amounts.flatMap(([a, b]) =>
    Array.from({ length: 8 }, (_, i) => {
      const [x, y, z] = CORNERS.slice(3 * i, 3 * i + 3);
      const [one, other] = [first(x, y, z), second(x, y, z)];
      return [x, y, z].map((p, d) => p + a * (one[d] - p) + b * (other[d] - p));
    }).flat(),
  );
  const rest = { name: 'cube', positions: Float32Array.from(CORNERS), triangles: Uint32Array.from(FACES) };
  return { name: 'cube', rest, frames: Float32Array.from(frames), times: Float64Array.from(amounts.keys()) };
}

describe('a mesh of few vertices', () => {
  it.each<[string, Key, Key]>([
    [
      'grows at the top and rises',
      (x, y, z) => (z > 0 ? [2 * x, 2 * y, z] : [x, y, z]),
      (x, y, z) => [x, y, z + (z > 0 ? 1 : 0)],
    ],
    ['becomes tall and wide', (x, y, z) => [x, y, 2 * z], (x, y, z) => [2 * x, y, z]],
    ['shears and grows', (x, y, z) => [x + z, y, z], (x, y, z) => [2 * x, 2 * y, 2 * z]],
  ])('that %s never ends far above another start', (_, first, second) => {
    const sequence = morphingCube(first, second, 4);
    const one = decompose(sequence, { bones: 1 }, { numerics }).error.eRms;
    for (const bones of [4, 8, 20]) {
      const { error } = decompose(sequence, { bones }, { numerics });
      const regions = decompose(sequence, { bones, start: 'regions' }, { numerics });
      expect(error.eRms).toBeLessThan(Math.max(2 * regions.error.eRms, 0.1));
      expect(error.eRms).toBeLessThan(0.02 * one);
    }
  });
});
