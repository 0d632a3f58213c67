/** Adjacency in compressed rows: the neighbours of i are neighbours[starts[i] … starts[i + 1]), in increasing order. */
export interface EdgeGraph {
  /** n + 1 */
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
}

/**
 * Adjacency of the vertices of a mesh over its edges.
 *
 * @param triangles  f × 3
 */
export function edgeGraph(triangles: Uint32Array, vertices: number): EdgeGraph {
  // Collect every half-edge in both directions, then sort each row and remove duplicates.
  const starts = new Int32Array(vertices + 1);
  for (let k = 0; k < triangles.length; k++) starts[triangles[k] + 1] += 2;
  for (let i = 0; i < vertices; i++) starts[i + 1] += starts[i];
  const neighbours = new Int32Array(starts[vertices]);
  const next = starts.slice(0, vertices);
  for (let k = 0; k < triangles.length; k += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const i = triangles[k + corner];
      neighbours[next[i]++] = triangles[k + ((corner + 1) % 3)];
      neighbours[next[i]++] = triangles[k + ((corner + 2) % 3)];
    }
  }
  let length = 0;
  let begin = 0;
  for (let i = 0; i < vertices; i++) {
    const end = starts[i + 1];
    const row = neighbours.subarray(begin, end).sort();
    begin = end;
    starts[i] = length;
    for (let k = 0; k < row.length; k++) {
      if (row[k] !== i && (k === 0 || row[k] !== row[k - 1])) neighbours[length++] = row[k];
    }
  }
  starts[vertices] = length;
  return { starts, neighbours: neighbours.slice(0, length) };
}
