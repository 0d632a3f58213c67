import { SkinningSystem } from '@pelt/kernels';
import { type Numerics, openNumerics } from '@pelt/math';
import type { Rig } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose } from '../../../src/decompose/index.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { IslandPrices } from '../../../src/shared/search/island-prices.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

/** A strip of triangles over vertices `first` … `last`: each is joined to the next two. */
function strip(first: number, last: number): number[] {
  return Array.from({ length: last - first - 1 }, (_, k) => [first + k, first + k + 1, first + k + 2]).flat();
}

/** A system over n vertices at the origin and one frame with the given weights, two per vertex. */
function withWeights(numerics: Numerics, rows: readonly (readonly [number, number])[]): SkinningSystem {
  const n = rows.length;
  const basis = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const trajectories = { rest: new Float64Array(3 * n), basis, coefficients: new Float64Array(3 * n) };
  const system = new SkinningSystem(numerics, { ...trajectories, squaredNorms: new Float64Array(n) }, 2, 2);
  const { bones, weights } = system.editWeights();
  rows.forEach((row, i) => {
    bones.set([0, 1], 2 * i);
    weights.set(row, 2 * i);
  });
  return system;
}

/** Number of regions of weights ≥ 0.01 beyond the first of each bone. */
function islandsOf({ mesh, weights: { slots, bones, weights }, bones: { length: m } }: Rig): number {
  const n = mesh.positions.length / 3;
  const { starts, neighbours } = edgeGraph(mesh.triangles, n);
  let islands = 0;
  for (let j = 0; j < m; j++) {
    const left = new Set<number>();
    for (let s = 0; s < n * slots; s++) if (bones[s] === j && weights[s] >= 0.01) left.add(Math.floor(s / slots));
    let regions = 0;
    for (const seed of left) {
      const region = [seed];
      left.delete(seed);
      for (const i of region) {
        for (let e = starts[i]; e < starts[i + 1]; e++) {
          if (left.delete(neighbours[e])) region.push(neighbours[e]);
        }
      }
      regions++;
    }
    islands += Math.max(regions - 1, 0);
  }
  return islands;
}

describe('the price of islands', () => {
  const priced = (rows: readonly (readonly [number, number])[], triangles: number[]) => {
    const system = withWeights(numerics, rows);
    const prices = new IslandPrices(numerics, system, edgeGraph(Uint32Array.from(triangles), rows.length));
    prices.update();
    const ofBone = (j: number) => rows.map((_, i) => prices.priced.view[2 * i + j]).join('');
    const result = { first: ofBone(0), second: ofBone(1), count: prices.count() };
    prices.dispose();
    system.dispose();
    return result;
  };

  it('is due away from the largest region of a bone and the vertices next to it', () => {
    // Bone 1: two vertices at the left, one at the right, an invisible weight in the middle.
    const rows = [0.5, 0.5, 0, 0, 0, 0.005, 0, 0, 0.3].map((w) => [1 - w, w] as const);
    const { first, second, count } = priced(rows, strip(0, 8));
    expect(first).toBe('000000000');
    expect(second).toBe('000011111');
    expect(count).toBe(1);
  });

  it('leaves each part of a mesh a region of its own', () => {
    const rows = [0.5, 0.5, 0, 0, 0, 0.3, 0, 0, 0.3].map((w) => [1 - w, w] as const);
    const { second, count } = priced(rows, [...strip(0, 4), ...strip(5, 8)]);
    // The first of two regions of one size counts as the larger.
    expect(second).toBe('000010001'.replace(/./g, (flag, i) => (i >= 5 && i <= 7 ? '0' : flag)));
    expect(count).toBe(1);
  });

  it('is nowhere due on vertices without edges or weights', () => {
    expect(priced([[1, 0]], []).count).toBe(0);
    expect(priced([[0, 0]], []).count).toBe(0);
  });

  it('removes most islands of a fit for little error', () => {
    const { sequence } = creatureScene({ frames: 12, detail: 0.035 });
    const fit = (islandPrice: number) => decompose(sequence, { bones: 8, islandPrice, rounds: 24 }, { numerics });
    const [free, clean] = [fit(0), fit(0.2)];
    expect(islandsOf(free.rig)).toBeGreaterThan(4);
    expect(islandsOf(clean.rig)).toBeLessThan(islandsOf(free.rig) / 2);
    expect(clean.error.eRms).toBeLessThan(1.05 * free.error.eRms);
  });
});
