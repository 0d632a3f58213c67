/**
 * Weights of a surface by heat from bones inside: the weight of a bone is the equilibrium temperature of a skin that is
 * heated by this bone only, (L + H) w_j = H p_j, with p_j = 1 where bone j is nearest, H = A c / d² for the area A of a vertex
 * and its distance d from that bone, L the cotangent Laplacian. The nearest bone is the one to which the way inside the body
 * is shortest, so that fingers side by side do not share bones. The skin need not be closed, or of one part.
 *
 * Reference: Baran, Popović. Automatic rigging and animation of 3D characters. 2007 (§4).
 */
import { KdTree, SparseCholesky, sparseFromTriplets } from '@pelt/math';
import { checkCancelled, type Run, type SkinWeights } from '@pelt/model';
import { cotangentOperator } from '../shared/mesh/cotangent-operator.ts';
import { edgeGraph } from '../shared/mesh/edge-graph.ts';
import { vertexAreas } from '../shared/mesh/vertex-areas.ts';
import { packWeights } from '../shared/pack-weights.ts';
import type { Point } from './centre-line.ts';
import { relax } from './centre-tree.ts';
import type { Solid } from './solid.ts';

export interface Segment {
  readonly bone: number;
  readonly from: Point;
  readonly to: Point;
}

/** c: the transition between weights is 1/√c of the distance to the bone wide; 1 as published. */
const HEAT = 4;
/** Lower bound of the distance, in cells: the one next to a bone is arbitrary. */
const NEAREST = 0.5;
/** Right-hand sides per solve. */
const TOGETHER = 4;
/** Passes in which the border between bones may move by one vertex. */
const BORDER_PASSES = 3;
/** Smaller weights are dropped. */
const SMALLEST = 0.01;

/**
 * @param positions  n × 3
 * @param triangles  f × 3
 * @param counts     m bones, and K, most weights per vertex
 */
export function boneHeat(
  positions: Float32Array,
  triangles: Uint32Array,
  solid: Solid,
  segments: readonly Segment[],
  counts: { readonly bones: number; readonly slots: number },
  run: Run,
): SkinWeights {
  const { bones } = counts;
  const n = positions.length / 3;
  const graph = edgeGraph(triangles, n);
  const owner = nearestBones(positions, graph, solid, segments);
  const areas = vertexAreas(Float64Array.from(positions), triangles);
  const total = surfaceArea(positions, triangles) || 1;
  const heat = Float64Array.from({ length: n }, (_, i) => {
    const away = distanceToSegment(positions, i, segments[owner[i]]);
    return (HEAT * areas[i] * total) / Math.max(away, NEAREST * solid.spacing) ** 2;
  });
  const operator = cotangentOperator(positions, triangles, graph);
  const [rows, columns, values]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < n; i++) {
    let sum = heat[i];
    for (let e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
      // Obtuse triangles have negative cotangents, by which weights would leave 0 to 1.
      const value = Math.max(operator.values[e], 0);
      sum += value;
      if (graph.neighbours[e] > i || value === 0) continue;
      rows.push(i);
      columns.push(graph.neighbours[e]);
      values.push(-value);
    }
    rows.push(i);
    columns.push(i);
    values.push(sum);
  }
  const best = new TopWeights(n, counts.slots);
  const [rhs, temperatures] = [new Float64Array(n * TOGETHER), new Float64Array(n * TOGETHER)];
  const cholesky = new SparseCholesky(run.numerics, sparseFromTriplets(n, rows, columns, values));
  try {
    for (let first = 0; first < bones; first += TOGETHER) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'weights', fraction: first / bones });
      rhs.fill(0);
      for (let i = 0; i < n; i++) {
        const { bone } = segments[owner[i]];
        if (bone >= first && bone < first + TOGETHER) rhs[TOGETHER * i + bone - first] = heat[i];
      }
      cholesky.solve(rhs, TOGETHER, temperatures);
      for (let i = 0; i < n; i++) {
        for (let c = 0; c < TOGETHER && first + c < bones; c++)
          best.offer(i, first + c, temperatures[TOGETHER * i + c]);
      }
    }
  } finally {
    cholesky.dispose();
  }
  const { indices, weights } = best.faded();
  return packWeights(indices, weights, counts.slots, SMALLEST);
}

