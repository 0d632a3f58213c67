import { readFileSync } from 'node:fs';
import { readObj } from '@pelt/io';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { closestOnTriangle, emptyClosestPoint, KdTree, Random, TriangleTree } from '../../src/index.ts';
import { largestDifference, randomMatrix } from '../matrices.ts';

/** A triangle soup of n triangles of the given size about random places. */
function soup(random: Random, n: number, size: number): { positions: Float64Array; triangles: Uint32Array } {
  const positions = new Float64Array(9 * n);
  for (let k = 0; k < n; k++) {
    const centre = [random.normal(), random.normal(), random.normal()];
    for (let c = 0; c < 9; c++) positions[9 * k + c] = centre[c % 3] + size * random.normal();
  }
  return { positions, triangles: Uint32Array.from({ length: 3 * n }, (_, k) => k) };
}

function closest(tree: TriangleTree, query: ArrayLike<number>) {
  const out = emptyClosestPoint();
  tree.closestPoint(query, 0, out);
  return out;
}

/**
 * The distance by brute force: projected gradient is too slow to be exact, so all candidates are tried: the inside (by
 * solving the normal equations), the three edges, the three corners.
 */
function plainDistance(corners: ArrayLike<number>, query: ArrayLike<number>): number {
  const [a, b, c] = [0, 3, 6].map((at) => [0, 1, 2].map((d) => corners[at + d] - query[d]));
  const dot = (x: number[], y: number[]) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const minus = (x: number[], y: number[]) => x.map((value, d) => value - y[d]);
  const candidates = [a, b, c];
  for (const [p, q] of [
    [a, b],
    [b, c],
    [c, a],
  ]) {
    const edge = minus(q, p);
    const t = -dot(p, edge) / dot(edge, edge);
    if (t > 0 && t < 1) candidates.push(p.map((x, d) => x + t * edge[d]));
  }
  const [u, v] = [minus(b, a), minus(c, a)];
  const determinant = dot(u, u) * dot(v, v) - dot(u, v) ** 2;
  const s = (-dot(a, u) * dot(v, v) + dot(a, v) * dot(u, v)) / determinant;
  const t = (-dot(a, v) * dot(u, u) + dot(a, u) * dot(u, v)) / determinant;
  if (s > 0 && t > 0 && s + t < 1) candidates.push(a.map((x, d) => x + s * u[d] + t * v[d]));
  return Math.min(...candidates.map((x) => dot(x, x)));
}

