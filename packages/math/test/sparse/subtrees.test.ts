import { describe, expect, it } from 'vitest';
import type { SparseSymmetric } from '../../src/index.ts';
import { eliminationTree } from '../../src/sparse/elimination-tree.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { minimumDegree } from '../../src/sparse/minimum-degree.ts';
import { cutSubtrees } from '../../src/sparse/subtrees.ts';
import { findSupernodes, type Supernodes } from '../../src/sparse/supernodes.ts';
import { sheet, solid } from './examples.ts';

function supernodesOf(matrix: SparseSymmetric): Supernodes {
  const graph = graphOf(matrix);
  return findSupernodes(graph, eliminationTree(graph, minimumDegree(graph)));
}

describe('subtrees', () => {
  it('of a small matrix are none', () => {
    const supernodes = supernodesOf(sheet(10, 10));
    const { begins, top } = cutSubtrees(supernodes);
    expect(begins.length).toBe(0);
    expect(top.length).toBe(supernodes.count);
  });

  it.each([
    ['a surface', sheet(120, 120)],
    ['a solid', solid(12, 12, 12)],
  ])('of %s are independent, and update matrices never overlap', (_, matrix) => {
    const supernodes = supernodesOf(matrix);
    const { count, parents, rowStarts } = supernodes;
    const subtrees = cutSubtrees(supernodes);
    const { begins, ends, top, subtreeOf, updateOffsets } = subtrees;
    expect(begins.length).toBeGreaterThan(8);
    expect(top.length + ends.reduce((sum, end, t) => sum + end - begins[t], 0)).toBe(count);
    const misplaced = Array.from(parents).filter((parent, s) => {
      const above = parent < 0 ? -1 : subtreeOf[parent];
      const t = subtreeOf[s];
      return t < 0 ? above !== -1 : s < begins[t] || s >= ends[t] || above !== (s === ends[t] - 1 ? -1 : t);
    });
    expect(misplaced).toEqual([]);
    // Play both stacks through: what is alive occupies disjoint ranges.
    const tilesOf = (s: number) => {
      const blocks = Math.ceil((rowStarts[s + 1] - rowStarts[s]) / 4);
      return (blocks * (blocks + 1)) / 2;
    };
    const roots = [...ends].map((end) => end - 1);
    let overlaps = 0;
    const play = (nodes: readonly number[], alive: Set<number>, room: number) => {
      for (const s of nodes) {
        const begin = updateOffsets[s];
        const end = begin + tilesOf(s);
        if (begin < 0 || end > room) overlaps++;
        for (const other of alive) {
          if (begin < updateOffsets[other] + tilesOf(other) && updateOffsets[other] < end) overlaps++;
        }
        for (const other of alive) if (parents[other] === s) alive.delete(other);
        alive.add(s);
      }
    };
    begins.forEach((begin, t) => {
      const inner = Array.from({ length: ends[t] - 1 - begin }, (_, k) => begin + k);
      play(inner, new Set(), subtrees.stackTiles);
    });
    play(roots, new Set(), subtrees.arenaTiles);
    play([...top], new Set(roots), subtrees.arenaTiles);
    expect(overlaps).toBe(0);
  });
});
