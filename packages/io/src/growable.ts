/**
 * Arrays that grow by doubling, for readers of text that cannot know a count before they have seen it. Their size is
 * bounded by the text: one number takes at least two bytes of it.
 */
const FIRST_CAPACITY = 1024;

export class GrowableFloat32 {
  #values = new Float32Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** Appends `value` until there are `length` numbers. */
  padTo(length: number, value: number): void {
    while (this.#length < length) this.push(value);
  }

  /** A copy of just what was pushed. */
  toArray(): Float32Array<ArrayBuffer> {
    return this.#values.slice(0, this.#length);
  }
}

export class GrowableUint32 {
  #values = new Uint32Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index];
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  padTo(length: number, value: number): void {
    while (this.#length < length) this.push(value);
  }

  /** Forgets what was pushed behind the first `length`. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  toArray(): Uint32Array<ArrayBuffer> {
    return this.#values.slice(0, this.#length);
  }
}
