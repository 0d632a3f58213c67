/**
 * The boundary of tetrahedra as a graph, and its umbrella Laplacian Δx_v = mean of x over the neighbours − x_v, which
 * measures how a surface is bent.
 *
 * Reference: Sorkine, Cohen-Or, Lipman, Alexa, Rössl, Seidel. Laplacian surface editing. 2004.
 */
import type { Triplets } from './gradient-operators.ts';

export interface SkinGraph {
  /** Vertices of the boundary, in rising order. */
  readonly vertices: Int32Array;
  /** v: index of each vertex among them, −1 for inner ones */
  readonly index: Int32Array;
  /** b + 1: first neighbour of each of them, and the end */
  readonly starts: Int32Array;
  /** indices among the vertices of the boundary */
  readonly neighbours: Int32Array;
  /** Mean length of its edges at rest. */
  readonly meanEdge: number;
}

/**
 * @param rest        v × 3
 * @param tetrahedra  e × 4
 */
export function skinGraph(rest: Float64Array, tetrahedra: Uint32Array): SkinGraph {
  const v = rest.length / 3;
  const faces = boundaryFaces(tetrahedra, v);
  const index = new Int32Array(v).fill(-1);
  for (const i of faces) index[i] = 0;
  let count = 0;
  for (let i = 0; i < v; i++) if (index[i] === 0) index[i] = count++;
  const vertices = new Int32Array(count);
  for (let i = 0; i < v; i++) if (index[i] >= 0) vertices[index[i]] = i;

  // Both ends of the three edges of each face; an edge of two faces comes twice.
  const spans = new Int32Array(count + 1);
  for (const i of faces) spans[index[i] + 1] += 2;
  for (let s = 0; s < count; s++) spans[s + 1] += spans[s];
  const next = spans.slice();
  const ends = new Int32Array(2 * faces.length);
  for (let k = 0; k < faces.length; k++) {
    const face = k - (k % 3);
    ends[next[index[faces[k]]]++] = index[faces[face + ((k + 1) % 3)]];
    ends[next[index[faces[k]]]++] = index[faces[face + ((k + 2) % 3)]];
  }
  const starts = new Int32Array(count + 1);
  const neighbours = new Int32Array(ends.length);
  let total = 0;
  let length = 0;
  for (let s = 0; s < count; s++) {
    let last = -1;
    for (const r of ends.subarray(spans[s], spans[s + 1]).sort()) {
      if (r === last) continue;
      last = r;
      neighbours[total++] = r;
      const [p, q] = [3 * vertices[s], 3 * vertices[r]];
      length += Math.hypot(rest[p] - rest[q], rest[p + 1] - rest[q + 1], rest[p + 2] - rest[q + 2]);
    }
    starts[s + 1] = total;
  }
  return { vertices, index, starts, neighbours: neighbours.slice(0, total), meanEdge: length / Math.max(total, 1) };
}

/** Corners of the face opposite to each corner. */
const FACES = [
  [1, 2, 3],
  [0, 2, 3],
  [0, 1, 3],
  [0, 1, 2],
] as const;

/** Corners of the faces that belong to one tetrahedron alone, in the order of the tetrahedra. */
function boundaryFaces(tetrahedra: Uint32Array, v: number): number[] {
  // Faces in buckets by their smallest vertex: the other two tell them apart there.
  const count = tetrahedra.length;
  const sorted = new Uint32Array(3 * count);
  const starts = new Int32Array(v + 1);
  for (let f = 0; f < count; f++) {
    const [a, b, c] = FACES[f & 3];
    const [p, q, r] = [tetrahedra[(f & ~3) + a], tetrahedra[(f & ~3) + b], tetrahedra[(f & ~3) + c]];
    const least = Math.min(p, q, r);
    const most = Math.max(p, q, r);
    sorted[3 * f] = least;
    sorted[3 * f + 1] = p + q + r - least - most;
    sorted[3 * f + 2] = most;
    starts[least + 1]++;
  }
  for (let i = 0; i < v; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const bucket = new Int32Array(count);
  for (let f = 0; f < count; f++) bucket[next[sorted[3 * f]]++] = f;
  const shared = new Uint8Array(count);
  for (let i = 0; i < v; i++) {
    for (let a = starts[i]; a < starts[i + 1]; a++) {
      const f = bucket[a];
      if (shared[f]) continue;
      for (let b = a + 1; b < starts[i + 1]; b++) {
        const g = bucket[b];
        if (sorted[3 * f + 1] !== sorted[3 * g + 1] || sorted[3 * f + 2] !== sorted[3 * g + 2]) continue;
        shared[f] = 1;
        shared[g] = 1;
        break;
      }
    }
  }
  const faces: number[] = [];
  for (let f = 0; f < count; f++) if (!shared[f]) faces.push(sorted[3 * f], sorted[3 * f + 1], sorted[3 * f + 2]);
  return faces;
}

/**
 * Laplacians of the boundary at rest.
 *
 * @param rest  v × 3
 * @returns     v × 3, zero for inner vertices
 */
export function restLaplacians({ vertices, starts, neighbours }: SkinGraph, rest: Float64Array): Float64Array {
  const result = new Float64Array(rest.length);
  vertices.forEach((v, s) => {
    const share = 1 / (starts[s + 1] - starts[s]);
    for (let axis = 0; axis < 3; axis++) {
      let mean = 0;
      for (let k = starts[s]; k < starts[s + 1]; k++) mean += rest[3 * vertices[neighbours[k]] + axis];
      result[3 * v + axis] = share * mean - rest[3 * v + axis];
    }
  });
  return result;
}

/**
 * The entries of ΔᵀΔ times a factor, each pair of vertices once for each Laplacian that has both.
 *
 * Tried and left out: docs/experiments/volume.md.
 */
export function bendingTriplets({ vertices, starts, neighbours }: SkinGraph, factor: number): Triplets {
  let count = 0;
  for (let s = 0; s < vertices.length; s++) {
    const corners = starts[s + 1] - starts[s] + 1;
    count += (corners * (corners + 1)) / 2;
  }
  const rows = new Int32Array(count);
  const columns = new Int32Array(count);
  const values = new Float64Array(count);
  let next = 0;
  for (let s = 0; s < vertices.length; s++) {
    const share = 1 / (starts[s + 1] - starts[s]);
    // The vertex itself stands at the end of its neighbours.
    const corner = (k: number) => vertices[k < starts[s + 1] ? neighbours[k] : s];
    const entry = (k: number) => (k < starts[s + 1] ? share : -1);
    for (let a = starts[s]; a <= starts[s + 1]; a++) {
      for (let b = starts[s]; b <= a; b++) {
        rows[next] = corner(a);
        columns[next] = corner(b);
        values[next++] = factor * entry(a) * entry(b);
      }
    }
  }
  return { rows, columns, values };
}
