import { describe, expect, it } from 'vitest';
import { Random } from '../../src/index.ts';
import { eliminationTree } from '../../src/sparse/elimination-tree.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { minimumDegree } from '../../src/sparse/minimum-degree.ts';
import { factorNonZeros } from '../../src/sparse/ordering.ts';
import { isPermutation, matrixOfEdges, randomEdges, SHAPES, sheet, solid } from './examples.ts';

/** Non-zeros of the factor for an order. */
function fill(matrix: Parameters<typeof graphOf>[0], order: Int32Array): number {
  return factorNonZeros(eliminationTree(graphOf(matrix), order));
}

/** Minimum degree on the explicit graph, with exact degrees: the rule that the fast one approximates. */
function exactMinimumDegree(matrix: Parameters<typeof graphOf>[0]): Int32Array {
  const { starts, neighbours } = graphOf(matrix);
  const adjacent = Array.from(
    { length: matrix.size },
    (_, v) => new Set(neighbours.subarray(starts[v], starts[v + 1])),
  );
  const left = new Set(adjacent.keys());
  const order: number[] = [];
  while (left.size > 0) {
    const pivot = [...left].reduce((best, v) => (adjacent[v].size < adjacent[best].size ? v : best));
    left.delete(pivot);
    order.push(pivot);
    for (const v of adjacent[pivot]) {
      for (const u of adjacent[pivot]) if (u !== v) adjacent[v].add(u);
      adjacent[v].delete(pivot);
    }
  }
  return Int32Array.from(order);
}

describe('approximate minimum degree', () => {
  it('finds the order without fill of a path and of an arrow', () => {
    const random = new Random(1);
    const path = SHAPES.path(random, 50);
    expect(fill(path, minimumDegree(graphOf(path)))).toBe(99);
    const arrow = SHAPES['arrow, head first'](random, 50);
    const order = minimumDegree(graphOf(arrow));
    expect(fill(arrow, order)).toBe(99);
  });

  it('keeps a dense row for the end', () => {
    const random = new Random(2);
    const size = 400;
    const star = Array.from({ length: size - 1 }, (_, i): [number, number] => [7, i < 7 ? i : i + 1]);
    const matrix = matrixOfEdges(random, size, [...star, ...randomEdges(random, size, size)]);
    expect(minimumDegree(graphOf(matrix)).at(-1)).toBe(7);
  });

  it.each(Object.keys(SHAPES))('orders every vertex once: %s', (shape) => {
    for (const size of [0, 1, 2, 3, 7, 64, 65, 300]) {
      const graph = graphOf(SHAPES[shape](new Random(size), size));
      const order = minimumDegree(graph);
      expect(isPermutation(order, size)).toBe(true);
      expect(minimumDegree(graph)).toEqual(order);
    }
  });

  it('fills about as little as minimum degree with exact degrees', () => {
    for (let seed = 0; seed < 10; seed++) {
      const random = new Random(seed);
      const matrix = matrixOfEdges(random, 150, randomEdges(random, 150, 300));
      const exact = fill(matrix, exactMinimumDegree(matrix));
      expect(fill(matrix, minimumDegree(graphOf(matrix)))).toBeLessThan(1.1 * exact);
    }
    for (const matrix of [sheet(20, 20), solid(6, 6, 6)]) {
      const exact = fill(matrix, exactMinimumDegree(matrix));
      expect(fill(matrix, minimumDegree(graphOf(matrix)))).toBeLessThan(1.15 * exact);
    }
  });

  it('survives a workspace that must be tidied many times', () => {
    const random = new Random(3);
    const matrix = matrixOfEdges(random, 3000, randomEdges(random, 3000, 12_000));
    expect(isPermutation(minimumDegree(graphOf(matrix)), 3000)).toBe(true);
  });

  it('orders the inside of a halo, and sees the halo', () => {
    // A star with four leaves. By itself its centre, of degree 4, waits until two leaves are gone.
    const random = new Random(4);
    const star: [number, number][] = [1, 2, 3, 4].map((i) => [0, i]);
    const alone = minimumDegree(graphOf(matrixOfEdges(random, 5, star)));
    expect(alone.indexOf(0)).toBeGreaterThan(2);
    // Each leaf with four neighbours in the halo has degree 5, and the centre goes first.
    const around = [1, 2, 3, 4].flatMap((i) => [5, 6, 7, 8].map((h): [number, number] => [i, h]));
    const inside = minimumDegree(graphOf(matrixOfEdges(random, 9, [...star, ...around])), 5);
    expect(isPermutation(inside, 5)).toBe(true);
    expect(inside[0]).toBe(0);
  });
});
