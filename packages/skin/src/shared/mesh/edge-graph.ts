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
    sortRow(neighbours, begin, end);
    starts[i] = length;
    // Kept entries move to the front of their row or before it, so that none is read after it is overwritten.
    for (let k = begin, last = -1; k < end; k++) {
      const neighbour = neighbours[k];
      if (neighbour !== i && neighbour !== last) neighbours[length++] = neighbour;
      last = neighbour;
    }
    begin = end;
  }
  starts[vertices] = length;
  return { starts, neighbours: neighbours.slice(0, length) };
}

/** Rows of up to this many entries are sorted by insertion: a view and a call for each would take longer. */
const SHORT = 32;

function sortRow(values: Int32Array, begin: number, end: number): void {
  if (end - begin > SHORT) {
    values.subarray(begin, end).sort();
    return;
  }
  for (let k = begin + 1; k < end; k++) {
    const value = values[k];
    let at = k;
    for (; at > begin && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
}
