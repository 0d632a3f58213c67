/**
 * Vertices by degree, for elimination in the order of degrees: one doubly linked list for each degree, so that every
 * operation takes constant time, but for the search for the lowest list, which seldom goes far.
 */
export class DegreeLists {
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** No list below this one has a vertex. */
  #lowest = 0;

  /** For the vertices 0 … size − 1 with degrees below `size`. */
  constructor(size: number) {
    this.#heads = new Int32Array(size).fill(-1);
    this.#next = new Int32Array(size);
    this.#previous = new Int32Array(size);
  }

  insert(vertex: number, degree: number): void {
    const head = this.#heads[degree];
    this.#next[vertex] = head;
    this.#previous[vertex] = -1;
    if (head >= 0) this.#previous[head] = vertex;
    this.#heads[degree] = vertex;
    if (degree < this.#lowest) this.#lowest = degree;
  }

  /** @param degree  the one it was inserted with */
  remove(vertex: number, degree: number): void {
    const next = this.#next[vertex];
    const previous = this.#previous[vertex];
    if (next >= 0) this.#previous[next] = previous;
    if (previous >= 0) this.#next[previous] = next;
    else this.#heads[degree] = next;
  }

  /** Takes out a vertex of the lowest degree, the one that was inserted last; there must be one. */
  takeLowest(): number {
    while (this.#heads[this.#lowest] < 0) this.#lowest++;
    const vertex = this.#heads[this.#lowest];
    this.remove(vertex, this.#lowest);
    return vertex;
  }
}
