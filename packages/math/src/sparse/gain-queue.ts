/**
 * A priority queue over the vertices 0 … n − 1 whose keys change while they wait: a binary heap that knows where each
 * vertex stands. The largest gain comes first, among equals the smallest vertex, so the order is always the same.
 */
export class GainQueue {
  readonly #heap: Int32Array;
  /** Place of each vertex in the heap; −1 outside of it. */
  readonly #places: Int32Array;
  readonly #gains: Int32Array;
  #count = 0;

  constructor(size: number) {
    this.#heap = new Int32Array(size);
    this.#places = new Int32Array(size).fill(-1);
    this.#gains = new Int32Array(size);
  }

  /** The vertex with the largest gain; −1 where the queue is empty. */
  get first(): number {
    return this.#count > 0 ? this.#heap[0] : -1;
  }

  has(vertex: number): boolean {
    return this.#places[vertex] >= 0;
  }

  gainOf(vertex: number): number {
    return this.#gains[vertex];
  }

  insert(vertex: number, gain: number): void {
    this.#gains[vertex] = gain;
    this.#rise(this.#count++, vertex);
  }

  remove(vertex: number): void {
    const place = this.#places[vertex];
    this.#places[vertex] = -1;
    const last = this.#heap[--this.#count];
    if (last !== vertex) this.#settle(place, last);
  }

  change(vertex: number, gain: number): void {
    this.#gains[vertex] = gain;
    this.#settle(this.#places[vertex], vertex);
  }

  clear(): void {
    for (let place = 0; place < this.#count; place++) this.#places[this.#heap[place]] = -1;
    this.#count = 0;
  }

  #before(a: number, b: number): boolean {
    const difference = this.#gains[a] - this.#gains[b];
    return difference > 0 || (difference === 0 && a < b);
  }

  #settle(place: number, vertex: number): void {
    const parent = (place - 1) >> 1;
    if (place > 0 && this.#before(vertex, this.#heap[parent])) this.#rise(place, vertex);
    else this.#sink(place, vertex);
  }

  #rise(from: number, vertex: number): void {
    const heap = this.#heap;
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#before(vertex, heap[parent])) break;
      heap[place] = heap[parent];
      this.#places[heap[place]] = place;
      place = parent;
    }
    heap[place] = vertex;
    this.#places[vertex] = place;
  }

  #sink(from: number, vertex: number): void {
    const heap = this.#heap;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#count) break;
      if (child + 1 < this.#count && this.#before(heap[child + 1], heap[child])) child++;
      if (!this.#before(heap[child], vertex)) break;
      heap[place] = heap[child];
      this.#places[heap[place]] = place;
      place = child;
    }
    heap[place] = vertex;
    this.#places[vertex] = place;
  }
}
