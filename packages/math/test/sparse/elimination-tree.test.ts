import { describe, expect, it } from 'vitest';
import { Random, type SparseSymmetric } from '../../src/index.ts';
import { eliminationTree } from '../../src/sparse/elimination-tree.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { minimumDegree } from '../../src/sparse/minimum-degree.ts';
import { plainCholesky } from '../oracles/sparse-cholesky.ts';
import { isPermutation, matrixOfEdges, SHAPES, sheet, solid } from './examples.ts';

const natural = (size: number) => Int32Array.from({ length: size }, (_, v) => v);

/** Parents and counts as the factor itself has them. */
function expectTreeOfFactor(matrix: SparseSymmetric, order: Int32Array): void {
  const tree = eliminationTree(graphOf(matrix), order);
  expect(isPermutation(tree.order, matrix.size)).toBe(true);
  expect(tree.positions.map((place) => tree.order[place])).toEqual(natural(matrix.size));
  const factor = plainCholesky(matrix, tree.order)!;
  const counts = factor.columnStarts.subarray(1).map((end, j) => end - factor.columnStarts[j]);
  const parents = counts.map((count, j) => (count > 1 ? factor.rows[factor.columnStarts[j] + 1] : -1));
  expect(tree.counts).toEqual(counts);
  expect(tree.parents).toEqual(parents);
  // A postorder: each subtree is an interval that ends at its root.
  const sizes = new Int32Array(matrix.size).fill(1);
  tree.parents.forEach((parent, j) => {
    if (parent >= 0) sizes[parent] += sizes[j];
  });
  const outside = Array.from(tree.parents).filter(
    (parent, j) => parent >= 0 && (j >= parent || j - sizes[j] < parent - sizes[parent]),
  );
  expect(outside).toEqual([]);
  // The fill of the given order is kept.
  expect(factor.rows.length).toBe(plainCholesky(matrix, order)!.rows.length);
}

describe('elimination tree', () => {
  it('of a path is a path', () => {
    const tree = eliminationTree(graphOf(SHAPES.path(new Random(1), 5)), natural(5));
    expect([...tree.order]).toEqual([0, 1, 2, 3, 4]);
    expect([...tree.parents]).toEqual([1, 2, 3, 4, -1]);
    expect([...tree.counts]).toEqual([2, 2, 2, 2, 1]);
  });

  it('of a star whose centre is eliminated first is a path of full columns', () => {
    const tree = eliminationTree(graphOf(SHAPES['arrow, head first'](new Random(1), 5)), natural(5));
    expect([...tree.parents]).toEqual([1, 2, 3, 4, -1]);
    expect([...tree.counts]).toEqual([5, 4, 3, 2, 1]);
  });

  it('has subtrees in one piece', () => {
    // 0–2, 1–3, 2–4, 3–4: two paths that meet in 4.
    const matrix = matrixOfEdges(new Random(1), 5, [
      [0, 2],
      [1, 3],
      [2, 4],
      [3, 4],
    ]);
    const tree = eliminationTree(graphOf(matrix), natural(5));
    expect([...tree.order]).toEqual([0, 2, 1, 3, 4]);
    expect([...tree.parents]).toEqual([1, 4, 3, 4, -1]);
  });

  it.each(Object.keys(SHAPES))('is that of the factor: %s', (shape) => {
    for (const size of [0, 1, 2, 3, 7, 64, 65]) {
      const matrix = SHAPES[shape](new Random(size), size);
      expectTreeOfFactor(matrix, natural(size));
      expectTreeOfFactor(matrix, minimumDegree(graphOf(matrix)));
    }
  });

  it('is that of the factor on meshes', () => {
    for (const matrix of [sheet(14, 17), solid(6, 5, 7)]) {
      expectTreeOfFactor(matrix, natural(matrix.size));
      expectTreeOfFactor(matrix, minimumDegree(graphOf(matrix)));
    }
  });
});
