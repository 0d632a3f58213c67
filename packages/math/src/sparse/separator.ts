/**
 * A vertex separator under improvement: three sets A, B, S with no edge between A and B, S as light as possible, A and B
 * balanced.
 *
 * A vertex v of S can move to A; its neighbours in B then join S, so the separator becomes lighter by
 * w(v) − w(N(v) ∩ B). Moves are made best first, each vertex leaving S at most once in a pass, also where the separator
 * becomes heavier for a while; at the end all moves after the best state are taken back.
 *
 * References: Fiduccia, Mattheyses. A linear-time heuristic for improving network partitions. 1982. Hendrickson,
 * Rothberg. Improving the run time and quality of nested dissection ordering. SIAM J. Sci. Comput., 1998 (§3.2).
 */
import type { WeightedGraph } from './coarsening.ts';
import { GainQueue } from './gain-queue.ts';

/** The set a vertex is in. */
export const SIDE_A = 0;
export const SIDE_B = 1;
export const SEPARATOR = 2;

/** Largest share of A or B in both: tighter costs heavier separators, looser costs a deeper tree. */
const LARGEST_SHARE = 0.6;
/** Moves without a new best state after which a pass ends. */
const PATIENCE = 50;
const MOST_PASSES = 3;

export class Separator {
  readonly graph: WeightedGraph;
  /** set of each vertex */
  readonly sides: Uint8Array;
  /** weights of A, B, S */
  readonly weights: [number, number, number] = [0, 0, 0];
  /** Vertices of S that may still move in this pass, by what a move to A, or to B, gains. */
  readonly #queues: readonly [GainQueue, GainQueue];
  readonly #moved: Uint8Array;
  /** Every change of set in this pass, as vertex · 4 + the set it was in. */
  readonly #log: number[] = [];

  constructor(graph: WeightedGraph, sides: Uint8Array) {
    this.graph = graph;
    this.sides = sides;
    this.#queues = [new GainQueue(graph.size), new GainQueue(graph.size)];
    this.#moved = new Uint8Array(graph.size);
    for (let v = 0; v < graph.size; v++) this.weights[sides[v]] += graph.vertexWeights[v];
  }

  /** Everything in B, a seed in S: moves to A until the two are even. */
  static grown(graph: WeightedGraph, seed: number): Separator {
    const sides = new Uint8Array(graph.size).fill(SIDE_B);
    const separator = new Separator(graph, sides);
    separator.#grow(seed);
    return separator;
  }

  /** What to minimise: the separator's weight, and beyond the allowed share the imbalance before all else. */
  get cost(): number {
    const [a, b, s] = this.weights;
    const total = a + b + s;
    const excess = Math.max(0, Math.max(a, b) - LARGEST_SHARE * (a + b));
    return s + Math.abs(a - b) / (total + 1) + excess * total;
  }

  refine(): void {
    for (let pass = 0; pass < MOST_PASSES; pass++) if (!this.#pass()) return;
  }

  #pass(): boolean {
    const { graph, sides } = this;
    const [toA, toB] = this.#queues;
    toA.clear();
    toB.clear();
    this.#moved.fill(0);
    this.#log.length = 0;
    for (let v = 0; v < graph.size; v++) if (sides[v] === SEPARATOR) this.#enqueue(v);
    const before = this.cost;
    let best = before;
    let bestLength = 0;
    for (let sinceBest = 0; sinceBest < PATIENCE; sinceBest++) {
      const side = this.#chooseSide();
      if (side < 0) break;
      this.#move(this.#queues[side].first, side);
      const cost = this.cost;
      if (cost >= best) continue;
      best = cost;
      bestLength = this.#log.length;
      sinceBest = 0;
    }
    this.#undo(bestLength);
    return best < before;
  }

  /** The side to move to: the lighter one while out of balance, else that of the larger gain; −1 where none is left. */
  #chooseSide(): number {
    const [toA, toB] = this.#queues;
    const a = toA.first;
    const b = toB.first;
    if (a < 0 || b < 0) return a >= 0 ? SIDE_A : b >= 0 ? SIDE_B : -1;
    const [weightA, weightB] = this.weights;
    const limit = LARGEST_SHARE * (weightA + weightB);
    if (weightA > limit) return SIDE_B;
    if (weightB > limit) return SIDE_A;
    const difference = toA.gainOf(a) - toB.gainOf(b);
    if (difference !== 0) return difference > 0 ? SIDE_A : SIDE_B;
    return weightA <= weightB ? SIDE_A : SIDE_B;
  }

  #grow(seed: number): void {
    const { graph, sides, weights } = this;
    const toA = this.#queues[SIDE_A];
    let next = seed;
    while (weights[SIDE_A] < weights[SIDE_B]) {
      if (toA.first < 0) {
        // The component is used up: go on in another one.
        while (sides[next] !== SIDE_B) next = (next + 1) % graph.size;
        this.#assign(next, SEPARATOR);
        this.#enqueue(next);
      }
      this.#move(toA.first, SIDE_A);
    }
  }

  #enqueue(v: number): void {
    const { starts, neighbours, vertexWeights } = this.graph;
    const sides = this.sides;
    let besideA = 0;
    let besideB = 0;
    for (let p = starts[v]; p < starts[v + 1]; p++) {
      const u = neighbours[p];
      if (sides[u] === SIDE_A) besideA += vertexWeights[u];
      else if (sides[u] === SIDE_B) besideB += vertexWeights[u];
    }
    this.#queues[SIDE_A].insert(v, vertexWeights[v] - besideB);
    this.#queues[SIDE_B].insert(v, vertexWeights[v] - besideA);
  }

  /** Moves v from S to `side`, and its neighbours on the other side into S. */
  #move(v: number, side: number): void {
    const { starts, neighbours, vertexWeights } = this.graph;
    const sides = this.sides;
    const other = 1 - side;
    this.#queues[SIDE_A].remove(v);
    this.#queues[SIDE_B].remove(v);
    this.#moved[v] = 1;
    this.#assign(v, side);
    for (let p = starts[v]; p < starts[v + 1]; p++) {
      const u = neighbours[p];
      if (sides[u] === SEPARATOR) this.#adjust(u, other, -vertexWeights[v]);
      else if (sides[u] === other) {
        this.#assign(u, SEPARATOR);
        // What lies beside u in S no longer pulls it in by moving to `side`.
        for (let q = starts[u]; q < starts[u + 1]; q++) {
          if (sides[neighbours[q]] === SEPARATOR) this.#adjust(neighbours[q], side, vertexWeights[u]);
        }
        if (!this.#moved[u]) this.#enqueue(u);
      }
    }
  }

  /** The gain of moving v to `side` changes. */
  #adjust(v: number, side: number, change: number): void {
    const queue = this.#queues[side];
    if (queue.has(v)) queue.change(v, queue.gainOf(v) + change);
  }

  #assign(v: number, side: number): void {
    const weight = this.graph.vertexWeights[v];
    this.#log.push(4 * v + this.sides[v]);
    this.weights[this.sides[v]] -= weight;
    this.weights[side] += weight;
    this.sides[v] = side;
  }

  #undo(length: number): void {
    while (this.#log.length > length) {
      const entry = this.#log.pop()!;
      const v = entry >> 2;
      const weight = this.graph.vertexWeights[v];
      this.weights[this.sides[v]] -= weight;
      this.sides[v] = entry & 3;
      this.weights[this.sides[v]] += weight;
    }
  }
}
