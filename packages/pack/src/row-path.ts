/**
 * The order of rows in which a codec of differences stores them best: minimise Σ_k d(r_k, r_{k+1}) over the orders of the
 * rows, d the bits of the differences of their bytes. A path through all of them, each once: a travelling salesman's, who
 * does not return.
 *
 * The cheapest edges first, as far as they make pieces of a path, each piece on to the nearest that is left; then 2-opt and
 * Or-opt with lists of neighbours and don't-look bits (Bentley. Fast algorithms for geometric traveling salesman
 * problems. 1992).
 *
 * With many morph targets a vertex has hundreds of bytes, and its number in the triangles costs one: then this order is
 * worth 10 to 15 % of a file.
 */

/** Rows of one or more attributes. */
export interface RowColumn {
  readonly bytes: Uint8Array;
  readonly stride: number;
}

/** Looks at a row, in the mean, before the search ends; it ends by itself after three. */
const MOST_LOOKS = 12;
/** Longest run of rows that Or-opt moves. */
const LONGEST_RUN = 3;

/** Bits of a difference of two bytes, about: the codec has 0, 2, 4 or 8 for the largest of sixteen. */
const BITS = Uint8Array.from({ length: 256 }, (_, d) => {
  const signed = d < 128 ? d : d - 256;
  let [bits, rest] = [0, 2 * Math.abs(signed)];
  for (; rest > 0; rest >>= 1) bits++;
  return bits;
});

/** Bytes of a row that are not the same in all rows: exponents, padding and weights of rigid parts cost nothing anywhere. */
function varyingBytes({ bytes, stride }: RowColumn, n: number) {
  const found: (RowColumn & { readonly byte: number })[] = [];
  for (let byte = 0; byte < stride; byte++) {
    let i = 1;
    while (i < n && bytes[i * stride + byte] === bytes[byte]) i++;
    if (i < n) found.push({ bytes, stride, byte });
  }
  return found;
}

export class RowPath {
  /** n rows, in the order of the path */
  readonly order: Uint32Array;
  /** Where each row is in the order. */
  readonly #place: Uint32Array;
  readonly #rows: Uint8Array;
  readonly #width: number;
  readonly #K: number;
  /** n × K, the cheapest first, and what each costs. */
  readonly #neighbours: Uint32Array;
  readonly #costs: Uint32Array;

  /**
   * A first path, not improved yet.
   *
   * @param columns     n rows each
   * @param neighbours  n × K rows that may be near to each row
   */
  constructor(columns: readonly RowColumn[], n: number, neighbours: Uint32Array) {
    const varying = columns.flatMap((column) => varyingBytes(column, n));
    this.#width = varying.length;
    this.#rows = new Uint8Array(n * this.#width);
    varying.forEach(({ bytes, stride, byte }, at) => {
      for (let i = 0; i < n; i++) this.#rows[i * this.#width + at] = bytes[i * stride + byte];
    });
    this.#K = n > 0 ? neighbours.length / n : 0;
    this.#neighbours = neighbours.slice();
    this.#costs = new Uint32Array(neighbours.length);
    for (let row = 0; row < n; row++) this.#sortNeighbours(row);
    this.order = this.#joined(this.#pieces(n));
    this.#place = new Uint32Array(n);
    this.order.forEach((row, k) => {
      this.#place[row] = k;
    });
  }

  #cost(a: number, b: number): number {
    const [rows, width] = [this.#rows, this.#width];
    let sum = 0;
    for (let i = a * width, j = b * width, end = i + width; i < end; i++, j++) sum += BITS[(rows[i] - rows[j]) & 255];
    return sum;
  }

  /** By insertion: the lists are short. */
  #sortNeighbours(row: number): void {
    const [neighbours, costs] = [this.#neighbours, this.#costs];
    const first = row * this.#K;
    for (let s = first; s < first + this.#K; s++) {
      const other = neighbours[s];
      const cost = this.#cost(row, other);
      let at = s;
      for (; at > first && costs[at - 1] > cost; at--) {
        costs[at] = costs[at - 1];
        neighbours[at] = neighbours[at - 1];
      }
      costs[at] = cost;
      neighbours[at] = other;
    }
  }

