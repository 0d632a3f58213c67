import type { CoarseGraph } from './coarse-graph.ts';
import type { EdgeGraph } from './edge-graph.ts';

/**
 * Samples vertices at regular intervals of their indices, so that the sample follows the vertex density. Each sampled
 * vertex owns the vertices nearest to it along edges; two are neighbours if their regions touch. For meshes of millions of
 * vertices, where the farthest points of `coarseGraph` would take too long.
 *
 * @param shift  of the first vertex, in intervals: another one gives another sample
 */
export function indexSample(graph: EdgeGraph, count: number, shift = 0): CoarseGraph {
  const n = graph.starts.length - 1;
  const size = Math.min(count, n);
  const vertices = Int32Array.from({ length: size }, (_, k) => Math.floor(((k + shift) * n) / size));
  const owner = new Int32Array(n).fill(-1);
  vertices.forEach((i, k) => {
    owner[i] = k;
  });
  const rows = Array.from(vertices, () => new Set<number>());
  const queue = new Int32Array(n);
  queue.set(vertices);
  for (let head = 0, tail = size; head < tail; head++) {
    const i = queue[head];
    for (let e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
      const neighbour = graph.neighbours[e];
      if (owner[neighbour] < 0) {
        owner[neighbour] = owner[i];
        queue[tail++] = neighbour;
      } else if (owner[neighbour] !== owner[i]) {
        rows[owner[i]].add(owner[neighbour]);
        rows[owner[neighbour]].add(owner[i]);
      }
    }
  }
  const starts = new Int32Array(size + 1);
  rows.forEach((row, k) => {
    starts[k + 1] = starts[k] + row.size;
  });
  const neighbours = Int32Array.from(rows.flatMap((row) => [...row].sort((a, b) => a - b)));
  return { vertices, graph: { starts, neighbours }, owner };
}
