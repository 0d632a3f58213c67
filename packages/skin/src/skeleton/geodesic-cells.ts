/**
 * Geodesic Voronoi cells: the seed nearest to each vertex along the edges of the mesh, or in space where no edge leads.
 *
 * Reference: Dijkstra. A note on two problems in connexion with graphs. 1959 (from all seeds at once).
 */
import { distance3, KdTree } from '@pelt/math';
import { CostQueue } from '../shared/cost-queue.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';

/**
 * @param positions  n × 3
 * @param seeds      q vertices
 * @param stretch    n, factor of the length of the edges at each vertex; 1 by default
 * @returns n, below q
 */
export function geodesicCells(
  positions: Float64Array,
  { starts, neighbours }: EdgeGraph,
  seeds: Int32Array,
  stretch?: Float64Array,
): Int32Array {
  const n = positions.length / 3;
  const cells = new Int32Array(n).fill(-1);
  const queue = new CostQueue();
  seeds.forEach((seed, cell) => {
    queue.push(0, seed, cell, 0);
  });
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { cost, a: i, b: cell } = next;
    if (cells[i] >= 0) continue;
    cells[i] = cell;
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const j = neighbours[e];
      if (cells[j] >= 0) continue;
      const factor = stretch ? 0.5 * (stretch[i] + stretch[j]) : 1;
      queue.push(cost + factor * distance3(positions, 3 * i, positions, 3 * j), j, cell, 0);
    }
  }
  const points = new Float64Array(3 * seeds.length);
  seeds.forEach((seed, k) => {
    points.set(positions.subarray(3 * seed, 3 * seed + 3), 3 * k);
  });
  const tree = new KdTree(points);
  const [found, squared] = [new Uint32Array(1), new Float64Array(1)];
  cells.forEach((cell, i) => {
    if (cell >= 0) return;
    tree.nearest(positions, 3 * i, 1, found, squared);
    cells[i] = found[0];
  });
  return cells;
}