  /** What the cheapest edges make. */
  #pieces(n: number): Links {
    const links = new Links(n);
    for (const edge of byCost(this.#costs)) {
      links.join(Math.floor(edge / this.#K), this.#neighbours[edge]);
    }
    return links;
  }

  /** Piece after piece, each from its end to the nearest end that is left. */
  #joined(links: Links): Uint32Array {
    const n = links.size;
    const order = new Uint32Array(n);
    const ends = links.ends();
    let left = ends.length;
    const placeOf = new Map(ends.map((row, k) => [row, k]));
    const leave = (row: number) => {
      const k = placeOf.get(row);
      if (k === undefined) return;
      const last = ends[--left];
      ends[k] = last;
      placeOf.set(last, k);
      placeOf.delete(row);
    };
    for (let k = 0, row = ends[0]; k < n; ) {
      const from = k;
      k = links.walk(row, order, k);
      leave(order[from]);
      leave(order[k - 1]);
      let least = Number.POSITIVE_INFINITY;
      const end = order[k - 1];
      for (let s = 0; s < left; s++) {
        const cost = this.#cost(end, ends[s]);
        if (cost < least) [row, least] = [ends[s], cost];
      }
    }
    return order;
  }

  /** The order when nothing improves any more. */
  improved(): Uint32Array {
    const n = this.order.length;
    const waits = new Uint8Array(n).fill(1);
    // A ring: no row waits twice.
    const queue = this.order.slice();
    const touch = (place: number) => {
      if (place < 0 || place >= n) return;
      const row = this.order[place];
      if (waits[row]) return;
      waits[row] = 1;
      queue[(first + waiting++) % n] = row;
    };
    let [first, waiting] = [0, n];
    for (let looks = MOST_LOOKS * n; waiting > 0 && looks > 0; looks--) {
      const row = queue[first];
      first = (first + 1) % n;
      waiting--;
      waits[row] = 0;
      while (this.#reverse(row, touch) || this.#moveRun(row, touch));
    }
    return this.order;
  }

  /** The cost between two places of the path; beyond its ends there is none. */
  #between(i: number, j: number): number {
    const { order } = this;
    return i < 0 || j < 0 || i >= order.length || j >= order.length ? 0 : this.#cost(order[i], order[j]);
  }

  /** 2-opt: a neighbour comes next to the row, and what was between is reversed. */
  #reverse(row: number, touch: (place: number) => void): boolean {
    const i = this.#place[row];
    const [after, before] = [this.#between(i, i + 1), this.#between(i - 1, i)];
    for (let s = row * this.#K, end = s + this.#K; s < end; s++) {
      const near = this.#costs[s];
      if (near >= after && near >= before) return false;
      const j = this.#place[this.#neighbours[s]];
      let [from, to] = [0, 0];
      if (j > i + 1 && near < after && near + this.#between(i + 1, j + 1) < after + this.#between(j, j + 1)) {
        [from, to] = [i + 1, j];
      } else if (j < i - 1 && near < before && near + this.#between(i - 1, j - 1) < before + this.#between(j - 1, j)) {
        [from, to] = [j, i - 1];
      } else continue;
      this.order.subarray(from, to + 1).reverse();
      this.#number(from, to);
      for (const place of [from - 1, from, to, to + 1]) touch(place);
      return true;
    }
    return false;
  }

  /** Or-opt: a run that starts or ends with the row goes, either way round, to the side of a neighbour. */
  #moveRun(row: number, touch: (place: number) => void): boolean {
    const at = this.#place[row];
    const n = this.order.length;
    for (let reach = 1 - LONGEST_RUN; reach < LONGEST_RUN; reach++) {
      const other = at + reach;
      if (other < 0 || other >= n) continue;
      const [i, end] = reach < 0 ? [other, at] : [at, other];
      const freed = this.#between(i - 1, i) + this.#between(end, end + 1) - this.#between(i - 1, end + 1);
      for (let s = row * this.#K, last = s + this.#K; s < last; s++) {
        const near = this.#costs[s];
        if (near >= freed) break;
        const j = this.#place[this.#neighbours[s]];
        if (j >= i && j <= end) continue;
        // Behind the neighbour, then before it.
        for (const gap of [j, j - 1]) {
          if (gap >= i - 1 && gap <= end) continue;
          const far = gap === j ? j + 1 : j - 1;
          if (near + this.#between(other, far) - this.#between(gap, gap + 1) >= freed) continue;
          // The row comes next to the neighbour: the first of the run behind it, the last before it.
          this.#shift(i, end - i + 1, gap, (gap === j) !== (at === i) && reach !== 0, touch);
          return true;
        }
      }
    }
    return false;
  }

  /** Moves a run to behind a place outside it, which may be the one before the first. */
  #shift(i: number, length: number, gap: number, reversed: boolean, touch: (place: number) => void): void {
    const run = this.order.slice(i, i + length);
    if (reversed) run.reverse();
    const to = gap > i ? gap + 1 - length : gap + 1;
    if (gap > i) this.order.copyWithin(i, i + length, gap + 1);
    else this.order.copyWithin(to + length, to, i);
    this.order.set(run, to);
    this.#number(Math.min(i, to), Math.max(i, to) + length - 1);
    // Both ends of the run, and what has closed behind it.
    const closed = gap > i ? i : i + length;
    for (const place of [to - 1, to, to + length - 1, to + length, closed - 1, closed]) touch(place);
  }

