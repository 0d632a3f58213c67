import { describe, expect, it } from 'vitest';
import { Random, type SparseSymmetric } from '../../src/index.ts';
import { eliminationTree } from '../../src/sparse/elimination-tree.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { minimumDegree } from '../../src/sparse/minimum-degree.ts';
import { findSupernodes, type Supernodes } from '../../src/sparse/supernodes.ts';
import { plainCholesky } from '../oracles/sparse-cholesky.ts';
import { isPermutation, SHAPES, sheet, solid } from './examples.ts';

function supernodesOf(matrix: SparseSymmetric): Supernodes {
  const graph = graphOf(matrix);
  return findSupernodes(graph, eliminationTree(graph, minimumDegree(graph)));
}

/** Checks that supernodes cover all columns, hold every non-zero of L and pass all their rows on to their parents. */
function expectValid(matrix: SparseSymmetric, supernodes: Supernodes): { stored: number; nonZeros: number } {
  const { count, order, firstColumns, parents, rowStarts, rows } = supernodes;
  expect(isPermutation(order, matrix.size)).toBe(true);
  expect([firstColumns[0], firstColumns[count]]).toEqual([0, matrix.size]);
  const factor = plainCholesky(matrix, order)!;
  const problems: string[] = [];
  const demand = (holds: boolean, what: string) => {
    if (!holds) problems.push(what);
  };
  let stored = 0;
  for (let s = 0; s < count; s++) {
    const [first, end] = [firstColumns[s], firstColumns[s + 1]];
    const own = rows.subarray(rowStarts[s], rowStarts[s + 1]);
    const held = new Set(own);
    demand(end > first, `supernode ${s} has no columns`);
    stored += (end - first) * own.length + ((end - first) * (end - first + 1)) / 2;
    for (let k = 0; k < own.length; k++) demand(own[k] > (k > 0 ? own[k - 1] : end - 1), `rows of ${s} do not ascend`);
    for (let p = factor.columnStarts[first]; p < factor.columnStarts[end]; p++) {
      demand(factor.rows[p] < end || held.has(factor.rows[p]), `supernode ${s} lacks row ${factor.rows[p]}`);
    }
    const parent = parents[s];
    if (parent < 0) demand(own.length === 0, `root ${s} has rows`);
    else {
      const above = new Set(rows.subarray(rowStarts[parent], rowStarts[parent + 1]));
      demand(parent > s, `the parent of ${s} comes before it`);
      demand(own[0] >= firstColumns[parent] && own[0] < firstColumns[parent + 1], `the parent of ${s} is another`);
      for (const row of own) demand(row < firstColumns[parent + 1] || above.has(row), `${s} loses row ${row}`);
    }
  }
  expect(problems).toEqual([]);
  return { stored, nonZeros: factor.rows.length };
}

describe('supernodes', () => {
  it('of a dense matrix are one', () => {
    const { count, rows } = supernodesOf(SHAPES.dense(new Random(1), 30));
    expect(count).toBe(1);
    expect(rows.length).toBe(0);
  });

  it('of a diagonal matrix are its columns', () => {
    expect(supernodesOf(SHAPES['diagonal only'](new Random(1), 30)).count).toBe(30);
  });

  it.each(Object.keys(SHAPES))('hold the factor: %s', (shape) => {
    for (const size of [0, 1, 2, 3, 7, 64, 65]) {
      const matrix = SHAPES[shape](new Random(size), size);
      expectValid(matrix, supernodesOf(matrix));
    }
  });

  it.each([
    ['a surface', sheet(30, 31)],
    ['a solid', solid(8, 8, 8)],
  ])('of %s are fewer than columns at little cost', (_, matrix) => {
    const supernodes = supernodesOf(matrix);
    const { stored, nonZeros } = expectValid(matrix, supernodes);
    expect(supernodes.count).toBeLessThan(matrix.size / 3);
    expect(stored).toBeLessThan(1.35 * nonZeros);
  });
});
