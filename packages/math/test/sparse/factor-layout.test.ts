import { describe, expect, it } from 'vitest';
import { Random, type SparseSymmetric } from '../../src/index.ts';
import { eliminationTree } from '../../src/sparse/elimination-tree.ts';
import { layOutFactor, PANEL_FIELDS, PANEL_WIDTH } from '../../src/sparse/factor-layout.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { minimumDegree } from '../../src/sparse/minimum-degree.ts';
import { findSupernodes } from '../../src/sparse/supernodes.ts';
import { SHAPES, sheet, solid } from './examples.ts';

function layOut(matrix: SparseSymmetric) {
  const graph = graphOf(matrix);
  const supernodes = findSupernodes(graph, eliminationTree(graph, minimumDegree(graph)));
  return { supernodes, layout: layOutFactor(graph, supernodes) };
}

const MATRICES: readonly [string, SparseSymmetric][] = [
  ['nothing', SHAPES['diagonal only'](new Random(1), 0)],
  ['one number', SHAPES['diagonal only'](new Random(1), 1)],
  ['a dense matrix of several panels', SHAPES.dense(new Random(1), 150)],
  ['a surface', sheet(60, 60)],
  ['a solid with subtrees', solid(12, 12, 12)],
];

describe('layout of a factor', () => {
  it('of three columns, by hand', () => {
    // A path 0 – 1 – 2 merges into one supernode of three columns: one panel, one block, one tile of 16 numbers.
    const { layout } = layOut(SHAPES.path(new Random(1), 3));
    expect([...layout.panels]).toEqual([0, 3, 4, 0, 0]);
    expect(layout.valueCount).toBe(16);
    // Padding names the first column.
    expect([...layout.slots]).toEqual([0, 1, 2, 0]);
    expect(layout.topFrontTiles).toBe(1);
    // Bytes in the tile: column k at 32 k, row r at 8 r.
    const bytes = [...layout.entryMap].filter((_, k) => k % 2 === 1).sort((a, b) => a - b);
    expect(bytes).toEqual([0, 8, 40, 48, 80]);
  });

  it.each(MATRICES)('has a place for every column, entry and row: %s', (_, matrix) => {
    const { supernodes, layout } = layOut(matrix);
    const n = matrix.size;
    // Panels cover each column once, and their values the whole factor without a gap.
    const covered = new Int32Array(n);
    const stretches: [number, number][] = [];
    for (let p = 0; p < layout.panels.length; p += PANEL_FIELDS) {
      const [first, width, slots, blocks, values] = layout.panels.subarray(p, p + PANEL_FIELDS);
      expect(width).toBeLessThanOrEqual(PANEL_WIDTH);
      expect(slots + 4 * blocks).toBeLessThanOrEqual(layout.slots.length);
      for (let j = first; j < first + width; j++) covered[j]++;
      const own = Math.ceil(width / 4);
      stretches.push([values, values + 8 * own * (own + 1) + 4 * blocks * width]);
    }
    expect(covered.every((times) => times === 1)).toBe(true);
    stretches.sort((a, b) => a[0] - b[0]);
    expect(stretches.every(([begin], k) => begin === (k > 0 ? stretches[k - 1][1] : 0))).toBe(true);
    expect(stretches.at(-1)?.[1] ?? 0).toBe(layout.valueCount);
    // Each entry of the matrix goes into one front.
    const entries = layout.entryMap.filter((_, k) => k % 2 === 0).sort();
    expect(entries).toEqual(Int32Array.from({ length: matrix.rows.length }, (_, entry) => entry));
    // Rows of the solution, with the copies that subtrees keep of rows behind their end.
    expect(layout.slots.every((row) => row >= 0 && row < n + layout.copies.length)).toBe(true);
    expect(layout.copies.every((row) => row < n)).toBe(true);
    expect(layout.panelStarts.length).toBe(layout.subtrees.begins.length + 2);
    // Rows on the way to the parent.
    const { count, parents, rowStarts } = supernodes;
    let padded = 0;
    for (let s = 0; s < count; s++) if (parents[s] >= 0) padded += 4 * Math.ceil((rowStarts[s + 1] - rowStarts[s]) / 4);
    expect(layout.parentOffsets.length).toBe(padded);
  });
});
