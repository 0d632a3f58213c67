import { describe, expect, it } from 'vitest';
import { coarseGraph } from '../../../src/shared/mesh/coarse-graph.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';

/** A strip of two rows of vertices: 0 2 4 … above, 1 3 5 … below. */
const strip = (columns: number) =>
  Uint32Array.from(
    Array.from({ length: columns - 1 }, (_, k) => [0, 1, 2, 1, 3, 2].map((corner) => 2 * k + corner)).flat(),
  );
/** Its positions, spaced ever so slightly wider to the right, so that no two distances tie. */
const along = (columns: number) =>
  Float64Array.from(
    Array.from({ length: 2 * columns }, (_, i) => [Math.floor(i / 2) * (1 + 0.001 * i), (i % 2) * 0.9, 0]).flat(),
  );

describe('a coarse graph', () => {
  it('has every vertex where none goes, each as its own owner', () => {
    const graph = edgeGraph(strip(4), 8);
    const { vertices, owner, graph: coarse } = coarseGraph(graph, along(4), 100);
    expect(Array.from(vertices).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    owner.forEach((own, i) => {
      expect(vertices[own]).toBe(i);
    });
    expect(coarse.neighbours.length).toBe(graph.neighbours.length);
  });

  it('takes the ends of a strip first, then what is between, and joins those whose shares touch', () => {
    const { vertices, owner, graph } = coarseGraph(edgeGraph(strip(9), 18), along(9), 3);
    const columns = Array.from(vertices, (i) => Math.floor(i / 2));
    expect(columns[0]).toBe(8);
    expect(columns[1]).toBe(0);
    expect([3, 4, 5]).toContain(columns[2]);
    // right – middle – left
    expect(Array.from(graph.starts)).toEqual([0, 1, 2, 4]);
    expect(Array.from(graph.neighbours)).toEqual([2, 2, 0, 1]);
    expect(owner[17]).toBe(0);
    expect(owner[0]).toBe(1);
  });

  it('does not depend on the order of the vertices or on the coordinate system', () => {
    const n = 18;
    const order = Array.from({ length: n }, (_, i) => (5 * i) % n);
    const place = new Map(order.map((i, k) => [i, k]));
    const positions = along(9);
    const centred = positions.map((value, k) => value - (k % 3 === 0 ? 4 : 0));
    const turned = Float64Array.from(order.flatMap((i) => [0, centred[3 * i], centred[3 * i + 1]]));
    const triangles = strip(9).map((i) => place.get(i) ?? -1);
    const { vertices } = coarseGraph(edgeGraph(triangles, n), turned, 6);
    const plain = coarseGraph(edgeGraph(strip(9), n), centred, 6);
    expect(Array.from(vertices, (k) => order[k])).toEqual(Array.from(plain.vertices));
  });

  it('keeps parts apart, and takes a mesh without triangles and coincident vertices', () => {
    const two = Uint32Array.from([...strip(3), ...strip(3).map((i) => i + 6)]);
    const positions = Float64Array.from([...along(3), ...along(3).map((value) => value + 9)]);
    const { graph, vertices } = coarseGraph(edgeGraph(two, 12), positions, 4);
    expect(Array.from(vertices).filter((i) => i < 6).length).toBe(2);
    expect(graph.neighbours.length).toBe(4);
    const none = edgeGraph(new Uint32Array(0), 5);
    expect(coarseGraph(none, along(3).subarray(0, 15), 2)).toMatchObject({ graph: { neighbours: new Int32Array(0) } });
    expect(coarseGraph(edgeGraph(new Uint32Array(0), 0), new Float64Array(0), 2).vertices.length).toBe(0);
    expect(coarseGraph(edgeGraph(strip(3), 6), new Float64Array(18), 4).vertices.length).toBe(1);
  });
});
