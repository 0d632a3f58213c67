import { describe, expect, it } from 'vitest';
import { Random } from '../../src/index.ts';
import { type WeightedGraph, withUnitWeights } from '../../src/sparse/coarsening.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { findSeparator } from '../../src/sparse/nested-dissection.ts';
import { SEPARATOR, Separator, SIDE_A, SIDE_B } from '../../src/sparse/separator.ts';
import { matrixOfEdges, randomEdges, SHAPES, sheet, solid } from './examples.ts';

/** Throws unless no edge joins A and B; gives the weights of A, B and S. */
function weightsOf(graph: WeightedGraph, sides: Uint8Array): number[] {
  const weights = [0, 0, 0];
  for (let v = 0; v < graph.size; v++) {
    weights[sides[v]] += graph.vertexWeights[v];
    for (let p = graph.starts[v]; p < graph.starts[v + 1]; p++) {
      const sum = sides[v] + sides[graph.neighbours[p]];
      if (sides[v] !== SEPARATOR && sum === SIDE_A + SIDE_B) throw new Error(`edge ${v}–${graph.neighbours[p]}`);
    }
  }
  return weights;
}

describe('separators', () => {
  it('of a path are its middle', () => {
    const graph = withUnitWeights(graphOf(SHAPES.path(new Random(1), 101)));
    const sides = findSeparator(graph);
    const [a, b, s] = weightsOf(graph, sides);
    expect(s).toBe(1);
    expect(Math.max(a, b)).toBeLessThanOrEqual(60);
  });

  it('get no heavier by refinement, and stay separators', () => {
    const random = new Random(2);
    for (const matrix of [sheet(15, 40), solid(8, 8, 8), matrixOfEdges(random, 300, randomEdges(random, 300, 600))]) {
      const graph = withUnitWeights(graphOf(matrix));
      for (const seed of [0, 100, 299]) {
        const separator = Separator.grown(graph, seed);
        expect(weightsOf(graph, separator.sides)).toEqual(separator.weights);
        const before = separator.cost;
        separator.refine();
        expect(weightsOf(graph, separator.sides)).toEqual(separator.weights);
        expect(separator.cost).toBeLessThanOrEqual(before);
      }
    }
  });

  it('of a sheet and of a box are near the smallest cross-section', () => {
    const sheetGraph = withUnitWeights(graphOf(sheet(20, 60)));
    const [a, b, s] = weightsOf(sheetGraph, findSeparator(sheetGraph));
    expect(s).toBeLessThanOrEqual(22);
    expect(Math.max(a, b)).toBeLessThanOrEqual(0.6 * (a + b));
    const boxGraph = withUnitWeights(graphOf(solid(10, 10, 30)));
    expect(weightsOf(boxGraph, findSeparator(boxGraph))[SEPARATOR]).toBeLessThanOrEqual(110);
  });

  it('of two parts that touch nowhere are empty, or nearly so', () => {
    const edges: [number, number][] = [];
    for (let i = 0; i < 99; i++) edges.push([i, i + 1], [100 + i, 101 + i]);
    const graph = withUnitWeights(graphOf(matrixOfEdges(new Random(3), 200, edges)));
    expect(weightsOf(graph, findSeparator(graph))[SEPARATOR]).toBeLessThanOrEqual(1);
  });
});
