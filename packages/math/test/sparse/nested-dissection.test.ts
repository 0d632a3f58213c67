import { describe, expect, it } from 'vitest';
import { Random } from '../../src/index.ts';
import { eliminationTree } from '../../src/sparse/elimination-tree.ts';
import { type Graph, graphOf } from '../../src/sparse/graph.ts';
import { minimumDegree } from '../../src/sparse/minimum-degree.ts';
import { nestedDissection } from '../../src/sparse/nested-dissection.ts';
import { factorNonZeros } from '../../src/sparse/ordering.ts';
import { isPermutation, SHAPES, sheet, solid } from './examples.ts';

const fill = (graph: Graph, order: Int32Array) => factorNonZeros(eliminationTree(graph, order));

describe('nested dissection', () => {
  it.each(Object.keys(SHAPES))('orders every vertex once: %s', (shape) => {
    for (const size of [0, 1, 2, 3, 7, 64, 65, 300]) {
      const graph = graphOf(SHAPES[shape](new Random(size), size));
      const order = nestedDissection(graph);
      expect(isPermutation(order, size)).toBe(true);
      expect(nestedDissection(graph)).toEqual(order);
    }
  });

  it('fills solids less than minimum degree, and surfaces hardly more', () => {
    const solidGraph = graphOf(solid(14, 14, 14));
    expect(fill(solidGraph, nestedDissection(solidGraph))).toBeLessThan(
      0.9 * fill(solidGraph, minimumDegree(solidGraph)),
    );
    const sheetGraph = graphOf(sheet(60, 60));
    expect(fill(sheetGraph, nestedDissection(sheetGraph))).toBeLessThan(
      1.25 * fill(sheetGraph, minimumDegree(sheetGraph)),
    );
  });
});
