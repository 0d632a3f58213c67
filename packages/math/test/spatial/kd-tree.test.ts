import { describe, expect, it } from 'vitest';
import { KdTree, Random } from '../../src/index.ts';
import { randomMatrix } from '../matrices.ts';

type Points = Float32Array | Float64Array;

function squaredDistance(points: Points, i: number, query: ArrayLike<number>, dimension: number): number {
  let sum = 0;
  for (let d = 0; d < dimension; d++) sum += (query[d] - points[i * dimension + d]) ** 2;
  return sum;
}

/** All points by distance, then by index. */
function byDistance(points: Points, query: ArrayLike<number>, dimension: number): { index: number; squared: number }[] {
  return Array.from({ length: points.length / dimension }, (_, index) => ({
    index,
    squared: squaredDistance(points, index, query, dimension),
  })).sort((a, b) => a.squared - b.squared || a.index - b.index);
}

function nearest(tree: KdTree, query: ArrayLike<number>, count: number) {
  const indices = new Uint32Array(count);
  const squared = new Float64Array(count);
  const found = tree.nearest(query, 0, count, indices, squared);
  return { indices: [...indices.subarray(0, found)], squared: [...squared.subarray(0, found)] };
}

function expectSame(points: Points, dimension: number, queries: Float64Array, count: number): void {
  const tree = new KdTree(points, dimension);
  for (let q = 0; q < queries.length; q += dimension) {
    const query = queries.subarray(q, q + dimension);
    const expected = byDistance(points, query, dimension);
    const actual = nearest(tree, query, count);
    expect(actual.indices).toEqual(expected.slice(0, count).map((entry) => entry.index));
    expect(actual.squared).toEqual(expected.slice(0, count).map((entry) => entry.squared));
    const radius = Math.sqrt(expected[Math.min(count, expected.length) - 1]?.squared ?? 1);
    const inside = expected.filter((entry) => entry.squared <= radius * radius).map((entry) => entry.index);
    expect(tree.within(query, 0, radius)).toEqual(inside.sort((a, b) => a - b));
  }
}

describe('KdTree', () => {
  it('finds each point itself first', () => {
    const points = randomMatrix(new Random(1), 500, 3);
    const tree = new KdTree(points);
    for (let i = 0; i < 500; i++) {
      const { indices, squared } = nearest(tree, points.subarray(3 * i), 1);
      expect(indices).toEqual([i]);
      expect(squared).toEqual([0]);
    }
  });

  it('finds neighbours on a line', () => {
    const points = Float32Array.of(0, 0, 0, 1, 0, 0, 3, 0, 0, 7, 0, 0);
    const tree = new KdTree(points);
    expect(nearest(tree, [2.1, 0, 0], 2)).toEqual({ indices: [2, 1], squared: [(2.1 - 3) ** 2, (2.1 - 1) ** 2] });
    expect(tree.within([2, 0, 0], 0, 1)).toEqual([1, 2]);
    expect(tree.within([2, 0, 0], 0, -1)).toEqual([]);
  });

  it.each([0, 1, 2, 3, 7, 64, 65, 1000])('agrees with looking at all of %i points', (n) => {
    const random = new Random(n);
    expectSame(randomMatrix(random, n, 3), 3, randomMatrix(random, 40, 3), 8);
    expectSame(Float32Array.from(randomMatrix(random, n, 3)), 3, randomMatrix(random, 40, 3), 8);
  });

  it.each([1, 2, 5, 9])('works in %i dimensions', (dimension) => {
    const random = new Random(dimension);
    expectSame(randomMatrix(random, 300, dimension), dimension, randomMatrix(random, 30, dimension), 5);
  });

  it('breaks ties by index: a grid, queried at its points and at the middles of its cells', () => {
    const points: number[] = [];
    for (let x = 0; x < 8; x++) for (let y = 0; y < 8; y++) for (let z = 0; z < 8; z++) points.push(x, y, z);
    const queries = points.slice(0, 300).map((x, k) => (k % 2 ? x : x + 0.5));
    expectSame(Float64Array.from(points), 3, Float64Array.from(queries), 10);
  });

  it('takes points that are all the same, flat or on a line', () => {
    const random = new Random(4);
    const same = new Float64Array(600).fill(0.25);
    expectSame(same, 3, Float64Array.of(0.25, 0.25, 0.25, 1, 2, 3), 10);
    const flat = randomMatrix(random, 200, 3).map((x, k) => (k % 3 === 1 ? 0 : x));
    expectSame(flat, 3, randomMatrix(random, 20, 3), 6);
    const line = randomMatrix(random, 200, 3).map((x, k) => (k % 3 === 2 ? Math.round(x * 3) : 5));
    expectSame(line, 3, randomMatrix(random, 20, 3), 6);
  });

  it.each([1e-6, 1e6])('gives the same neighbours at scale %f', (scale) => {
    const random = new Random(5);
    const points = randomMatrix(random, 400, 3);
    const queries = randomMatrix(random, 20, 3);
    const tree = new KdTree(points);
    const scaled = new KdTree(points.map((x) => x * scale));
    for (let q = 0; q < 60; q += 3) {
      const query = queries.subarray(q, q + 3);
      expect(
        nearest(
          scaled,
          query.map((x) => x * scale),
          6,
        ).indices,
      ).toEqual(nearest(tree, query, 6).indices);
    }
  });
});