describe('TriangleTree', () => {
  it('finds a corner of the mesh at that corner, exactly', () => {
    const { positions, triangles } = soup(new Random(1), 100, 0.2);
    const tree = new TriangleTree(positions, triangles);
    for (let i = 0; i < 300; i += 7) {
      const found = closest(tree, positions.subarray(3 * i));
      expect(found.squaredDistance).toBe(0);
      expect([...found.point]).toEqual([...positions.subarray(3 * i, 3 * i + 3)]);
    }
  });

  it('knows the seven regions of a triangle', () => {
    const tree = new TriangleTree(Float32Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0), [0, 1, 2]);
    const cases = [
      [1, 1, 2, /* inside */ 1, 1, 0],
      [-1, -1, 1, /* corner a */ 0, 0, 0],
      [6, -1, 0, /* corner b */ 4, 0, 0],
      [-1, 6, 0, /* corner c */ 0, 4, 0],
      [2, -3, 1, /* edge ab */ 2, 0, 0],
      [-2, 1, 1, /* edge ac */ 0, 1, 0],
      [3, 3, 5, /* edge bc */ 2, 2, 0],
    ];
    for (const [x, y, z, ...expected] of cases) {
      const found = closest(tree, [x, y, z]);
      expect([...found.point]).toEqual(expected);
      expect(found.triangle).toBe(0);
    }
  });

  it.each([0, 1, 2, 3, 7, 64, 65, 500])('agrees with looking at all of %i triangles', (n) => {
    const random = new Random(n);
    const { positions, triangles } = soup(random, n, 0.3);
    const tree = new TriangleTree(positions, triangles);
    const queries = randomMatrix(random, 60, 3);
    for (let q = 0; q < 180; q += 3) {
      const query = queries.subarray(q, q + 3);
      const found = closest(tree, query);
      if (n === 0) {
        expect(found.triangle).toBe(-1);
        continue;
      }
      const squared = Array.from({ length: n }, (_, k) => plainDistance(positions.subarray(9 * k, 9 * k + 9), query));
      expect(Math.abs(found.squaredDistance - Math.min(...squared))).toBeLessThan(1e-13);
      expect(squared[found.triangle]).toBeCloseTo(Math.min(...squared), 12);
      const weights = [...found.barycentric];
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(-1e-15);
      expect(weights[0] + weights[1] + weights[2]).toBeCloseTo(1, 14);
      const at = 9 * found.triangle;
      const point = [0, 1, 2].map((d) => weights.reduce((sum, w, k) => sum + w * positions[at + 3 * k + d], 0));
      expect(largestDifference(found.point, point)).toBeLessThan(1e-15);
      expect(Math.hypot(...point.map((x, d) => x - query[d]))).toBeCloseTo(Math.sqrt(found.squaredDistance), 13);
    }
  });

  it('takes the triangle with the lowest index at a shared corner', () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0);
    const fan = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1];
    expect(closest(new TriangleTree(positions, fan), [0, 0, 1]).triangle).toBe(0);
    expect(closest(new TriangleTree(positions, [...fan].reverse()), [0, 0, 1]).triangle).toBe(0);
  });

  it('handles triangles without area and without length', () => {
    const positions = Float64Array.of(0, 0, 0, 2, 0, 0, 1, 0, 0, 5, 5, 5);
    const segment = closest(new TriangleTree(positions, [0, 1, 2]), [1.5, 1, 0]);
    expect([...segment.point]).toEqual([1.5, 0, 0]);
    expect(segment.squaredDistance).toBe(1);
    const point = closest(new TriangleTree(positions, [3, 3, 3]), [5, 5, 7]);
    expect([...point.point]).toEqual([5, 5, 5]);
    expect(point.squaredDistance).toBe(4);
  });

  it('finds nothing beyond the given distance', () => {
    const tree = new TriangleTree(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), [0, 1, 2]);
    const out = emptyClosestPoint();
    tree.closestPoint([0, 0, 3], 0, out, 2);
    expect(out.triangle).toBe(-1);
    expect(out.squaredDistance).toBe(Number.POSITIVE_INFINITY);
    tree.closestPoint([0, 0, 3], 0, out, 3);
    expect(out.triangle).toBe(0);
  });

  it.each([1e-6, 1e6])('finds the same place at scale %f', (scale) => {
    const random = new Random(9);
    const { positions, triangles } = soup(random, 200, 0.3);
    const tree = new TriangleTree(positions, triangles);
    const scaled = new TriangleTree(
      positions.map((x) => x * scale),
      triangles,
    );
    const queries = randomMatrix(random, 30, 3);
    for (let q = 0; q < 90; q += 3) {
      const query = queries.subarray(q, q + 3);
      const expected = closest(tree, query);
      const found = closest(
        scaled,
        query.map((x) => x * scale),
      );
      expect(
        largestDifference(
          found.point,
          expected.point.map((x) => x * scale),
        ),
      ).toBeLessThan(1e-14 * scale);
    }
  });

  const horse = realData('horse-gallop/rest.obj');
  it.skipIf(!horse)('agrees with looking at everything on a real mesh (needs the measured data)', () => {
    const { positions, triangles } = readObj(readFileSync(horse!));
    const tree = new TriangleTree(positions, triangles);
    const points = new KdTree(positions);
    const random = new Random(10);
    const corners = Float64Array.from({ length: 3 * triangles.length }, (_, k) => {
      return positions[3 * triangles[Math.floor(k / 3)] + (k % 3)];
    });
    const weights = new Float64Array(3);
    const [index, squared] = [new Uint32Array(1), new Float64Array(1)];
    for (let round = 0; round < 50; round++) {
      const vertex = random.integer(positions.length / 3);
      const query = [0, 1, 2].map((d) => positions[3 * vertex + d] + 0.05 * random.normal());
      let best = Number.POSITIVE_INFINITY;
      let triangle = -1;
      for (let k = 0; k < triangles.length / 3; k++) {
        const distance = closestOnTriangle(corners, 9 * k, query, 0, weights);
        if (distance < best) [best, triangle] = [distance, k];
      }
      const found = closest(tree, query);
      expect(found.squaredDistance).toBe(best);
      expect(found.triangle).toBe(triangle);
      points.nearest(query, 0, 1, index, squared);
      expect(squared[0]).toBeGreaterThanOrEqual(best);
    }
  });
});
