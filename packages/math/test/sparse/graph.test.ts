import { describe, expect, it } from 'vitest';
import { Random, sparseFromTriplets } from '../../src/index.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { SHAPES } from './examples.ts';

describe('graph of a matrix', () => {
  it('has each edge in both directions and remembers the entries', () => {
    // Entries by columns: (0,0) (2,0) (1,1) (2,1); column 2 has none of its own, not even a diagonal.
    const graph = graphOf(sparseFromTriplets(3, [0, 2, 1, 2], [0, 0, 1, 1], [1, 1, 1, 1]));
    expect([...graph.starts]).toEqual([0, 1, 2, 4]);
    expect([...graph.neighbours]).toEqual([2, 2, 0, 1]);
    expect([...graph.entries]).toEqual([1, 3, 1, 3]);
    expect([...graph.diagonal]).toEqual([0, 2, -1]);
  });

  it('is symmetric, without loops, neighbours ascending', () => {
    for (const size of [0, 1, 2, 65]) {
      const { starts, neighbours } = graphOf(SHAPES['random, fuller'](new Random(size), size));
      const edges = new Set<string>();
      for (let v = 0; v < size; v++) {
        const mine = [...neighbours.subarray(starts[v], starts[v + 1])];
        expect(mine).toEqual([...new Set(mine)].sort((a, b) => a - b));
        expect(mine).not.toContain(v);
        for (const u of mine) edges.add(`${v} ${u}`);
      }
      for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true);
    }
  });
});
