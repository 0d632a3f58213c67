import { describe, expect, it } from 'vitest';
import { coarseGraph } from '../../../src/shared/mesh/coarse-graph.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';

/** A strip of two rows of vertices: 0 2 4 … above, 1 3 5 … below. */
const strip = (columns: number) =>
  Uint32Array.from(
    Array.from({ length: columns - 1 }, (_, k) => [0, 1, 2, 1, 3, 2].map((corner) => 2 * k + corner)).flat(),
  );

describe('a coarse graph', () => {
  it('is the graph itself where no vertex goes', () => {
    const graph = edgeGraph(strip(4), 8);
    const coarse = coarseGraph(graph, 8);
    expect(Array.from(coarse.vertices)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(coarse.graph).toEqual(graph);
    expect(coarseGraph(graph, 100).vertices.length).toBe(8);
  });

  it('joins those whose shares of the mesh touch', () => {
    // Four of twelve along a strip: a chain.
    const { vertices, graph } = coarseGraph(edgeGraph(strip(6), 12), 4);
    expect(Array.from(vertices)).toEqual([0, 3, 6, 9]);
    expect(Array.from(graph.starts)).toEqual([0, 1, 3, 5, 6]);
    expect(Array.from(graph.neighbours)).toEqual([1, 0, 2, 1, 3, 2]);
  });

  it('keeps parts apart, and takes a mesh without triangles', () => {
    const two = Uint32Array.from([...strip(3), ...strip(3).map((i) => i + 6)]);
    const { graph } = coarseGraph(edgeGraph(two, 12), 4);
    expect(Array.from(graph.neighbours)).toEqual([1, 0, 3, 2]);
    expect(coarseGraph(edgeGraph(new Uint32Array(0), 5), 2).graph.neighbours.length).toBe(0);
    expect(coarseGraph(edgeGraph(new Uint32Array(0), 0), 2).vertices.length).toBe(0);
  });
});
