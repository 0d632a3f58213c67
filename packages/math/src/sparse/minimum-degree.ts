/**
 * Fill-reducing order by approximate minimum degree: at every step eliminate the vertex with the fewest neighbours in
 * the graph that elimination has made so far, where the count is an upper bound that is cheap to keep up to date.
 *
 * The eliminated graph is held as a quotient graph that never outgrows the input: an eliminated vertex becomes an
 * element, which stands for the clique of its neighbours, and a vertex's neighbours are its remaining edges and the
 * members of its elements. After pivot p with the clique Lp, for each i in Lp (§4, equation 4.1)
 *
 *   dᵢ = min( vertices left,  dᵢ + |Lp \ i|,  |Aᵢ \ i| + |Lp \ i| + Σ_{e ∋ i} |Le \ Lp| )
 *
 * Elements that lie inside Lp are absorbed (aggressively, even where they are not adjacent to p), vertices that have
 * nothing but p left are eliminated with it, and vertices with the same adjacency are merged into one supervariable,
 * found by hashing. Dense rows go last: they would be in every clique.
 *
 * Reference: Amestoy, Davis, Duff. An approximate minimum degree ordering algorithm. SIAM J. Matrix Anal. Appl., 1996.
 */
import { DegreeLists } from './degree-lists.ts';
import type { Graph } from './graph.ts';

/** A row with more than max(16, 10 √n) entries is dense: AMD's published default. */
const DENSE_FACTOR = 10;
const DENSE_FLOOR = 16;
/** Marks are reset beyond this, well before they leave 32 bits. */
const MARK_LIMIT = 2 ** 30;

/**
 * @param eliminated  the first so many vertices are ordered; the others, a halo around them, count as neighbours only
 * @returns the ordered vertices, first eliminated first
 */
export function minimumDegree(graph: Graph, eliminated = graph.size): Int32Array {
  const quotient = new QuotientGraph(graph, eliminated);
  while (quotient.remaining > 0) quotient.eliminateNext();
  return quotient.order();
}

class QuotientGraph {
  /** Vertices that are still to be eliminated, without dense ones. */
  remaining: number;
  readonly #size: number;
  /** Vertices from here on are the halo. */
  readonly #halo: number;
  /** Vertices of the graph that is left, the halo included. */
  #left: number;
  /** List of i at starts[i], `counts[i]` long: for a vertex, `elementCounts[i]` elements and then vertices. */
  #lists: Int32Array;
  #spare: Int32Array | undefined;
  /** Where the last list ends. */
  #free: number;
  readonly #starts: Int32Array;
  readonly #counts: Int32Array;
  readonly #elementCounts: Int32Array;
  /** Vertices in supervariable i; 0 once merged, eliminated or dense; negative while i is in the clique of the pivot. */
  readonly #weights: Int32Array;
  /** Approximate external degree of a vertex; |Le| of an element. */
  readonly #degrees: Int32Array;
  readonly #byDegree: DegreeLists;
  /** Of an element: 0 when absorbed; mark + |Le \ Lp| once this pivot has met it; less than mark before. */
  readonly #marks: Int32Array;
  #mark = 2;
  #largestElement = 0;
  /** Members of the clique by the hash of their lists: the first of each bucket, and links. −1 hash: none. */
  readonly #buckets: Int32Array;
  readonly #hashes: Int32Array;
  readonly #nextInBucket: Int32Array;
  readonly #seen: Int32Array;
  #seenMark = 0;
  /** Vertices merged into i, or eliminated with it, follow it in a chain. */
  readonly #followers: Int32Array;
  readonly #tails: Int32Array;
  readonly #pivots: number[] = [];
  readonly #dense: number[] = [];

