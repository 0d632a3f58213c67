/**
 * The order of rows in which a codec of differences stores them best: minimise Σ_k d(r_k, r_{k+1}) over the orders of the
 * rows, d the bits of the differences of their bytes. A path through all of them, each once: a travelling salesman's, who
 * does not return.
 *
 * From the nearest neighbour on to the nearest that is left, then 2-opt and Or-opt with lists of neighbours until nothing
 * improves (Johnson, McGeoch. The traveling salesman problem: a case study in local optimization. 1997).
 *
 * With many morph targets a vertex has hundreds of bytes, and its number in the triangles costs one: then this order is
 * worth 10 to 15 % of a file. Of the nearest neighbour's path alone it is two thirds of that.
 */

/** Rows of one or more attributes. */
export interface RowColumn {
  readonly bytes: Uint8Array;
  readonly stride: number;
}

/** Rounds of improvement; later ones find next to nothing. */
const ROUNDS = 12;
/** Longest run of rows that Or-opt moves. */
const LONGEST_RUN = 3;

/** Bits of a difference of two bytes, about: the codec has 0, 2, 4 or 8 for the largest of sixteen. */
const BITS = Float32Array.from({ length: 256 }, (_, d) => {
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
  readonly #neighbours: Uint32Array;
  readonly #K: number;

  /**
   * From each row on to the nearest.
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
    this.#neighbours = neighbours;
    this.#K = n > 0 ? neighbours.length / n : 0;
    this.order = this.#nearestFirst(n);
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

  #nearestFirst(n: number): Uint32Array {
    const order = new Uint32Array(n);
    const left = Uint32Array.from({ length: n }, (_, i) => i);
    const placeInLeft = left.slice();
    const take = (row: number, count: number) => {
      const last = left[count - 1];
      left[placeInLeft[row]] = last;
      placeInLeft[last] = placeInLeft[row];
      placeInLeft[row] = n;
    };
    let row = 0;
    for (let k = 0; k < n; k++) {
      order[k] = row;
      take(row, n - k);
      let [best, least] = [-1, Number.POSITIVE_INFINITY];
      const consider = (other: number) => {
        const cost = this.#cost(row, other);
        if (cost < least) [best, least] = [other, cost];
      };
      for (let s = row * this.#K; s < (row + 1) * this.#K; s++) {
        if (placeInLeft[this.#neighbours[s]] < n) consider(this.#neighbours[s]);
      }
      if (best < 0) for (let s = 0; s < n - k - 1; s++) consider(left[s]);
      row = best;
    }
    return order;
  }

  /** The order when nothing improves any more. */
  improved(): Uint32Array {
    for (let round = 0; round < ROUNDS; round++) if (!this.#improve()) break;
    return this.order;
  }

  /** One look at every row; whether anything has become better. */
  #improve(): boolean {
    let better = false;
    for (let row = 0; row < this.order.length; row++) {
      while (this.#reverse(row) || this.#moveRun(row)) better = true;
    }
    return better;
  }

  /** The cost between two places of the path; beyond its ends there is none. */
  #between(i: number, j: number): number {
    const { order } = this;
    return i < 0 || j < 0 || i >= order.length || j >= order.length ? 0 : this.#cost(order[i], order[j]);
  }

  /** 2-opt: a neighbour comes next to the row, and what was between is reversed. */
  #reverse(row: number): boolean {
    const i = this.#place[row];
    const [after, before] = [this.#between(i, i + 1), this.#between(i - 1, i)];
    for (let s = row * this.#K; s < (row + 1) * this.#K; s++) {
      const other = this.#neighbours[s];
      const [j, near] = [this.#place[other], this.#cost(row, other)];
      if (j > i + 1 && near < after) {
        if (near + this.#between(i + 1, j + 1) < after + this.#between(j, j + 1)) return this.#turn(i + 1, j);
      }
      if (j < i - 1 && near < before) {
        if (near + this.#between(i - 1, j - 1) < before + this.#between(j - 1, j)) return this.#turn(j, i - 1);
      }
    }
    return false;
  }

  /** Or-opt: a run that starts with the row goes between a neighbour and what follows it. */
  #moveRun(row: number): boolean {
    const i = this.#place[row];
    for (let length = 1; length <= LONGEST_RUN && i + length <= this.order.length; length++) {
      const end = i + length - 1;
      const freed = this.#between(i - 1, i) + this.#between(end, end + 1) - this.#between(i - 1, end + 1);
      for (let s = row * this.#K; s < (row + 1) * this.#K; s++) {
        const j = this.#place[this.#neighbours[s]];
        if (j >= i - 1 && j <= end) continue;
        const added = this.#between(j, i) + this.#between(end, j + 1) - this.#between(j, j + 1);
        if (added >= freed) continue;
        this.#shift(i, length, j);
        return true;
      }
    }
    return false;
  }

  #turn(from: number, to: number): true {
    this.order.subarray(from, to + 1).reverse();
    this.#number(from, to);
    return true;
  }

  /** Moves a run to behind place j. */
  #shift(i: number, length: number, j: number): void {
    const run = this.order.slice(i, i + length);
    if (j > i) {
      this.order.copyWithin(i, i + length, j + 1);
      this.order.set(run, j + 1 - length);
      this.#number(i, j);
    } else {
      this.order.copyWithin(j + 1 + length, j + 1, i);
      this.order.set(run, j + 1);
      this.#number(j + 1, i + length - 1);
    }
  }

  #number(from: number, to: number): void {
    for (let k = from; k <= to; k++) this.#place[this.order[k]] = k;
  }
}
