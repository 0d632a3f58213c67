/** A path of a centre tree from one tip to another, as a smooth line with its radii, measured by arc length. */
import { type CentreTree, pathToRoot } from './centre-tree.ts';

export type Point = readonly [number, number, number];

/** Rounds of smoothing: cells are a staircase. */
const SMOOTHING = 6;

export class CentreLine {
  /** p × 3 */
  readonly points: Float64Array;
  /** p, distance from the surface */
  readonly radii: Float64Array;
  /** p, arc length up to each point */
  readonly lengths: Float64Array;
  readonly #tree: CentreTree;
  readonly #places: Map<number, number>;
  /** Index of the point where both halves meet. */
  readonly #top: number;

  constructor(tree: CentreTree, from: number, to: number) {
    this.#tree = tree;
    const [up, down] = [pathToRoot(tree, from), pathToRoot(tree, to)];
    const onUp = new Map(up.map((cell, k) => [cell, k]));
    const meeting = down.findIndex((cell) => onUp.has(cell));
    this.#top = onUp.get(down[meeting]) ?? 0;
    const cells = [...up.slice(0, this.#top + 1), ...down.slice(0, meeting).reverse()];
    this.#places = new Map(cells.map((cell, k) => [cell, k]));
    const { centres, depth } = tree.solid;
    this.points = smooth(Float64Array.from(cells.flatMap((cell) => [...centres.subarray(3 * cell, 3 * cell + 3)])));
    this.radii = Float64Array.from(cells, (cell) => depth[cell]);
    this.lengths = new Float64Array(cells.length);
    for (let k = 1; k < cells.length; k++) this.lengths[k] = this.lengths[k - 1] + this.#step(k);
  }

  get length(): number {
    return this.lengths[this.lengths.length - 1];
  }

  /** Arc length at which the path of another tip leaves this one. */
  branchOf(cell: number): number {
    const { towardsRoot } = this.#tree;
    for (let c = cell; c >= 0; c = towardsRoot[c]) {
      const place = this.#places.get(c);
      if (place !== undefined) return this.lengths[place];
    }
    return this.lengths[this.#top];
  }

  at(s: number): Point {
    const [k, share] = this.#segment(s);
    const value = (d: number) => {
      const from = this.points[3 * k + d];
      return from + share * (this.points[3 * k + 3 + d] - from);
    };
    return this.lengths.length < 2 ? [this.points[0], this.points[1], this.points[2]] : [value(0), value(1), value(2)];
  }

  radiusAt(s: number): number {
    const [k, share] = this.#segment(s);
    return this.lengths.length < 2 ? this.radii[0] : this.radii[k] + share * (this.radii[k + 1] - this.radii[k]);
  }

  /** Unit direction of the line over a length around s. */
  directionAt(s: number, over: number): Point {
    const [a, b] = [this.at(Math.max(0, s - over)), this.at(Math.min(this.length, s + over))];
    const d = [0, 1, 2].map((k) => b[k] - a[k]);
    const size = Math.hypot(d[0], d[1], d[2]) || 1;
    return [d[0] / size, d[1] / size, d[2] / size];
  }

  /** The place on the line that is nearest to a point. */
  nearest(point: Point): { readonly s: number; readonly away: number } {
    let [s, least] = [0, Number.POSITIVE_INFINITY];
    for (let k = 0; k < this.lengths.length; k++) {
      const away = Math.hypot(...[0, 1, 2].map((d) => this.points[3 * k + d] - point[d]));
      if (away < least) [s, least] = [this.lengths[k], away];
    }
    return { s, away: least };
  }

  #segment(s: number): [k: number, share: number] {
    const last = this.lengths.length - 2;
    let [low, high] = [0, Math.max(last, 0)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lengths[middle] <= s) low = middle;
      else high = middle - 1;
    }
    const span = (this.lengths[low + 1] ?? this.lengths[low]) - this.lengths[low];
    return [low, span > 0 ? Math.min(Math.max((s - this.lengths[low]) / span, 0), 1) : 0];
  }

  #step(k: number): number {
    return Math.hypot(...[0, 1, 2].map((d) => this.points[3 * k + d] - this.points[3 * k - 3 + d]));
  }
}

/** Means of neighbours, over and over; both ends stay. */
function smooth(points: Float64Array): Float64Array {
  let [from, to]: [Float64Array, Float64Array] = [points, points.slice()];
  for (let round = 0; round < SMOOTHING; round++) {
    for (let k = 3; k + 3 < from.length; k++) to[k] = (from[k - 3] + 2 * from[k] + from[k + 3]) / 4;
    [from, to] = [to, from];
  }
  return from;
}
