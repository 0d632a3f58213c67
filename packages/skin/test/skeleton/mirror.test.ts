import { openNumerics, Random } from '@pelt/math';
import { InputError } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { extractSkeleton } from '../../src/index.ts';
import { mirrored, mirrorPlane } from '../../src/skeleton/mirror-plane.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

describe('mirrorPlane', () => {
  /** Points in mirrored pairs across a plane through (1, 2, 3). */
  const pairs = (normal: readonly number[], noise = 0) => {
    const random = new Random(5);
    const offset = normal[0] + 2 * normal[1] + 3 * normal[2];
    const points: number[] = [];
    for (let k = 0; k < 200; k++) {
      // Long, high and narrow, so that no other plane fits.
      const p = [1 + 3 * random.normal(), 2 + 2 * random.uniform() ** 2, 3 + random.uniform() ** 3];
      const image = mirrored({ normal, offset }, p);
      points.push(...p, ...image.map((value) => value + noise * random.normal()));
    }
    return Float64Array.from(points);
  };

  it.each([[[1, 0, 0]], [[0, 0, 1]], [[0.96, 0.28, 0]]])(
    'finds the plane across %j, however the model lies',
    (normal) => {
      const plane = mirrorPlane(pairs(normal));
      normal.forEach((value, d) => {
        expect(plane.normal[d]).toBeCloseTo(value, 6);
      });
      expect(plane.offset).toBeCloseTo(normal[0] + 2 * normal[1] + 3 * normal[2], 6);
      expect(plane.error).toBeLessThan(1e-9);
      for (let i = 0; i < 400; i++) expect(plane.images[i]).toBe(i ^ 1);
    },
  );

  it('is not thrown by noise, and takes a single point', () => {
    expect(mirrorPlane(pairs([1, 0, 0], 0.02)).normal[0]).toBeCloseTo(1, 3);
    expect(mirrorPlane(Float64Array.of(1, 2, 3)).error).toBe(0);
  });
});

describe('symmetry', () => {
  it('pairs the bones of a creature, names them so and mirrors their joints', () => {
    const { sequence } = creatureScene({ detail: 0.06, frames: 16 });
    const { rig, partners = [], error } = extractSkeleton(sequence, { bones: 12, symmetry: true }, { numerics });
    expect(error.rmsePercent).toBeLessThan(0.05);
    expect(new Set(rig.bones.map(({ name }) => name)).size).toBe(12);
    let pairs = 0;
    rig.bones.forEach(({ name, parent, rest }, k) => {
      const partner = partners[k];
      expect(partners[partner]).toBe(k);
      if (partner === k) {
        expect(name).not.toMatch(/Left|Right/);
        return;
      }
      const other = rig.bones[partner];
      expect(other.name).toBe(name.replace(/Left|Right/, (side) => (side === 'Left' ? 'Right' : 'Left')));
      expect(name).toMatch(rest[3] > 0 ? /Left/ : /Right/);
      expect(partners[parent]).toBe(other.parent);
      // The creature stands across x = 0.
      expect(other.rest[3]).toBeCloseTo(-rest[3], 3);
      expect(other.rest[7]).toBeCloseTo(rest[7], 3);
      expect(other.rest[11]).toBeCloseTo(rest[11], 3);
      pairs++;
    });
    expect(pairs).toBe(8);
  });

  it('refuses a rest pose without a mirror plane', () => {
    const random = new Random(2);
    const positions = Float32Array.from({ length: 90 }, () => random.normal());
    const rest = { name: 'cloud', positions, triangles: Uint32Array.of(0, 1, 2) };
    const frames = new Float32Array(180).map((_, k) => positions[k % 90]);
    const sequence = { name: 'cloud', rest, frames, times: Float64Array.of(0, 1) };
    expect(() => extractSkeleton(sequence, { symmetry: true }, { numerics })).toThrow(InputError);
  });
});
