/** A binary heap of pairs of clusters by increasing cost, ties by index. */
export interface CostedPair {
  readonly cost: number;
  readonly a: number;
  readonly b: number;
  /** Lets the caller recognise stale costs. */
  readonly stamp: number;
}

export class CostQueue {
  readonly #heap: CostedPair[] = [];

  push(cost: number, a: number, b: number, stamp: number): void {
    const heap = this.#heap;
    const pair = { cost, a, b, stamp };
    let at = heap.length;
    heap.push(pair);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!before(pair, heap[above])) break;
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = pair;
  }

  pop(): CostedPair | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function before(x: CostedPair, y: CostedPair): boolean {
  return x.cost < y.cost || (x.cost === y.cost && (x.a < y.a || (x.a === y.a && x.b < y.b)));
}
