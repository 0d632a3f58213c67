/**
 * The q-quantile of a stream near its upper end, without keeping the stream: of N values in rising order the one at rank
 * ⌈qN⌉ (nearest rank), which is the least of the N − ⌈qN⌉ + 1 largest. A binary heap holds those, least on top, so that
 * for q = 0.999 a thousandth of the stream is kept, and most values cost one comparison.
 */
export class LargestValues {
  readonly #heap: Float64Array;
  #size = 0;

  /**
   * @param count     N, how many values will come
   * @param quantile  q, 0 to 1
   */
  constructor(count: number, quantile: number) {
    const rank = Math.max(1, Math.ceil(quantile * count));
    this.#heap = new Float64Array(Math.max(1, count - rank + 1));
  }

  add(value: number): void {
    const heap = this.#heap;
    if (this.#size === heap.length) {
      if (value > heap[0]) this.#sink(value);
      return;
    }
    let k = this.#size++;
    for (let parent = (k - 1) >> 1; k > 0 && heap[parent] > value; parent = (k - 1) >> 1) {
      heap[k] = heap[parent];
      k = parent;
    }
    heap[k] = value;
  }

  /** The quantile once all N values came; 0 where none did. */
  get quantile(): number {
    return this.#size === 0 ? 0 : this.#heap[0];
  }

  /** Puts the value in place of the top. */
  #sink(value: number): void {
    const heap = this.#heap;
    let k = 0;
    for (;;) {
      let child = 2 * k + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= value) break;
      heap[k] = heap[child];
      k = child;
    }
    heap[k] = value;
  }
}
