/**
 * A sample of the vertices of a mesh with its own adjacency, by farthest-point sampling: the next vertex is the one
 * furthest, along the edges, from those chosen so far. An edge counts its length relative to the mean length of the edges
 * around its ends, so that the sample follows the vertex density. Neither the order of the vertices nor the coordinate
 * system enters, except where distances tie.
 *
 * Reference: Gonzalez. Clustering to minimize the maximum intercluster distance. 1985.
 */
import { distance3 } from '@pelt/math';
import { CostQueue } from '../cost-queue.ts';
import type { EdgeGraph } from './edge-graph.ts';

export interface CoarseGraph {
  /** Sampled vertices, in the order they were chosen. */
  readonly vertices: Int32Array;
  /** n: the sampled vertex nearest to each vertex, by its index in the list; −1 where no edge leads to one. */
  readonly owner: Int32Array;
  /** Adjacency of the sampled vertices, by their index in the list: two are neighbours if the vertices they own touch. */
  readonly graph: EdgeGraph;
}

/** @param positions  n × 3 */
export function coarseGraph(graph: EdgeGraph, positions: Float64Array, count: number): CoarseGraph {
  const n = graph.starts.length - 1;
  const spacing = edgeSpacing(graph, positions);
  const owner = new Int32Array(n).fill(-1);
  const distance = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const vertices: number[] = [];
  const queue = new CostQueue();
  const reach = (i: number, cost: number, cell: number) => {
    if (cost >= distance[i]) return;
    distance[i] = cost;
    owner[i] = cell;
    queue.push(cost, i, cell, 0);
  };
  while (vertices.length < Math.min(count, n)) {
    const cell = vertices.length;
    const seed = cell === 0 ? outermost(positions) : furthest(distance);
    // All others coincide with one that was chosen.
    if (distance[seed] === 0) break;
    vertices.push(seed);
    reach(seed, 0, cell);
    for (let next = queue.pop(); next; next = queue.pop()) {
      const { cost, a: i } = next;
      if (cost > distance[i]) continue;
      for (let e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
        const j = graph.neighbours[e];
        const length = distance3(positions, 3 * i, positions, 3 * j) / Math.sqrt(spacing[i] * spacing[j]);
        reach(j, cost + length, cell);
      }
    }
  }
  return { vertices: Int32Array.from(vertices), owner, graph: touching(graph, owner, vertices.length) };
}

/** Mean length of the edges at each vertex; 1 where there is none, or where they have no length. */
function edgeSpacing({ starts, neighbours }: EdgeGraph, positions: Float64Array): Float64Array {
  return Float64Array.from({ length: starts.length - 1 }, (_, i) => {
    let sum = 0;
    for (let e = starts[i]; e < starts[i + 1]; e++) sum += distance3(positions, 3 * i, positions, 3 * neighbours[e]);
    return sum > 0 ? sum / (starts[i + 1] - starts[i]) : 1;
  });
}

/** The vertex furthest from the origin, which is the centroid in the coordinates of the solvers. */
function outermost(positions: Float64Array): number {
  const origin = new Float64Array(3);
  return furthest(
    Float64Array.from({ length: positions.length / 3 }, (_, i) => distance3(positions, 3 * i, origin, 0)),
  );
}

function furthest(distance: Float64Array): number {
  let best = 0;
  for (let i = 1; i < distance.length; i++) if (distance[i] > distance[best]) best = i;
  return best;
}

/** Adjacency of the cells of a partition. */
function touching({ starts, neighbours }: EdgeGraph, owner: Int32Array, size: number): EdgeGraph {
  const rows = Array.from({ length: size }, () => new Set<number>());
  owner.forEach((own, i) => {
    for (let e = starts[i]; e < starts[i + 1]; e++)
      if (owner[neighbours[e]] !== own) rows[own].add(owner[neighbours[e]]);
  });
  const offsets = new Int32Array(size + 1);
  rows.forEach((row, k) => {
    offsets[k + 1] = offsets[k] + row.size;
  });
  return { starts: offsets, neighbours: Int32Array.from(rows.flatMap((row) => [...row].sort((a, b) => a - b))) };
}
