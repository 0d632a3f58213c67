/**
 * Rigid clusters by edge collapse: every triangle starts as a cluster, and the two adjacent clusters whose union moves most
 * rigidly are merged until the requested number is left. Clusters are connected by edges; disconnected shells are linked
 * in a chain, in order of their first triangles, so that any number can be reached.
 *
 * The residual of a union never decreases as its parts grow, so a previous cost of an edge is a lower bound on the current
 * one: an edge is re-evaluated only when it reaches the front of the queue.
 *
 * Reference: Schaefer, Yuksel. Example-based skeleton extraction. 2007, section 3.
 */
import { checkCancelled, type MeshSequence, type RunContext, vertexCount } from '@pelt/model';
import { CostQueue } from '../shared/cost-queue.ts';
import { triangleGraph } from '../shared/mesh/triangle-graph.ts';
import { RigidSums } from './rigid-sums.ts';

/** Triangles or merges between two checks for cancellation. */
const BLOCK = 256;

/** @returns n labels below the number of clusters; −1 for a vertex without triangles */
export function collapseClusters(
  sequence: MeshSequence,
  clusters: number,
  context: RunContext | undefined,
): { readonly labels: Int32Array; readonly count: number } {
  const { triangles } = sequence.rest;
  const f = triangles.length / 3;
  const collapse = new Collapse(sequence, f);
  const { starts, neighbours } = triangleGraph(triangles, vertexCount(sequence.rest));
  for (let t = 0; t < f; t++) {
    if (t % BLOCK === 0) checkCancelled(context);
    for (let e = starts[t]; e < starts[t + 1]; e++) if (neighbours[e] > t) collapse.link(t, neighbours[e]);
  }
  for (const [a, b] of shellLinks(starts, neighbours, f)) collapse.link(a, b);
  let left = f;
  while (left > clusters && collapse.merge()) {
    left--;
    if (left % BLOCK !== 0) continue;
    checkCancelled(context);
    context?.onProgress?.({ stage: 'clustering', fraction: Math.sqrt((f - left) / f), detail: `${left} clusters` });
  }
  return vertexLabels(triangles, vertexCount(sequence.rest), (t) => collapse.clusterOf(t));
}

class Collapse {
  readonly #sums: RigidSums;
  readonly #above: Int32Array;
  /** Version of each cluster, which changes when it grows. */
  readonly #stamps: Int32Array;
  /** Sums of clusters of more than one triangle; those of single triangles are computed when needed. */
  readonly #stored: (Float64Array | undefined)[];
  readonly #queue = new CostQueue();
  /** The versions at which each pair was evaluated. */
  readonly #measured = new Map<number, number>();
  readonly #scratch: [Float64Array, Float64Array];
  #clock: number;

  constructor(sequence: MeshSequence, f: number) {
    this.#sums = new RigidSums(sequence);
    this.#above = Int32Array.from({ length: f }, (_, t) => t);
    this.#stamps = Int32Array.from({ length: f }, (_, t) => t);
    this.#stored = new Array(f).fill(undefined);
    this.#scratch = [new Float64Array(this.#sums.size), new Float64Array(this.#sums.size)];
    this.#clock = f;
  }

  clusterOf(triangle: number): number {
    let at = triangle;
    while (this.#above[at] !== at) {
      this.#above[at] = this.#above[this.#above[at]];
      at = this.#above[at];
    }
    return at;
  }

  /** Queues two clusters for merging. */
  link(a: number, b: number): void {
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = low * this.#above.length + high;
    const stamp = this.#stamps[low] * 2 ** 26 + this.#stamps[high];
    // The pair is queued already, through another edge.
    if (this.#measured.get(key) === stamp) return;
    this.#measured.set(key, stamp);
    const cost = this.#sums.residual(this.#of(low, 0), this.#of(high, 1));
    this.#queue.push(cost, low, high, stamp);
  }

  /** Merges the best pair. Returns false if there is none. */
  merge(): boolean {
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      const [a, b] = [this.clusterOf(next.a), this.clusterOf(next.b)];
      if (a === b) continue;
      const [low, high] = a < b ? [a, b] : [b, a];
      if (next.stamp !== this.#stamps[low] * 2 ** 26 + this.#stamps[high]) {
        this.link(low, high);
        continue;
      }
      this.#unite(low, high);
      return true;
    }
    return false;
  }

  #unite(a: number, b: number): void {
    const own = this.#stored[a] ?? this.#sums.ofTriangle(a, new Float64Array(this.#sums.size));
    const other = this.#of(b, 1);
    for (let k = 0; k < own.length; k++) own[k] += other[k];
    this.#stored[a] = own;
    this.#stored[b] = undefined;
    this.#above[b] = a;
    this.#stamps[a] = this.#clock++;
  }

  #of(cluster: number, scratch: 0 | 1): Float64Array {
    return this.#stored[cluster] ?? this.#sums.ofTriangle(cluster, this.#scratch[scratch]);
  }
}

/** Links from the first triangle of each shell to that of the next. */
function shellLinks(starts: Int32Array, neighbours: Int32Array, f: number): [number, number][] {
  const seen = new Uint8Array(f);
  const firsts: number[] = [];
  for (let seed = 0; seed < f; seed++) {
    if (seen[seed] === 1) continue;
    firsts.push(seed);
    seen[seed] = 1;
    const shell = [seed];
    for (let k = 0; k < shell.length; k++) {
      for (let e = starts[shell[k]]; e < starts[shell[k] + 1]; e++) {
        if (seen[neighbours[e]] === 1) continue;
        seen[neighbours[e]] = 1;
        shell.push(neighbours[e]);
      }
    }
  }
  return firsts.slice(1).map((first, k) => [firsts[k], first]);
}

/** The cluster of most triangles at each vertex, ties to the first. */
function vertexLabels(triangles: Uint32Array, n: number, clusterOf: (triangle: number) => number) {
  const numbers = new Map<number, number>();
  const votes: Map<number, number>[] = Array.from({ length: n }, () => new Map());
  for (let k = 0; k < triangles.length; k++) {
    const leader = clusterOf(Math.floor(k / 3));
    if (!numbers.has(leader)) numbers.set(leader, numbers.size);
    const label = numbers.get(leader) ?? 0;
    votes[triangles[k]].set(label, (votes[triangles[k]].get(label) ?? 0) + 1);
  }
  const labels = Int32Array.from(votes, (own) => {
    let [best, most] = [-1, 0];
    for (const [label, count] of own) if (count > most) [best, most] = [label, count];
    return best;
  });
  return { labels, count: numbers.size };
}
