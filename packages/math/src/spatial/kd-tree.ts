/**
 * The k nearest of n points, and all points within a radius, in any number of dimensions; exact, ties by index.
 *
 * A balanced kd-tree: each node splits its points at the median of the widest side of their box. Points are kept in
 * the order of the leaves. A search goes to the near side first and keeps, per dimension, the distance from the query
 * to the cell, so that a far cell is left out by its true distance.
 *
 * References: Friedman, Bentley, Finkel. An algorithm for finding best matches in logarithmic expected time. 1977.
 * Arya, Mount. Algorithms for fast vector quantization. 1993 (incremental distance).
 */
import { exponentAbove } from '../elementary/exponential.ts';
import { selectInPlace } from './select.ts';

type Points = Float32Array | Float64Array;

/** Points of a leaf: below this, looking at all is faster than descending. */
const LEAF = 12;
/** Slack on the distance of a cell, so that rounding never leaves out a tie. */
const ROUNDING = 1 - 2 ** -40;

/**
 * The k nearest of n points, and all points within a radius, in any number of dimensions; exact, ties by index.
 * @example
 * {@includeCode ../../examples/points.ts}
 */
export class KdTree {
  /** Points. */
  readonly size: number;
  readonly dimension: number;
  /** Point indices and coordinates in the order of the leaves. */
  readonly #order: Uint32Array;
  readonly #points: Float64Array;
  /** Per inner node, in heap order: the dimension it splits and the plane. */
  readonly #axes: Uint8Array;
  readonly #planes: Float64Array;
  /** Scratch of a search: distance from the query to the current cell, per dimension. */
  readonly #offsets: Float64Array;

  /** @param points  n × dimension */
  constructor(points: Points, dimension = 3) {
    this.dimension = dimension;
    this.size = Math.floor(points.length / dimension);
    this.#order = Uint32Array.from({ length: this.size }, (_, i) => i);
    const nodes = 2 ** (exponentAbove(Math.max(this.size / LEAF, 1)) + 1);
    this.#axes = new Uint8Array(nodes);
    this.#planes = new Float64Array(nodes);
    this.#offsets = new Float64Array(dimension);
    this.#split(points, 1, 0, this.size);
    this.#points = new Float64Array(this.size * dimension);
    this.#order.forEach((i, k) => {
      for (let d = 0; d < dimension; d++) this.#points[k * dimension + d] = points[i * dimension + d];
    });
  }

  /**
   * The `count` nearest points, nearest first.
   *
   * @param query    a point, from index `at`
   * @param indices  count; overwritten
   * @param squared  count squared distances; overwritten
   * @returns  how many were found: the smaller of `count` and the number of points
   */
  nearest(
    query: ArrayLike<number>,
    at: number,
    count: number,
    indices: Uint32Array | Int32Array,
    squared: Float64Array,
  ): number {
    const wanted = Math.min(count, this.size);
    if (wanted <= 0) return 0;
    const found = { count: 0, wanted, indices, squared };
    this.#offsets.fill(0);
    this.#search(query, at, 1, 0, this.size, 0, found);
    return wanted;
  }

  /** Indices of all points at a distance of at most `radius`, ascending. */
  within(query: ArrayLike<number>, at: number, radius: number): number[] {
    const out: number[] = [];
    this.#offsets.fill(0);
    if (radius >= 0) this.#collect(query, at, 1, 0, this.size, 0, radius * radius, out);
    return out.sort((a, b) => a - b);
  }

  #split(points: Points, node: number, begin: number, end: number): void {
    if (end - begin <= LEAF) return;
    const axis = this.#widestAxis(points, begin, end);
    const middle = (begin + end) >> 1;
    selectInPlace(this.#order, begin, end, middle, (i) => points[i * this.dimension + axis]);
    this.#axes[node] = axis;
    this.#planes[node] = points[this.#order[middle] * this.dimension + axis];
    this.#split(points, 2 * node, begin, middle);
    this.#split(points, 2 * node + 1, middle, end);
  }

  #widestAxis(points: Points, begin: number, end: number): number {
    let widest = 0;
    let width = -1;
    for (let axis = 0; axis < this.dimension; axis++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let k = begin; k < end; k++) {
        const x = points[this.#order[k] * this.dimension + axis];
        if (x < low) low = x;
        if (x > high) high = x;
      }
      if (high - low > width) {
        width = high - low;
        widest = axis;
      }
    }
    return widest;
  }

  #search(
    query: ArrayLike<number>,
    at: number,
    node: number,
    begin: number,
    end: number,
    cell: number,
    found: Found,
  ): void {
    if (end - begin <= LEAF) {
      for (let k = begin; k < end; k++) insert(found, this.#squaredDistance(query, at, k), this.#order[k]);
      return;
    }
    const axis = this.#axes[node];
    const side = query[at + axis] - this.#planes[node];
    const middle = (begin + end) >> 1;
    const offset = this.#offsets[axis];
    const far = cell - offset * offset + side * side;
    if (side < 0) this.#search(query, at, 2 * node, begin, middle, cell, found);
    else this.#search(query, at, 2 * node + 1, middle, end, cell, found);
    if (found.count === found.wanted && far * ROUNDING > found.squared[found.wanted - 1]) return;
    this.#offsets[axis] = side;
    if (side < 0) this.#search(query, at, 2 * node + 1, middle, end, far, found);
    else this.#search(query, at, 2 * node, begin, middle, far, found);
    this.#offsets[axis] = offset;
  }

  #collect(
    query: ArrayLike<number>,
    at: number,
    node: number,
    begin: number,
    end: number,
    cell: number,
    limit: number,
    out: number[],
  ): void {
    if (cell * ROUNDING > limit) return;
    if (end - begin <= LEAF) {
      for (let k = begin; k < end; k++) if (this.#squaredDistance(query, at, k) <= limit) out.push(this.#order[k]);
      return;
    }
    const axis = this.#axes[node];
    const side = query[at + axis] - this.#planes[node];
    const middle = (begin + end) >> 1;
    const offset = this.#offsets[axis];
    const far = cell - offset * offset + side * side;
    const low = side < 0;
    this.#offsets[axis] = low ? offset : side;
    this.#collect(query, at, 2 * node, begin, middle, low ? cell : far, limit, out);
    this.#offsets[axis] = low ? side : offset;
    this.#collect(query, at, 2 * node + 1, middle, end, low ? far : cell, limit, out);
    this.#offsets[axis] = offset;
  }

  #squaredDistance(query: ArrayLike<number>, at: number, k: number): number {
    let sum = 0;
    const start = k * this.dimension;
    for (let d = 0; d < this.dimension; d++) {
      const difference = query[at + d] - this.#points[start + d];
      sum += difference * difference;
    }
    return sum;
  }
}

/** The best so far, by distance, then by index. */
interface Found {
  count: number;
  readonly wanted: number;
  readonly indices: Uint32Array | Int32Array;
  readonly squared: Float64Array;
}

function insert(found: Found, distance: number, index: number): void {
  const { indices, squared, wanted } = found;
  let k = found.count;
  if (k === wanted) {
    const last = squared[k - 1];
    if (distance > last || (distance === last && index > indices[k - 1])) return;
    k--;
  } else found.count++;
  while (k > 0 && (squared[k - 1] > distance || (squared[k - 1] === distance && indices[k - 1] > index))) {
    squared[k] = squared[k - 1];
    indices[k] = indices[k - 1];
    k--;
  }
  squared[k] = distance;
  indices[k] = index;
}
