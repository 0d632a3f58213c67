import { describe, expect, it } from 'vitest';
import { Random, type SparseSymmetric } from '../../src/index.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { chooseOrder, factorNonZeros, type Ordering } from '../../src/sparse/ordering.ts';
import { SHAPES, sheet, solid } from './examples.ts';

const fill = (matrix: SparseSymmetric, ordering: Ordering) => factorNonZeros(chooseOrder(graphOf(matrix), ordering));

describe('orders of elimination', () => {
  it('natural is the given order, postordered', () => {
    // A band: each column reaches to the row below in the grid, and the tree is a path.
    const { order } = chooseOrder(graphOf(sheet(5, 20)), 'natural');
    expect([...order]).toEqual(Array.from({ length: 100 }, (_, v) => v));
  });

  it('auto takes minimum degree for surfaces and nested dissection for solids', () => {
    const surface = sheet(50, 50);
    expect(fill(surface, 'auto')).toBe(fill(surface, 'amd'));
    expect(fill(surface, 'auto')).toBeLessThan(0.5 * fill(surface, 'natural'));
    const box = solid(16, 16, 16);
    expect(fill(box, 'auto')).toBe(fill(box, 'nested-dissection'));
    expect(fill(box, 'auto')).toBeLessThan(0.9 * fill(box, 'amd'));
  });

  it('any order gives a dense matrix all its entries', () => {
    const matrix = SHAPES.dense(new Random(1), 60);
    for (const ordering of ['auto', 'amd', 'nested-dissection', 'natural'] as const) {
      expect(fill(matrix, ordering)).toBe((60 * 61) / 2);
    }
  });
});
