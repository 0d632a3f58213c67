/**
 * The segment nearest to each vertex of a body, measured through the body: fingers that touch do not share a bone.
 *
 * Dijkstra's search over the edges of the tetrahedra, from the vertices beside each segment.
 */
import { KdTree } from '@pelt/math';
import { boundsOf, diagonalOf, type TetMesh } from '@pelt/model';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import type { BoneSegment } from './bone-segments.ts';

export interface NearestSegments {
  /** v: index of the nearest segment */
  readonly segment: Int32Array;
  /** v: distance to it through the body, or straight in a part of the body that no segment is beside */
  readonly distance: Float64Array;
}

/** Places on a segment from which the search starts: two for each of this share of the body's extent. */
const SAMPLE_SHARE = 1 / 200;
/** Times that borders may move by one edge. */
const BORDER_PASSES = 4;
/** Vertices beside a place that start with their distance from it. */
const SEEDS = 8;

export function nearestSegments(body: TetMesh, segments: readonly BoneSegment[]): NearestSegments {
  const v = body.positions.length / 3;
  const segment = new Int32Array(v).fill(-1);
  const distance = new Float64Array(v).fill(Number.POSITIVE_INFINITY);
  const heap = new Heap();
  const tree = new KdTree(body.positions);
  const step = SAMPLE_SHARE * diagonalOf(boundsOf(body.positions));
  const [indices, squared] = [new Uint32Array(SEEDS), new Float64Array(SEEDS)];
  segments.forEach(({ from, to }, s) => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const samples = Math.max(Math.ceil(length / step), 1);
    for (let k = 0; k <= samples; k++) {
      const place = from.map((value, axis) => value + (k / samples) * (to[axis] - value));
      const found = tree.nearest(place, 0, SEEDS, indices, squared);
      for (let near = 0; near < found; near++) {
        const away = Math.sqrt(squared[near]);
        if (away >= distance[indices[near]]) continue;
        distance[indices[near]] = away;
        segment[indices[near]] = s;
        heap.push(away, indices[near]);
      }
    }
  });
  const { starts, neighbours } = edgeGraph(facesOf(body.tetrahedra), v);
  const p = body.positions;
  while (heap.size > 0) {
    const { key, item: i } = heap.pop();
    if (key > distance[i]) continue;
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      const j = neighbours[k];
      const edge = Math.hypot(p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]);
      if (key + edge >= distance[j]) continue;
      distance[j] = key + edge;
      segment[j] = segment[i];
      heap.push(distance[j], j);
    }
  }
  const every = segments.map((_, s) => s);
  for (let i = 0; i < v; i++) {
    if (segment[i] >= 0) continue;
    segment[i] = nearestAmong(p, i, segments, every);
    distance[i] = distanceToSegment(p, i, segments[segment[i]]);
  }
  return { segment: straightened(p, segments, segment, starts, neighbours), distance };
}

/** Ways along edges are crooked: at the border between two segments the straight distance decides. */
function straightened(
  positions: Float32Array,
  segments: readonly BoneSegment[],
  segment: Int32Array,
  starts: Int32Array,
  neighbours: Int32Array,
): Int32Array {
  let current = segment;
  for (let pass = 0; pass < BORDER_PASSES; pass++) {
    current = current.map((own, i, before) => {
      const about = new Set([own]);
      for (let k = starts[i]; k < starts[i + 1]; k++) about.add(before[neighbours[k]]);
      return about.size === 1 ? own : nearestAmong(positions, i, segments, about);
    });
  }
  return current;
}

/** The one that is nearest in a straight line; of equals the first. */
function nearestAmong(
  positions: Float32Array,
  i: number,
  segments: readonly BoneSegment[],
  among: Iterable<number>,
): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const s of [...among].sort((a, b) => a - b)) {
    const away = distanceToSegment(positions, i, segments[s]);
    if (away < least) [best, least] = [s, away];
  }
  return best;
}

export function distanceToSegment(positions: Float32Array, i: number, { from, to }: BoneSegment): number {
  const axis = to.map((value, k) => value - from[k]);
  const offset = from.map((value, k) => positions[3 * i + k] - value);
  const squared = axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2;
  const along = (offset[0] * axis[0] + offset[1] * axis[1] + offset[2] * axis[2]) / (squared || 1);
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(...offset.map((value, k) => value - share * axis[k]));
}

/** The faces of all tetrahedra, as triangles. */
export function facesOf(tetrahedra: Uint32Array): Uint32Array {
  const faces = new Uint32Array(3 * tetrahedra.length);
  for (let k = 0; k < tetrahedra.length; k += 4) {
    const [a, b, c, d] = tetrahedra.subarray(k, k + 4);
    faces.set([b, c, d, a, d, c, a, b, d, a, c, b], 3 * k);
  }
  return faces;
}

/** A binary heap of items by key; equal keys leave by item, so that the result does not depend on the order. */
class Heap {
  readonly #keys: number[] = [];
  readonly #items: number[] = [];

  get size(): number {
    return this.#keys.length;
  }

  push(key: number, item: number): void {
    let k = this.#keys.length;
    this.#keys.push(key);
    this.#items.push(item);
    while (k > 0 && this.#before(k, (k - 1) >> 1)) {
      this.#exchange(k, (k - 1) >> 1);
      k = (k - 1) >> 1;
    }
  }

  pop(): { key: number; item: number } {
    const top = { key: this.#keys[0], item: this.#items[0] };
    const last = this.#keys.length - 1;
    this.#exchange(0, last);
    this.#keys.pop();
    this.#items.pop();
    for (let k = 0; ; ) {
      let least = k;
      for (const child of [2 * k + 1, 2 * k + 2]) if (child < last && this.#before(child, least)) least = child;
      if (least === k) return top;
      this.#exchange(k, least);
      k = least;
    }
  }

  #before(a: number, b: number): boolean {
    return this.#keys[a] < this.#keys[b] || (this.#keys[a] === this.#keys[b] && this.#items[a] < this.#items[b]);
  }

  #exchange(a: number, b: number): void {
    [this.#keys[a], this.#keys[b]] = [this.#keys[b], this.#keys[a]];
    [this.#items[a], this.#items[b]] = [this.#items[b], this.#items[a]];
  }
}
