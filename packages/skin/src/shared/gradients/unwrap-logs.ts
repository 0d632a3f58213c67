/**
 * Unwraps logarithms of rotations: of all (θ + 2πk)·axis of each rotation, choose those that make a field over a graph
 * continuous, so that blending rotates every part along the shortest path.
 *
 * Each item takes the branch nearest to a neighbour that is already unwrapped, along the minimum spanning tree of relative
 * rotation (Prim), so that a noisy item affects only itself. The tree starts at the item whose logarithm is nearest to the
 * expected value: zero, or that of the previous frame. If there is a previous frame, every item considers it and its
 * neighbour equally, so that a limb is followed through full turns.
 *
 * Sumner and Der choose the branch by hand, or use examples that need no choice. References: Sumner, Zwicker, Gotsman,
 * Popović. Mesh-based inverse kinematics. 2005 (section 3.2). Prim. Shortest connection networks. 1957.
 */
import { rotationLog, rotationLogNear } from '@pelt/math';
import type { EdgeGraph } from '../mesh/edge-graph.ts';

export class LogUnwrapper {
  readonly #graph: EdgeGraph;
  /** Items of each connected component. */
  readonly #parts: readonly Int32Array[];
  readonly #queue: LeastFirst;
  readonly #parent: Int32Array;
  readonly #reference = new Float64Array(3);

  /** @param graph  adjacency of the items: triangles, groups of vertices, bones of a skeleton … */
  constructor(graph: EdgeGraph) {
    const count = graph.starts.length - 1;
    this.#graph = graph;
    this.#parts = connectedParts(graph);
    this.#queue = new LeastFirst(count);
    this.#parent = new Int32Array(count);
  }

  /**
   * @param rotations  count × 9, proper, row-major
   * @param previous   count × 3 logarithms of the previous frame, if there is one
   * @param out        count × 3; overwritten; may not be `previous`
   */
  unwrap(rotations: Float64Array, previous?: Float64Array, out = new Float64Array(rotations.length / 3)): Float64Array {
    for (const part of this.#parts) this.#unwrapPart(part, rotations, previous, out);
    return out;
  }

  #unwrapPart(part: Int32Array, rotations: Float64Array, previous: Float64Array | undefined, out: Float64Array): void {
    const { starts, neighbours } = this.#graph;
    const queue = this.#queue;
    const parent = this.#parent;
    let root = part[0];
    let least = Number.POSITIVE_INFINITY;
    for (const i of part) {
      const away = this.#rootLog(rotations, previous, i, out);
      if (away < least) {
        least = away;
        root = i;
      }
    }
    queue.begin(part);
    parent[root] = -1;
    queue.lower(root, 0);
    for (;;) {
      const i = queue.take();
      if (i < 0) return;
      if (parent[i] >= 0) this.#near(rotations, previous, i, parent[i], out);
      for (let k = starts[i]; k < starts[i + 1]; k++) {
        const neighbour = neighbours[k];
        if (queue.lower(neighbour, turnBetween(rotations, i, neighbour))) parent[neighbour] = i;
      }
    }
  }

  /** The logarithm nearest to the expected value of an item; returns the squared distance. */
  #rootLog(rotations: Float64Array, previous: Float64Array | undefined, i: number, out: Float64Array): number {
    if (previous) rotationLogNear(rotations, 9 * i, previous, 3 * i, out, 3 * i);
    else rotationLog(rotations, 9 * i, out, 3 * i);
    let away = 0;
    for (let k = 3 * i; k < 3 * i + 3; k++) away += (out[k] - (previous?.[k] ?? 0)) ** 2;
    return away;
  }

  #near(rotations: Float64Array, previous: Float64Array | undefined, i: number, from: number, out: Float64Array): void {
    const reference = this.#reference;
    for (let k = 0; k < 3; k++) {
      const neighbour = out[3 * from + k];
      // All branches lie on one line, so the one nearest to the mean minimises the sum of squared distances to both.
      reference[k] = previous ? 0.5 * (neighbour + previous[3 * i + k]) : neighbour;
    }
    rotationLogNear(rotations, 9 * i, reference, 0, out, 3 * i);
  }
}

/** 3 − tr(RᵢᵀRⱼ), which increases with the angle between two rotations. */
function turnBetween(rotations: Float64Array, i: number, j: number): number {
  let trace = 0;
  for (let k = 0; k < 9; k++) trace += rotations[9 * i + k] * rotations[9 * j + k];
  return 3 - trace;
}

function connectedParts({ starts, neighbours }: EdgeGraph): Int32Array[] {
  const count = starts.length - 1;
  const seen = new Uint8Array(count);
  const parts: Int32Array[] = [];
  for (let first = 0; first < count; first++) {
    if (seen[first]) continue;
    seen[first] = 1;
    const part = [first];
    for (let k = 0; k < part.length; k++) {
      for (let e = starts[part[k]]; e < starts[part[k] + 1]; e++) {
        if (seen[neighbours[e]]) continue;
        seen[neighbours[e]] = 1;
        part.push(neighbours[e]);
      }
    }
    parts.push(Int32Array.from(part).sort());
  }
  return parts;
}

/** A binary heap with decrease-key, ties by index. */
class LeastFirst {
  readonly #heap: Int32Array;
  readonly #place: Int32Array;
  readonly #key: Float64Array;
  #length = 0;

  constructor(count: number) {
    this.#heap = new Int32Array(count);
    this.#place = new Int32Array(count).fill(-1);
    this.#key = new Float64Array(count);
  }

  begin(items: Int32Array): void {
    this.#heap.set(items);
    this.#length = items.length;
    items.forEach((item, place) => {
      this.#place[item] = place;
      this.#key[item] = Number.POSITIVE_INFINITY;
    });
  }

  /** Removes the item with the smallest key; −1 if empty. */
  take(): number {
    if (this.#length === 0) return -1;
    const first = this.#heap[0];
    this.#place[first] = -1;
    this.#length--;
    if (this.#length > 0) this.#sink(this.#heap[this.#length], 0);
    return first;
  }

  /** Decreases the key of an item; false if it has been removed or its key is not larger. */
  lower(item: number, key: number): boolean {
    let place = this.#place[item];
    if (place < 0 || key >= this.#key[item]) return false;
    this.#key[item] = key;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#before(item, this.#heap[above])) break;
      this.#put(this.#heap[above], place);
      place = above;
    }
    this.#put(item, place);
    return true;
  }

  #sink(item: number, from: number): void {
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#before(this.#heap[child + 1], this.#heap[child])) child++;
      if (!this.#before(this.#heap[child], item)) break;
      this.#put(this.#heap[child], place);
      place = child;
    }
    this.#put(item, place);
  }

  #before(a: number, b: number): boolean {
    return this.#key[a] < this.#key[b] || (this.#key[a] === this.#key[b] && a < b);
  }

  #put(item: number, place: number): void {
    this.#heap[place] = item;
    this.#place[item] = place;
  }
}