  constructor(graph: Graph, eliminated: number) {
    const n = graph.size;
    const entries = graph.neighbours.length;
    this.#size = n;
    this.#halo = eliminated;
    this.remaining = eliminated;
    this.#left = n;
    this.#lists = new Int32Array(2 * entries + n);
    this.#lists.set(graph.neighbours);
    this.#free = entries;
    this.#starts = graph.starts.slice(0, n);
    this.#counts = new Int32Array(n);
    this.#elementCounts = new Int32Array(n);
    this.#weights = new Int32Array(n).fill(1);
    this.#byDegree = new DegreeLists(n);
    this.#marks = new Int32Array(n);
    this.#buckets = new Int32Array(n).fill(-1);
    this.#hashes = new Int32Array(n);
    this.#nextInBucket = new Int32Array(n);
    this.#seen = new Int32Array(n);
    this.#followers = new Int32Array(n).fill(-1);
    this.#tails = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      this.#counts[i] = graph.starts[i + 1] - graph.starts[i];
      this.#tails[i] = i;
    }
    this.#degrees = this.#counts.slice();
    const dense = Math.max(DENSE_FLOOR, DENSE_FACTOR * Math.sqrt(n));
    // Backwards, so that among equals the lowest index, inserted last, is taken first.
    for (let i = eliminated - 1; i >= 0; i--) {
      if (this.#counts[i] <= dense) {
        this.#byDegree.insert(i, this.#degrees[i]);
        continue;
      }
      this.#weights[i] = 0;
      this.#dense.push(i);
      this.remaining--;
      this.#left--;
    }
  }

  order(): Int32Array {
    const order = new Int32Array(this.#halo);
    let k = 0;
    for (const pivot of this.#pivots) {
      for (let i = pivot; i >= 0; i = this.#followers[i]) order[k++] = i;
    }
    for (const i of this.#dense) order[k++] = i;
    return order;
  }

  eliminateNext(): void {
    const pivot = this.#byDegree.takeLowest();
    this.#pivots.push(pivot);
    this.remaining -= this.#weights[pivot];
    this.#left -= this.#weights[pivot];
    this.#weights[pivot] = 0;
    this.#formClique(pivot);
    this.#measureElements(pivot);
    this.#updateDegrees(pivot);
    this.#mergeTwins(pivot);
    this.#closeClique(pivot);
  }

  /** Lp: the pivot's vertices and those of its elements, which it absorbs. Members leave the degree lists. */
  #formClique(pivot: number): void {
    const starts = this.#starts;
    const counts = this.#counts;
    const elements = this.#elementCounts[pivot];
    let room = counts[pivot] - elements;
    for (let k = 0; k < elements; k++) room += counts[this.#lists[starts[pivot] + k]];
    if (elements > 0 && this.#free + Math.min(room, this.#size) > this.#lists.length) this.#compact();
    const lists = this.#lists;
    const from = starts[pivot];
    // Without elements the list shrinks where it stands; otherwise the clique is written behind all lists.
    const begin = elements > 0 ? this.#free : from;
    let end = begin;
    for (let k = 0; k < elements; k++) {
      const e = lists[from + k];
      end = this.#moveMembers(starts[e], starts[e] + counts[e], end);
      this.#marks[e] = 0;
      counts[e] = 0;
    }
    end = this.#moveMembers(from + elements, from + counts[pivot], end);
    if (elements > 0) this.#free = end;
    let size = 0;
    for (let p = begin; p < end; p++) size -= this.#weights[lists[p]];
    starts[pivot] = begin;
    counts[pivot] = end - begin;
    this.#degrees[pivot] = size;
    this.#elementCounts[pivot] = 0;
  }

  /** Appends the living vertices of a stretch of lists to the clique, at `end`, and marks them as members. */
  #moveMembers(first: number, last: number, end: number): number {
    const lists = this.#lists;
    const weights = this.#weights;
    let write = end;
    for (let p = first; p < last; p++) {
      const i = lists[p];
      if (weights[i] <= 0) continue;
      weights[i] = -weights[i];
      lists[write++] = i;
      if (i < this.#halo) this.#byDegree.remove(i, this.#degrees[i]);
    }
    return write;
  }

  /** For each element e of a member of Lp: its mark becomes mark + |Le \ Lp|. */
  #measureElements(pivot: number): void {
    if (this.#mark + 2 * this.#size > MARK_LIMIT) this.#resetMarks();
    const { starts, lists, weights, degrees, marks, elementCounts } = this.#locals();
    const mark = this.#mark;
    const end = starts[pivot] + this.#counts[pivot];
    for (let q = starts[pivot]; q < end; q++) {
      const i = lists[q];
      const weight = -weights[i];
      const last = starts[i] + elementCounts[i];
      for (let p = starts[i]; p < last; p++) {
        const e = lists[p];
        const known = marks[e];
        if (known >= mark) marks[e] = known - weight;
        else if (known > 0) marks[e] = degrees[e] + mark - weight;
      }
    }
  }

  /** The three-way minimum for each member, with absorption, mass elimination and the hash of what is left. */
  #updateDegrees(pivot: number): void {
    const { starts, lists, weights, degrees, marks, elementCounts } = this.#locals();
    const counts = this.#counts;
    const mark = this.#mark;
    const end = starts[pivot] + counts[pivot];
    for (let q = starts[pivot]; q < end; q++) {
      const i = lists[q];
      const begin = starts[i];
      const vertices = begin + elementCounts[i];
      const last = begin + counts[i];
      let write = begin;
      let degree = 0;
      let hash = 0;
      for (let p = begin; p < vertices; p++) {
        const e = lists[p];
        const outside = marks[e] - mark;
        if (outside > 0) {
          degree += outside;
          lists[write++] = e;
          hash = (hash + e) | 0;
        } else {
          // Le lies inside Lp, or was absorbed before.
          marks[e] = 0;
          counts[e] = 0;
        }
      }
      const kept = write;
      for (let p = vertices; p < last; p++) {
        const j = lists[p];
        // Members of Lp are reached through the new element, merged and eliminated vertices are gone.
        const weight = weights[j];
        if (weight <= 0) continue;
        degree += weight;
        lists[write++] = j;
        hash = (hash + j) | 0;
      }
      if (degree === 0 && i < this.#halo) {
        this.#eliminateWith(pivot, i);
        continue;
      }
      // The pivot becomes the first element; what stood there moves on. There is room: i lost the pivot itself, or an
      // element that the pivot absorbed.
      lists[write] = lists[kept];
      lists[kept] = lists[begin];
      lists[begin] = pivot;
      counts[i] = write + 1 - begin;
      elementCounts[i] = kept + 1 - begin;
      degrees[i] = Math.min(degrees[i], degree);
      this.#hashes[i] = -1;
      if (i >= this.#halo) continue;
      const bucket = (hash >>> 0) % this.#size;
      this.#hashes[i] = bucket;
      this.#nextInBucket[i] = this.#buckets[bucket];
      this.#buckets[bucket] = i;
    }
    this.#largestElement = Math.max(this.#largestElement, degrees[pivot]);
    this.#mark = mark + this.#largestElement + 1;
  }

  /** i has no neighbour outside the clique (mass elimination). */
  #eliminateWith(pivot: number, i: number): void {
    const weight = -this.#weights[i];
    this.remaining -= weight;
    this.#left -= weight;
    this.#degrees[pivot] -= weight;
    this.#follow(pivot, i);
  }

  /** Members of Lp with the same elements and vertices are indistinguishable: they become one supervariable. */
  #mergeTwins(pivot: number): void {
    const { starts, lists, weights, elementCounts } = this.#locals();
    const counts = this.#counts;
    const next = this.#nextInBucket;
    const seen = this.#seen;
    const end = starts[pivot] + counts[pivot];
    for (let q = starts[pivot]; q < end; q++) {
      const bucket = this.#hashes[lists[q]];
      if (weights[lists[q]] === 0 || bucket < 0) continue;
      let i = this.#buckets[bucket];
      this.#buckets[bucket] = -1;
      for (; i >= 0 && next[i] >= 0; i = next[i]) {
        const mark = ++this.#seenMark;
        const count = counts[i];
        // The first entry is the pivot in every list.
        for (let p = starts[i] + 1; p < starts[i] + count; p++) seen[lists[p]] = mark;
        let before = i;
        for (let j = next[i]; j >= 0; j = next[j]) {
          let same = counts[j] === count && elementCounts[j] === elementCounts[i];
          for (let p = starts[j] + 1; same && p < starts[j] + count; p++) same = seen[lists[p]] === mark;
          if (same) {
            weights[i] += weights[j];
            this.#follow(i, j);
            next[before] = next[j];
          } else before = j;
        }
      }
    }
  }

  /** Degrees of the members become those of the next graph, and members return to the degree lists. */
  #closeClique(pivot: number): void {
    const { starts, lists, weights, degrees } = this.#locals();
    const clique = degrees[pivot];
    const end = starts[pivot] + this.#counts[pivot];
    let write = starts[pivot];
    for (let q = starts[pivot]; q < end; q++) {
      const i = lists[q];
      const weight = -weights[i];
      if (weight === 0) continue;
      weights[i] = weight;
      degrees[i] = Math.max(0, Math.min(degrees[i] + clique - weight, this.#left - weight));
      if (i < this.#halo) this.#byDegree.insert(i, degrees[i]);
      lists[write++] = i;
    }
    this.#counts[pivot] = write - starts[pivot];
    this.#marks[pivot] = clique > 0 ? 1 : 0;
    if (end === this.#free) this.#free = write;
  }

  #follow(leader: number, i: number): void {
    this.#weights[i] = 0;
    this.#counts[i] = 0;
    this.#followers[this.#tails[leader]] = i;
    this.#tails[leader] = this.#tails[i];
  }

  #resetMarks(): void {
    for (let e = 0; e < this.#size; e++) if (this.#marks[e] !== 0) this.#marks[e] = 1;
    this.#mark = 2;
  }

  /** Moves all living lists to the front of a workspace, which takes the place of the present one. */
  #compact(): void {
    const from = this.#lists;
    const to = this.#spare ?? new Int32Array(from.length);
    let free = 0;
    for (let i = 0; i < this.#size; i++) {
      const end = this.#starts[i] + this.#counts[i];
      let p = this.#starts[i];
      this.#starts[i] = free;
      for (; p < end; p++) to[free++] = from[p];
    }
    this.#spare = from;
    this.#lists = to;
    this.#free = free;
  }

  #locals() {
    return {
      starts: this.#starts,
      lists: this.#lists,
      weights: this.#weights,
      degrees: this.#degrees,
      marks: this.#marks,
      elementCounts: this.#elementCounts,
    };
  }
}
