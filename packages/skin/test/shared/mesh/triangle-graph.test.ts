import { describe, expect, it } from 'vitest';
import { triangleGraph } from '../../../src/shared/mesh/triangle-graph.ts';

describe('triangle graph', () => {
  it('joins triangles over edges, not over corners', () => {
    // 0 and 1 share the edge 1–2; 2 touches 1 in vertex 3 alone.
    const { starts, neighbours } = triangleGraph(Uint32Array.of(0, 1, 2, 2, 1, 3, 3, 4, 5), 6);
    expect(Array.from(starts)).toEqual([0, 1, 2, 2]);
    expect(Array.from(neighbours)).toEqual([1, 0]);
  });

  it('joins all triangles of a fan over one edge, each once', () => {
    const { starts, neighbours } = triangleGraph(Uint32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4), 5);
    expect(Array.from(starts)).toEqual([0, 2, 4, 6]);
    expect(Array.from(neighbours)).toEqual([1, 2, 0, 2, 0, 1]);
  });

  it('is empty without triangles, and stands a triangle that names a vertex twice', () => {
    expect(triangleGraph(new Uint32Array(0), 3).neighbours.length).toBe(0);
    expect(Array.from(triangleGraph(Uint32Array.of(0, 0, 1, 0, 1, 2), 3).neighbours)).toEqual([1, 0]);
  });
});
