/**
 * How a posed surface looks, in numbers: roughness, which grows where skin crumples, and pairs of triangles that cross.
 * Both are meant to be compared with those of another skinning of the same mesh in the same pose.
 */
import { type Mesh, NO_VERTEX, type TetMesh } from '@pelt/model';

type Vector = [number, number, number];
/** Two vertices, and the opposite corner of the triangle on the left and on the right. */
type Edge = readonly [number, number, number, number];

/** The triangles of a mesh on the vertices of the body that carries them, without those that welding closed. */
export function carriedTriangles(mesh: Mesh, body: TetMesh): Uint32Array {
  const carried = Array.from(mesh.triangles, (i) => body.surface[i]);
  const kept: number[] = [];
  for (let k = 0; k < carried.length; k += 3) {
    const [a, b, c] = carried.slice(k, k + 3);
    if ([a, b, c].includes(NO_VERTEX) || a === b || b === c || c === a) continue;
    kept.push(a, b, c);
  }
  return Uint32Array.from(kept);
}

/**
 * Roughness of a posed surface in degrees. With b_v the mean change of the dihedral angles at the edges of a vertex,
 * weighted by their lengths at rest, it is |b_v − mean of b over the neighbours|: zero where the surface bends evenly.
 *
 * @param rest       v × 3
 * @param posed      v × 3
 * @param triangles  f × 3
 * @returns          mean and 99th percentile, weighted by the vertices' areas at rest
 */
export function roughness(
  rest: ArrayLike<number>,
  posed: ArrayLike<number>,
  triangles: Uint32Array,
): { mean: number; p99: number } {
  const edges = innerEdges(triangles);
  const count = rest.length / 3;
  const [bend, weight] = [new Float64Array(count), new Float64Array(count)];
  for (const edge of edges) {
    const change = wrapped(dihedral(posed, edge) - dihedral(rest, edge));
    const length = Math.hypot(...minus(rest, edge[0], edge[1]));
    for (const v of [edge[0], edge[1]]) {
      bend[v] += length * change;
      weight[v] += length;
    }
  }
  for (let v = 0; v < count; v++) if (weight[v] > 0) bend[v] /= weight[v];
  const [sum, neighbours] = [new Float64Array(count), new Uint32Array(count)];
  for (const [u, v] of edges) {
    sum[u] += bend[v];
    sum[v] += bend[u];
    neighbours[u]++;
    neighbours[v]++;
  }
  const areas = new Float64Array(count);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.subarray(k, k + 3);
    const area = 0.5 * Math.hypot(...cross(minus(rest, b, a), minus(rest, c, a)));
    for (const v of [a, b, c]) areas[v] += area / 3;
  }
  const rough: { value: number; area: number }[] = [];
  for (let v = 0; v < count; v++) {
    if (neighbours[v] === 0) continue;
    rough.push({ value: (180 / Math.PI) * Math.abs(bend[v] - sum[v] / neighbours[v]), area: areas[v] });
  }
  rough.sort((a, b) => a.value - b.value);
  const total = rough.reduce((area, entry) => area + entry.area, 0);
  let [below, mean, p99] = [0, 0, 0];
  for (const { value, area } of rough) {
    if (below < 0.99 * total) p99 = value;
    below += area;
    mean += (value * area) / total;
  }
  return { mean, p99 };
}

/** Pairs of triangles that share no vertex and cross each other. */
export function crossingPairs(positions: ArrayLike<number>, triangles: Uint32Array): number {
  const boxes = boxesOf(positions, triangles);
  const order = Array.from({ length: triangles.length / 3 }, (_, f) => f).sort((f, g) => boxes[6 * f] - boxes[6 * g]);
  let active: number[] = [];
  let pairs = 0;
  for (const f of order) {
    active = active.filter((g) => boxes[6 * g + 3] >= boxes[6 * f]);
    for (const g of active) if (boxesMeet(boxes, f, g) && trianglesCross(positions, triangles, f, g)) pairs++;
    active.push(f);
  }
  return pairs;
}

/** Edges between two triangles. */
function innerEdges(triangles: Uint32Array): Edge[] {
  const corner = new Map<string, number>();
  for (let k = 0; k < triangles.length; k += 3) {
    const face = triangles.subarray(k, k + 3);
    for (let c = 0; c < 3; c++) corner.set(`${face[c]} ${face[(c + 1) % 3]}`, face[(c + 2) % 3]);
  }
  const edges: Edge[] = [];
  for (const [key, left] of corner) {
    const [u, v] = key.split(' ').map(Number);
    const right = u < v ? corner.get(`${v} ${u}`) : undefined;
    if (right !== undefined) edges.push([u, v, left, right]);
  }
  return edges;
}

/** Signed angle between the normals of the two triangles at an edge. */
function dihedral(x: ArrayLike<number>, [u, v, left, right]: Edge): number {
  const along = minus(x, v, u);
  const a = cross(along, minus(x, left, u));
  const b = cross(minus(x, right, u), along);
  return Math.atan2(dot(cross(a, b), along) / (Math.hypot(...along) || 1), dot(a, b));
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Least and largest coordinates of each triangle. */
function boxesOf(x: ArrayLike<number>, triangles: Uint32Array): Float64Array {
  const boxes = new Float64Array(2 * triangles.length);
  for (let k = 0; k < triangles.length; k += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const values = [0, 1, 2].map((c) => x[3 * triangles[k + c] + axis]);
      boxes[2 * k + axis] = Math.min(...values);
      boxes[2 * k + 3 + axis] = Math.max(...values);
    }
  }
  return boxes;
}

/** Whether boxes that meet along x meet along y and z, too. */
function boxesMeet(boxes: Float64Array, f: number, g: number): boolean {
  for (let axis = 1; axis < 3; axis++) {
    if (boxes[6 * f + axis] > boxes[6 * g + 3 + axis] || boxes[6 * g + axis] > boxes[6 * f + 3 + axis]) return false;
  }
  return true;
}

/** Whether an edge of one of two triangles without a common vertex passes through the other. */
function trianglesCross(x: ArrayLike<number>, triangles: Uint32Array, f: number, g: number): boolean {
  const [p, q] = [f, g].map((k): Vector => [triangles[3 * k], triangles[3 * k + 1], triangles[3 * k + 2]]);
  if (p.some((v) => q.includes(v))) return false;
  for (const [edges, face] of [
    [p, q],
    [q, p],
  ]) {
    for (let c = 0; c < 3; c++) if (passes(x, edges[c], edges[(c + 1) % 3], face)) return true;
  }
  return false;
}

/** Whether the segment from vertex u to vertex v passes through a triangle. */
function passes(x: ArrayLike<number>, u: number, v: number, [a, b, c]: Vector): boolean {
  const above = orientation(x, a, b, c, u);
  const below = orientation(x, a, b, c, v);
  if (above * below > 0 || above === below) return false;
  const turns = [orientation(x, u, v, a, b), orientation(x, u, v, b, c), orientation(x, u, v, c, a)];
  return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
}

/** Six times the signed volume of four vertices. */
function orientation(x: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  return dot(minus(x, b, a), cross(minus(x, c, a), minus(x, d, a)));
}

function minus(x: ArrayLike<number>, a: number, b: number): Vector {
  return [x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
