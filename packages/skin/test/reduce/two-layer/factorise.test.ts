import { openNumerics } from '@pelt/math';
import { type SkinWeights, validateSkinWeights, virtualCount } from '@pelt/model';
import { afterAll, describe, expect, it } from 'vitest';
import { factorise } from '../../../src/reduce/two-layer/factorise.ts';
import { weightSpaceSystem } from '../../../src/reduce/two-layer/weight-space.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

/** n × m weights as slots, one for each bone. */
function denseSkin(rows: readonly (readonly number[])[]): SkinWeights {
  const m = rows[0].length;
  return {
    slots: m,
    bones: Uint16Array.from(rows.flatMap((row) => row.map((_, j) => j))),
    weights: Float32Array.from(rows.flat()),
  };
}

/** Vertices in a strip of triangles, each beside the next two. */
function strip(n: number) {
  const triangles = Array.from({ length: Math.max(n - 2, 0) }, (_, k) => [k, k + 1, k + 2]);
  return edgeGraph(Uint32Array.from(triangles.flat()), n);
}

describe('factorise', () => {
  /** W ≈ D·A, and the largest difference of any weight. */
  function layers(rows: readonly (readonly number[])[], virtual: number, c = rows[0].length) {
    const [n, m] = [rows.length, rows[0].length];
    const skin = denseSkin(rows);
    const system = weightSpaceSystem(numerics, skin, m, c);
    try {
      for (let i = 0; i < n; i++) {
        const order = rows[i].map((_, j) => j).sort((a, b) => rows[i][b] - rows[i][a] || a - b);
        order.slice(0, c).forEach((j, s) => {
          system.editWeights().bones[i * c + s] = j;
          system.editWeights().weights[i * c + s] = rows[i][j];
        });
      }
      system.measureError();
      const found = factorise(numerics, system, strip(n), virtual);
      const q = virtualCount(found);
      validateSkinWeights(found.masters, q, m);
      validateSkinWeights(found.vertices, n, q);
      const product = rows.map((_, i) => {
        const row = new Array<number>(m).fill(0);
        for (let s = 2 * i; s < 2 * i + 2; s++) {
          const { masters, vertices } = found;
          for (let k = vertices.bones[s] * masters.slots; k < (vertices.bones[s] + 1) * masters.slots; k++) {
            row[masters.bones[k]] += vertices.weights[s] * masters.weights[k];
          }
        }
        return row;
      });
      const miss = Math.max(...rows.flatMap((row, i) => row.map((w, j) => Math.abs(w - product[i][j]))));
      const squared = rows.flatMap((row, i) => row.map((w, j) => (w - product[i][j]) ** 2)).reduce((a, b) => a + b, 0);
      return { skin: found, q, miss, squared };
    } finally {
      system.dispose();
    }
  }

  const unit = (m: number, j: number) => Array.from({ length: m }, (_, k) => (k === j ? 1 : 0));

  it('makes the bones themselves the virtual ones where every vertex follows one bone', () => {
    const { skin, q, miss } = layers([unit(3, 0), unit(3, 0), unit(3, 1), unit(3, 1), unit(3, 2)], 3);
    expect(q).toBe(3);
    expect(miss).toBe(0);
    expect([...skin.masters.weights].filter((w) => w > 0)).toEqual([1, 1, 1]);
  });

  it('blends a vertex between two others from their two atoms', () => {
    // The last three lie on the segment between the first two.
    const rows = [
      [1, 0],
      [0, 1],
      [0.5, 0.5],
      [0.25, 0.75],
      [0.9, 0.1],
    ];
    const { skin, q, miss } = layers(rows, 2);
    expect(q).toBe(2);
    expect(miss).toBeLessThan(1e-6);
    const shares = [2, 3, 4].map((i) => skin.vertices.weights[2 * i]);
    [0.5, 0.75, 0.9].forEach((share, k) => {
      expect(shares[k]).toBeCloseTo(share, 6);
    });
  });

  /** Rows that are blends of two neighbouring ones of `atoms`, all along a strip. */
  const between = (atoms: readonly (readonly number[])[], steps: number) =>
    atoms
      .slice(1)
      .flatMap((atom, k) =>
        Array.from({ length: steps + 1 }, (_, s) => atom.map((w, j) => ((steps - s) * atoms[k][j] + s * w) / steps)),
      );
  const KNOWN = [
    [0.7, 0.3, 0, 0, 0],
    [0.2, 0.5, 0.3, 0, 0],
    [0, 0.1, 0.6, 0.3, 0],
    [0, 0, 0.2, 0.2, 0.6],
  ];

  it('is convex in both layers with at most c masters, and no worse with more virtual bones', () => {
    const rows = between(KNOWN, 9);
    const errors = [1, 2, 4, 8, 16].map((virtual) => {
      const { skin, q, squared } = layers(rows, virtual, 3);
      expect(q).toBeLessThanOrEqual(virtual);
      expect(skin.masters.slots).toBe(3);
      expect(skin.vertices.slots).toBe(2);
      return squared;
    });
    for (let k = 1; k < errors.length; k++) expect(errors[k]).toBeLessThanOrEqual(errors[k - 1] + 1e-9);
    expect(errors[4]).toBeLessThan(0.05 * errors[0]);
  });

  it('finds a dictionary as good as the one the weights were made from', () => {
    const { q, miss } = layers(between(KNOWN, 9), KNOWN.length);
    expect(q).toBe(KNOWN.length);
    expect(miss).toBeLessThan(0.02);
  });

  it('adds no virtual bone that no vertex needs', () => {
    const { q, miss } = layers([unit(2, 0), unit(2, 0), unit(2, 1), unit(2, 1)], 50);
    expect(q).toBe(2);
    expect(miss).toBe(0);
  });

  it('takes one virtual bone, one vertex and no room at all', () => {
    expect(layers(between(KNOWN, 3), 1).q).toBe(1);
    expect(layers([[0.25, 0.75]], 4)).toMatchObject({ q: 1, miss: 0 });
    expect(layers([[0.25, 0.75]], 0).q).toBe(1);
  });
});
