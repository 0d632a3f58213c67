import { describe, expect, it } from 'vitest';
import { coarsen, type WeightedGraph, withUnitWeights } from '../../src/sparse/coarsening.ts';
import { graphOf } from '../../src/sparse/graph.ts';
import { solid } from './examples.ts';

describe('coarsening', () => {
  it('joins the ends of heavy edges', () => {
    // A path 0 – 1 – 2 – 3 with heavy edges at its ends.
    const graph: WeightedGraph = {
      size: 4,
      starts: Int32Array.of(0, 1, 3, 5, 6),
      neighbours: Int32Array.of(1, 0, 2, 1, 3, 2),
      edgeWeights: Int32Array.of(9, 9, 1, 1, 9, 9),
      vertexWeights: Int32Array.of(1, 1, 1, 1),
    };
    const { coarse, coarseOf } = coarsen(graph, 10);
    expect([...coarseOf]).toEqual([0, 0, 1, 1]);
    expect(coarse).toEqual({
      size: 2,
      starts: Int32Array.of(0, 1, 2),
      neighbours: Int32Array.of(1, 0),
      edgeWeights: Int32Array.of(1, 1),
      vertexWeights: Int32Array.of(2, 2),
    });
    // A pair would be too heavy.
    expect(coarsen(graph, 1).coarse).toEqual(graph);
  });

  it('keeps the weight of vertices, and of edges that remain', () => {
    let graph = withUnitWeights(graphOf(solid(7, 7, 7)));
    while (graph.size > 20) {
      const { coarse, coarseOf } = coarsen(graph, 100);
      expect(coarse.size).toBeLessThan(0.7 * graph.size);
      const vertexWeights = new Int32Array(coarse.size);
      const between = new Map<string, number>();
      for (let v = 0; v < graph.size; v++) {
        vertexWeights[coarseOf[v]] += graph.vertexWeights[v];
        for (let p = graph.starts[v]; p < graph.starts[v + 1]; p++) {
          const [a, b] = [coarseOf[v], coarseOf[graph.neighbours[p]]];
          if (a !== b) between.set(`${a} ${b}`, (between.get(`${a} ${b}`) ?? 0) + graph.edgeWeights[p]);
        }
      }
      expect(coarse.vertexWeights).toEqual(vertexWeights);
      expect(coarse.neighbours.length).toBe(between.size);
      const weights = new Map<string, number>();
      for (let v = 0; v < coarse.size; v++) {
        for (let p = coarse.starts[v]; p < coarse.starts[v + 1]; p++) {
          weights.set(`${v} ${coarse.neighbours[p]}`, coarse.edgeWeights[p]);
        }
      }
      expect([...weights].sort()).toEqual([...between].sort());
      graph = coarse;
    }
  });
});
