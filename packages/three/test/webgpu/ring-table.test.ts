import { vertexNormals } from '@pelt/model';
import { creatureScene, elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { type Rings, ringsOf } from '../../src/webgpu/ring-table.ts';

/** Σ (a − p) × (b − p) over the ring of each vertex, as the shader sums it. */
function normalsBy({ starts, entries }: Rings, p: Float32Array): Float64Array {
  const out = new Float64Array(p.length);
  for (let i = 0; 3 * i < p.length; i++) {
    let last = [0, 0, 0];
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      const arm = [0, 1, 2].map((c) => p[3 * entries[k] + c] - p[3 * i + c]);
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        out[3 * i + c] += last[d] * arm[e] - last[e] * arm[d];
      }
      last = arm;
    }
  }
  return out;
}

function expectSame(found: ArrayLike<number>, expected: ArrayLike<number>, scale: number): void {
  for (let k = 0; k < expected.length; k++) expect(Math.abs(found[k] - expected[k])).toBeLessThan(1e-6 * scale);
}

/** A unit square of two triangles; vertex 0 and 2 are on the diagonal. */
const SQUARE = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
};

describe('ringsOf', () => {
  it('keeps the fans of an open boundary open', () => {
    const rings = ringsOf(SQUARE.positions, undefined, SQUARE.triangles);
    const of = (i: number) => [...rings.entries.subarray(rings.starts[i], rings.starts[i + 1])];
    expect(of(0)).toEqual([1, 2, 3]);
    expect(of(1)).toEqual([2, 0]);
    // Both triangles lie in the plane, with areas of a half: twice the area of those at each vertex.
    expect([...normalsBy(rings, SQUARE.positions)]).toEqual([0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0, 1]);
  });

  it.each([
    ['a tube with poles', elbowScene({ frames: 2, rings: 9, sides: 24 }).rig.mesh],
    ['a creature', creatureScene({ frames: 2, detail: 0.1 }).rig.mesh],
  ])('sums to the area-weighted normals of %s', (_, { positions, triangles }) => {
    const expected = vertexNormals(positions, triangles, new Float64Array(positions.length));
    expectSame(normalsBy(ringsOf(positions, undefined, triangles), positions), expected, 1);
  });

  it('joins vertices that a seam has split, and leaves hard edges apart', () => {
    // The square again, with its diagonal split: 4 is a copy of 0, 5 of 2.
    const positions = Float32Array.of(...SQUARE.positions, 0, 0, 0, 1, 1, 0);
    const triangles = Uint32Array.of(0, 1, 2, 4, 5, 3);
    const up = Float32Array.from({ length: 18 }, (_, k) => (k % 3 === 2 ? 1 : 0));
    const joined = normalsBy(ringsOf(positions, up, triangles), positions);
    expect([...joined.subarray(0, 3)]).toEqual([0, 0, 2]);
    expect([...joined.subarray(12, 15)]).toEqual([0, 0, 2]);
    const hard = up.slice();
    hard.set([1, 0, 0], 12);
    const apart = normalsBy(ringsOf(positions, hard, triangles), positions);
    expect([...apart.subarray(0, 3)]).toEqual([0, 0, 1]);
    expect([...apart.subarray(12, 15)]).toEqual([0, 0, 1]);
  });

  it('keeps two fans of one vertex apart', () => {
    // Two triangles that touch in vertex 0 only.
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, -1, 0, 0, -1, -1, 0);
    const triangles = Uint32Array.of(0, 1, 2, 0, 3, 4);
    const expected = vertexNormals(positions, triangles, new Float64Array(15));
    expectSame(normalsBy(ringsOf(positions, undefined, triangles), positions), expected, 1);
  });

  it('gives nothing for vertices without triangles and for degenerate ones', () => {
    const rings = ringsOf(new Float32Array(12), undefined, Uint32Array.of(0, 0, 1));
    expect(rings.entries.length).toBe(0);
    expect([...rings.starts]).toEqual([0, 0, 0, 0, 0]);
  });
});
