import type { EdgeGraph } from './edge-graph.ts';

/**
 * Adjacency of the triangles of a mesh over its edges, in compressed rows. A non-manifold edge connects all of its
 * triangles.
 *
 * @param triangles  f × 3
 * @param vertices   n
 */
export function triangleGraph(triangles: Uint32Array, vertices: number): EdgeGraph {
  const f = triangles.length / 3;
  // Bucket half-edges by their lower vertex, so that those of one edge are in one bucket.
  const starts = new Int32Array(vertices + 1);
  for (let k = 0; k < triangles.length; k++) starts[lowerEnd(triangles, k) + 1]++;
  for (let i = 0; i < vertices; i++) starts[i + 1] += starts[i];
  const halfEdges = new Int32Array(triangles.length);
  const next = starts.slice(0, vertices);
  for (let k = 0; k < triangles.length; k++) halfEdges[next[lowerEnd(triangles, k)]++] = k;

  const rows: number[][] = Array.from({ length: f }, () => []);
  for (let i = 0; i < vertices; i++) {
    for (let a = starts[i]; a < starts[i + 1]; a++) {
      for (let b = starts[i]; b < a; b++) {
        if (higherEnd(triangles, halfEdges[a]) !== higherEnd(triangles, halfEdges[b])) continue;
        const [s, t] = [Math.floor(halfEdges[a] / 3), Math.floor(halfEdges[b] / 3)];
        if (s === t) continue;
        rows[s].push(t);
        rows[t].push(s);
      }
    }
  }
  const graph = {
    starts: new Int32Array(f + 1),
    neighbours: new Int32Array(rows.reduce((n, row) => n + row.length, 0)),
  };
  let length = 0;
  rows.forEach((row, t) => {
    row.sort((a, b) => a - b);
    for (let k = 0; k < row.length; k++) if (k === 0 || row[k] !== row[k - 1]) graph.neighbours[length++] = row[k];
    graph.starts[t + 1] = length;
  });
  return { starts: graph.starts, neighbours: graph.neighbours.slice(0, length) };
}

/** The next vertex after corner k in its triangle. */
function successor(triangles: Uint32Array, k: number): number {
  return triangles[k % 3 === 2 ? k - 2 : k + 1];
}

function lowerEnd(triangles: Uint32Array, k: number): number {
  return Math.min(triangles[k], successor(triangles, k));
}

function higherEnd(triangles: Uint32Array, k: number): number {
  return Math.max(triangles[k], successor(triangles, k));
}
