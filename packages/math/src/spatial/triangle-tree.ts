/**
 * The closest point of a triangle mesh to any query; exact, ties by triangle index.
 *
 * A bounding volume hierarchy: boxes split at the median centroid of their widest side down to a few triangles. A search
 * enters the nearer box first and leaves out boxes that are farther than the best point so far.
 *
 * Reference: Ericson. Real-Time Collision Detection. 2005 (§6.1–6.3).
 */
import { closestOnTriangle } from './closest-on-triangle.ts';
import { selectInPlace } from './select.ts';

/** Triangles of a leaf. */
const LEAF = 4;
/** Slack on the distance of a box, so that rounding never leaves out a tie. */
const ROUNDING = 1 - 2 ** -40;

/** Where on the mesh a closest point is. */
export interface ClosestPoint {
  /** Index of the triangle; −1 where nothing was found. */
  triangle: number;
  squaredDistance: number;
  /** α, β, γ of the triangle's corners; their sum is 1. */
  readonly barycentric: Float64Array;
  readonly point: Float64Array;
}

export function emptyClosestPoint(): ClosestPoint {
  return {
    triangle: -1,
    squaredDistance: Number.POSITIVE_INFINITY,
    barycentric: new Float64Array(3),
    point: new Float64Array(3),
  };
}

export class TriangleTree {
  /** Triangles. */
  readonly size: number;
  /** Triangle indices, and nine coordinates each, in the order of the leaves. */
  readonly #order: Uint32Array;
  readonly #corners: Float64Array;
  /** Six numbers a node in heap order: low x, y, z, high x, y, z. */
  readonly #boxes: Float64Array;
  readonly #weights = new Float64Array(3);

  /**
   * @param positions  n × 3
   * @param triangles  f × 3 vertex indices
   */
  constructor(positions: Float32Array | Float64Array, triangles: ArrayLike<number>) {
    this.size = triangles.length / 3;
    this.#order = Uint32Array.from({ length: this.size }, (_, k) => k);
    const corners = new Float64Array(9 * this.size);
    for (let k = 0; k < triangles.length; k++) {
      for (let d = 0; d < 3; d++) corners[3 * k + d] = positions[3 * triangles[k] + d];
    }
    const nodes = 2 ** (Math.ceil(Math.log2(Math.max(this.size / LEAF, 1))) + 1);
    this.#boxes = new Float64Array(6 * nodes);
    this.#split(corners, 1, 0, this.size);
    this.#corners = new Float64Array(9 * this.size);
    this.#order.forEach((triangle, k) => {
      this.#corners.set(corners.subarray(9 * triangle, 9 * triangle + 9), 9 * k);
    });
  }

  /**
   * The point of the mesh nearest to the query.
   *
   * @param query        three numbers from index `at`
   * @param out          overwritten; `triangle` is −1 where the mesh is empty or nothing is within reach
   * @param maxDistance  farther points do not count
   */
  closestPoint(query: ArrayLike<number>, at: number, out: ClosestPoint, maxDistance = Number.POSITIVE_INFINITY): void {
    out.triangle = -1;
    out.squaredDistance = maxDistance * maxDistance;
    if (this.size > 0) this.#search(query, at, 1, 0, this.size, out);
    if (out.triangle < 0) out.squaredDistance = Number.POSITIVE_INFINITY;
  }

  #split(corners: Float64Array, node: number, begin: number, end: number): void {
    const box = this.#fitBox(corners, node, begin, end);
    if (end - begin <= LEAF) return;
    let axis = 0;
    for (let d = 1; d < 3; d++) if (box[3 + d] - box[d] > box[3 + axis] - box[axis]) axis = d;
    const middle = (begin + end) >> 1;
    const centre = (triangle: number) =>
      corners[9 * triangle + axis] + corners[9 * triangle + 3 + axis] + corners[9 * triangle + 6 + axis];
    selectInPlace(this.#order, begin, end, middle, centre);
    this.#split(corners, 2 * node, begin, middle);
    this.#split(corners, 2 * node + 1, middle, end);
  }

  #fitBox(corners: Float64Array, node: number, begin: number, end: number): Float64Array {
    const box = this.#boxes.subarray(6 * node, 6 * node + 6);
    box.fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3, 6);
    for (let k = begin; k < end; k++) {
      for (let c = 9 * this.#order[k]; c < 9 * this.#order[k] + 9; c += 3) {
        for (let d = 0; d < 3; d++) {
          const x = corners[c + d];
          if (x < box[d]) box[d] = x;
          if (x > box[3 + d]) box[3 + d] = x;
        }
      }
    }
    return box;
  }

  #search(query: ArrayLike<number>, at: number, node: number, begin: number, end: number, best: ClosestPoint): void {
    if (end - begin <= LEAF) {
      for (let k = begin; k < end; k++) this.#visit(query, at, k, best);
      return;
    }
    const middle = (begin + end) >> 1;
    const left = this.#squaredDistance(query, at, 2 * node);
    const right = this.#squaredDistance(query, at, 2 * node + 1);
    if (left <= right) {
      if (left * ROUNDING <= best.squaredDistance) this.#search(query, at, 2 * node, begin, middle, best);
      if (right * ROUNDING <= best.squaredDistance) this.#search(query, at, 2 * node + 1, middle, end, best);
    } else {
      if (right * ROUNDING <= best.squaredDistance) this.#search(query, at, 2 * node + 1, middle, end, best);
      if (left * ROUNDING <= best.squaredDistance) this.#search(query, at, 2 * node, begin, middle, best);
    }
  }

  #visit(query: ArrayLike<number>, at: number, k: number, best: ClosestPoint): void {
    const squared = closestOnTriangle(this.#corners, 9 * k, query, at, this.#weights);
    const triangle = this.#order[k];
    if (squared > best.squaredDistance) return;
    if (squared === best.squaredDistance && best.triangle >= 0 && triangle > best.triangle) return;
    best.triangle = triangle;
    best.squaredDistance = squared;
    best.barycentric.set(this.#weights);
    for (let d = 0; d < 3; d++) {
      best.point[d] =
        this.#weights[0] * this.#corners[9 * k + d] +
        this.#weights[1] * this.#corners[9 * k + 3 + d] +
        this.#weights[2] * this.#corners[9 * k + 6 + d];
    }
  }

  #squaredDistance(query: ArrayLike<number>, at: number, node: number): number {
    let sum = 0;
    for (let d = 0; d < 3; d++) {
      const below = this.#boxes[6 * node + d] - query[at + d];
      const above = query[at + d] - this.#boxes[6 * node + 3 + d];
      const outside = Math.max(below, above, 0);
      sum += outside * outside;
    }
    return sum;
  }
}
