/**
 * Which places of one face are those of another of different connectivity: minimise Σ‖A x + b − y‖² over pairs (x, y) of
 * nearest vertices, with A a scale per axis, by iterated closest points. It starts from the boxes around both; pairs go both
 * ways, so that neither shrinks into a part of the other, and the worst fifth is left out (ears, hair and necks differ). Both
 * faces must have the same axes and about the same expression.
 *
 * Reference: Besl, McKay. A method for registration of 3-D shapes. 1992.
 */
import { KdTree } from '@pelt/math';
import { boundsOf, diagonalOf, type Mesh, vertexCount, vertexNormals } from '@pelt/model';

export interface FaceMatch {
  /** A, a scale per axis, and b: from places of the target to those of the source */
  readonly scale: readonly number[];
  readonly shift: readonly number[];
  /** n × `NEIGHBOURS`: vertices of the source for each of the target */
  readonly vertices: Uint32Array;
  /** n × `NEIGHBOURS` shares, each row sums to 1 */
  readonly shares: Float64Array;
  /** n: the distance to the nearest of them, as a share of the source's diagonal */
  readonly distances: Float64Array;
}

/** Vertices of the source that one of the target follows. */
export const NEIGHBOURS = 3;
const ROUNDS = 12;
/** Pairs that are kept in each round, the nearest. */
const KEPT = 0.8;
/** A normal that points the other way counts as this share of the diagonal: lips that touch are told apart. */
const NORMAL_LENGTH = 0.05;
/** Vertices that take part in the alignment, about. */
const SAMPLES = 4000;

export function matchFaces(source: Mesh, target: Mesh): FaceMatch {
  const size = diagonalOf(boundsOf(source.positions)) || 1;
  const { scale, shift } = aligned(source.positions, target.positions);
  const moved = placed(target.positions, scale, shift);
  const length = (NORMAL_LENGTH * size) / 2;
  const tree = new KdTree(withNormals(source.positions, normalsOf(source.positions, source.triangles), length), 6);
  const queries = withNormals(moved, normalsOf(moved, target.triangles), length);
  const n = vertexCount(target);
  const vertices = new Uint32Array(n * NEIGHBOURS);
  const shares = new Float64Array(n * NEIGHBOURS);
  const distances = new Float64Array(n);
  const [found, squared] = [new Uint32Array(NEIGHBOURS), new Float64Array(NEIGHBOURS)];
  for (let i = 0; i < n; i++) {
    const count = tree.nearest(queries, 6 * i, NEIGHBOURS, found, squared);
    const least = (1e-6 * size) ** 2;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      vertices[i * NEIGHBOURS + k] = found[k];
      // A vertex that is met exactly is followed alone.
      const share = squared[0] <= least ? (k === 0 ? 1 : 0) : 1 / squared[k];
      shares[i * NEIGHBOURS + k] = share;
      sum += share;
    }
    for (let k = 0; k < count; k++) shares[i * NEIGHBOURS + k] /= sum;
    let away = 0;
    for (let c = 0; c < 3; c++) away += (moved[3 * i + c] - source.positions[3 * found[0] + c]) ** 2;
    distances[i] = Math.sqrt(away) / size;
  }
  return { scale, shift, vertices, shares, distances };
}

interface Placement {
  readonly scale: number[];
  readonly shift: number[];
}

function aligned(source: Float32Array, target: Float32Array): Placement {
  const [to, from] = [boundsOf(source), boundsOf(target)];
  let scale = [0, 1, 2].map((c) => (to.max[c] - to.min[c]) / (from.max[c] - from.min[c]));
  // A flat face has the scale of its other sides.
  const known = scale.filter((value) => value > 0 && Number.isFinite(value));
  const usual = known.reduce((sum, value) => sum + value, 0) / (known.length || 1) || 1;
  scale = scale.map((value) => (value > 0 && Number.isFinite(value) ? value : usual));
  let shift = scale.map((value, c) => (to.min[c] + to.max[c] - value * (from.min[c] + from.max[c])) / 2);
  const [own, other] = [sampled(source), sampled(target)];
  const there = new KdTree(own);
  for (let round = 0; round < ROUNDS; round++) {
    const moved = placed(other, scale, shift);
    const pairs = [...pairsOf(moved, there, (i, j) => [i, j]), ...pairsOf(own, new KdTree(moved), (i, j) => [j, i])];
    pairs.sort((a, b) => a.squared - b.squared);
    pairs.length = Math.ceil(KEPT * pairs.length);
    const next = regressed(pairs, other, own, { scale, shift });
    [scale, shift] = [next.scale, next.shift];
  }
  return { scale, shift };
}

interface Pair {
  readonly from: number;
  readonly to: number;
  readonly squared: number;
}

function pairsOf(points: Float32Array, tree: KdTree, order: (i: number, j: number) => [number, number]): Pair[] {
  const [found, squared] = [new Uint32Array(1), new Float64Array(1)];
  return Array.from({ length: points.length / 3 }, (_, i) => {
    tree.nearest(points, 3 * i, 1, found, squared);
    const [from, to] = order(i, found[0]);
    return { from, to, squared: squared[0] };
  });
}

/** y = a x + b for each axis by itself; an axis without extent keeps its scale. */
function regressed(pairs: readonly Pair[], x: Float32Array, y: Float32Array, before: Placement): Placement {
  const out: Placement = { scale: [], shift: [] };
  for (let c = 0; c < 3; c++) {
    let [mx, my, xx, xy] = [0, 0, 0, 0];
    for (const { from, to } of pairs) {
      mx += x[3 * from + c] / pairs.length;
      my += y[3 * to + c] / pairs.length;
    }
    for (const { from, to } of pairs) {
      const dx = x[3 * from + c] - mx;
      xx += dx * dx;
      xy += dx * (y[3 * to + c] - my);
    }
    const scale = xx > 0 && xy > 0 ? xy / xx : before.scale[c];
    out.scale.push(scale);
    out.shift.push(my - scale * mx);
  }
  return out;
}

function placed(positions: Float32Array, scale: readonly number[], shift: readonly number[]): Float32Array {
  return positions.map((value, k) => scale[k % 3] * value + shift[k % 3]);
}

function sampled(positions: Float32Array): Float32Array {
  const n = positions.length / 3;
  const step = Math.max(1, Math.floor(n / SAMPLES));
  return positions.filter((_, k) => Math.floor(k / 3) % step === 0);
}

/** n × 6: places, and normals in the same unit. */
function withNormals(positions: Float32Array, normals: Float64Array, length: number): Float64Array {
  const out = new Float64Array(2 * positions.length);
  for (let k = 0; k < positions.length; k++) {
    const at = 6 * Math.floor(k / 3) + (k % 3);
    out[at] = positions[k];
    out[at + 3] = length * normals[k];
  }
  return out;
}

/** n × 3, of length 1; zero at a vertex without area. */
function normalsOf(positions: Float32Array, triangles: Uint32Array): Float64Array {
  const out = vertexNormals(positions, triangles, new Float64Array(positions.length));
  for (let k = 0; k < out.length; k += 3) {
    const norm = Math.sqrt(out[k] ** 2 + out[k + 1] ** 2 + out[k + 2] ** 2);
    if (norm > 0) for (let c = k; c < k + 3; c++) out[c] /= norm;
  }
  return out;
}