  #number(from: number, to: number): void {
    for (let k = from; k <= to; k++) this.#place[this.order[k]] = k;
  }
}

/** Places of numbers in rising order, equal ones as they come. */
function byCost(costs: Uint32Array): Uint32Array {
  const most = costs.reduce((largest, cost) => Math.max(largest, cost), 0);
  const starts = new Uint32Array(most + 2);
  for (const cost of costs) starts[cost + 1]++;
  for (let c = 1; c < starts.length; c++) starts[c] += starts[c - 1];
  const out = new Uint32Array(costs.length);
  costs.forEach((cost, k) => {
    out[starts[cost]++] = k;
  });
  return out;
}

const NONE = 0xffffffff;

/** Pieces of a path in the making. */
class Links {
  readonly size: number;
  /** n × 2 */
  readonly #next: Uint32Array;
  /** For an end of a piece its other end. */
  readonly #opposite: Uint32Array;

  constructor(n: number) {
    this.size = n;
    this.#next = new Uint32Array(2 * n).fill(NONE);
    this.#opposite = Uint32Array.from({ length: n }, (_, row) => row);
  }

  /** Unless one of them is inside a piece, or both are of one. */
  join(a: number, b: number): void {
    const next = this.#next;
    if (next[2 * a + 1] !== NONE || next[2 * b + 1] !== NONE) return;
    const [start, end] = [this.#opposite[a], this.#opposite[b]];
    if (start === b || a === b) return;
    next[2 * a + (next[2 * a] === NONE ? 0 : 1)] = b;
    next[2 * b + (next[2 * b] === NONE ? 0 : 1)] = a;
    this.#opposite[start] = end;
    this.#opposite[end] = start;
  }

  /** Ends of all pieces; a row alone is one. */
  ends(): number[] {
    const out: number[] = [];
    for (let row = 0; row < this.size; row++) if (this.#next[2 * row + 1] === NONE) out.push(row);
    return out;
  }

  /** Writes a piece from one of its ends on; the place behind it. */
  walk(end: number, order: Uint32Array, at: number): number {
    let [before, row, place] = [NONE, end, at];
    while (row !== NONE) {
      order[place++] = row;
      const link = this.#next[2 * row];
      [before, row] = [row, link === before ? this.#next[2 * row + 1] : link];
    }
    return place;
  }
}