/** The largest weights of each vertex, in decreasing order, one more than there are slots for. */
class TopWeights {
  readonly slots: number;
  readonly #most: number;
  readonly bones: Int32Array;
  readonly weights: Float64Array;

  constructor(n: number, slots: number) {
    this.slots = slots + 1;
    this.#most = slots;
    this.bones = new Int32Array(n * this.slots);
    this.weights = new Float64Array(n * this.slots);
  }

  /** Less the largest that has no slot: a weight that gives way to another is 0 where it does, so that none jumps. */
  faded(): { readonly indices: Int32Array; readonly weights: Float64Array } {
    const { slots, bones, weights } = this;
    const most = this.#most;
    const n = bones.length / slots;
    const out = { indices: new Int32Array(n * most), weights: new Float64Array(n * most) };
    for (let i = 0; i < n; i++) {
      const least = weights[(i + 1) * slots - 1];
      for (let s = 0; s < most; s++) {
        out.indices[i * most + s] = bones[i * slots + s];
        out.weights[i * most + s] = weights[i * slots + s] - least;
      }
    }
    return out;
  }

  offer(i: number, bone: number, weight: number): void {
    const [first, last] = [i * this.slots, (i + 1) * this.slots - 1];
    let s = last + 1;
    while (s > first && weight > this.weights[s - 1]) s--;
    if (s > last) return;
    for (let r = last; r > s; r--) {
      this.bones[r] = this.bones[r - 1];
      this.weights[r] = this.weights[r - 1];
    }
    this.bones[s] = bone;
    this.weights[s] = weight;
  }
}

/** n: the segment that is nearest to each vertex, on the way inside of the body. */
function nearestBones(
  positions: Float32Array,
  graph: ReturnType<typeof edgeGraph>,
  solid: Solid,
  segments: readonly Segment[],
): Int32Array {
  const { centres, spacing } = solid;
  const tree = new KdTree(centres);
  const [index, squared] = [new Uint32Array(1), new Float64Array(1)];
  const distance = new Float64Array(solid.depth.length).fill(Number.POSITIVE_INFINITY);
  const label = new Int32Array(solid.depth.length).fill(-1);
  const sources: [number, number][] = [];
  segments.forEach(({ from, to }, s) => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const samples = Math.max(1, Math.ceil(length / spacing));
    for (let k = 0; k <= samples; k++) {
      const place = from.map((value, d) => value + (k / samples) * (to[d] - value));
      tree.nearest(place, 0, 1, index, squared);
      const away = Math.sqrt(squared[0]);
      if (away >= distance[index[0]]) continue;
      distance[index[0]] = away;
      label[index[0]] = s;
    }
  });
  label.forEach((s, cell) => {
    if (s < 0) return;
    sources.push([cell, distance[cell]]);
    distance[cell] = Number.POSITIVE_INFINITY;
  });
  relax(solid, distance, sources, {
    onReached: (cell, from) => {
      if (from >= 0) label[cell] = label[from];
    },
  });
  const n = positions.length / 3;
  let owner = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    tree.nearest(positions, 3 * i, 1, index, squared);
    owner[i] = label[index[0]];
  }
  // Cells are a staircase: at the border between two bones the distance decides.
  for (let pass = 0; pass < BORDER_PASSES; pass++) {
    owner = owner.map((own, i, before) => {
      let best = own;
      let least = distanceToSegment(positions, i, segments[own]);
      for (let e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
        const other = before[graph.neighbours[e]];
        const away = other === own ? least : distanceToSegment(positions, i, segments[other]);
        if (away < least) [best, least] = [other, away];
      }
      return best;
    });
  }
  return owner;
}

function distanceToSegment(positions: Float32Array, i: number, { from, to }: Segment): number {
  let [along, squared] = [0, 0];
  for (let d = 0; d < 3; d++) {
    along += (positions[3 * i + d] - from[d]) * (to[d] - from[d]);
    squared += (to[d] - from[d]) ** 2;
  }
  const share = squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0;
  let sum = 0;
  for (let d = 0; d < 3; d++) sum += (positions[3 * i + d] - from[d] - share * (to[d] - from[d])) ** 2;
  return Math.sqrt(sum);
}

function surfaceArea(positions: Float32Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [u, v] = [b, c].map((o) => [0, 1, 2].map((d) => positions[o + d] - positions[a + d]));
    sum += 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  }
  return sum;
}
