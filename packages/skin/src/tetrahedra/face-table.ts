/**
 * A hash table that pairs the two tetrahedra at each face: the first leaves its index, the second finds it. Open
 * addressing; cleared in constant time, because every local change of a complex needs an empty one.
 */
export class FaceTable {
  /** 4 words per entry: the three vertices in increasing order, and the value. */
  #entries = new Int32Array(4 * 256);
  #round = new Int32Array(256);
  #current = 0;
  #used = 0;

  clear(): void {
    this.#current++;
    this.#used = 0;
  }

  /** The value stored at face {a, b, c}; where there is none, stores `value` and returns `NOBODY`. */
  exchange(a: number, b: number, c: number, value: number): number {
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    const middle = a + b + c - low - high;
    const mask = this.#round.length - 1;
    let k = Math.imul(low, 0x9e3779b1) ^ Math.imul(middle, 0x85ebca6b) ^ Math.imul(high, 0xc2b2ae35);
    k = (k ^ (k >>> 15)) & mask;
    while (this.#round[k] === this.#current) {
      const entry = this.#entries;
      if (entry[4 * k] === low && entry[4 * k + 1] === middle && entry[4 * k + 2] === high) return entry[4 * k + 3];
      k = (k + 1) & mask;
    }
    this.#round[k] = this.#current;
    this.#entries[4 * k] = low;
    this.#entries[4 * k + 1] = middle;
    this.#entries[4 * k + 2] = high;
    this.#entries[4 * k + 3] = value;
    if (2 * ++this.#used > mask) this.#grow();
    return NOBODY;
  }

  #grow(): void {
    const entries = this.#entries;
    const round = this.#round;
    const current = this.#current;
    this.#entries = new Int32Array(2 * entries.length);
    this.#round = new Int32Array(2 * round.length);
    this.#current = 1;
    this.#used = 0;
    for (let k = 0; k < round.length; k++) {
      if (round[k] !== current) continue;
      this.exchange(entries[4 * k], entries[4 * k + 1], entries[4 * k + 2], entries[4 * k + 3]);
    }
  }
}

/** Returned by `exchange` for a new face. */
export const NOBODY = -2;
