import { NumericError } from '../errors.ts';

/** wasm counts memory in pages of 64 KiB. */
export const PAGE = 65536;
/** Two cache lines: blocks of different threads never share one, and SIMD loads are aligned. */
const ALIGNMENT = 128;

/** A `WebAssembly.Memory`, named so that programs without the types of a browser can use these declarations. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  grow(pages: number): number;
}

/**
 * First-fit allocation in one wasm memory, with neighbouring free ranges joined. Solvers allocate a few dozen large
 * blocks for a whole run, so a sorted list of free ranges is all it takes. The first page belongs to the kernels'
 * static data.
 */
export class Allocator {
  readonly memory: KernelMemory;
  /** Free ranges [begin, end), by address, never adjacent. */
  readonly #free: { begin: number; end: number }[];
  readonly #sizes = new Map<number, number>();

  /** @param first  address of the first block */
  constructor(memory: KernelMemory, first = PAGE) {
    this.memory = memory;
    this.#free = [{ begin: first, end: memory.buffer.byteLength }];
  }

  /** Bytes in use. */
  get allocatedBytes(): number {
    let sum = 0;
    for (const size of this.#sizes.values()) sum += size;
    return sum;
  }

  /** Address of a new block, aligned to 128 bytes; its contents are undefined. */
  allocate(bytes: number): number {
    const size = Math.max(Math.ceil(bytes / ALIGNMENT), 1) * ALIGNMENT;
    let range = this.#free.find((candidate) => candidate.end - candidate.begin >= size);
    range ??= this.#grow(size);
    const address = range.begin;
    range.begin += size;
    if (range.begin === range.end) this.#free.splice(this.#free.indexOf(range), 1);
    this.#sizes.set(address, size);
    return address;
  }

  /** Tells how many bytes of a block the next job uses, to an allocator of tests that refuses access to the others. */
  use(_address: number, _bytes: number): void {}

  free(address: number): void {
    const size = this.#sizes.get(address);
    if (size === undefined) throw new NumericError(`memory: address ${address} is not allocated; was it freed twice?`);
    this.#sizes.delete(address);
    const end = address + size;
    let next = this.#free.findIndex((range) => range.begin > address);
    if (next < 0) next = this.#free.length;
    const before = this.#free[next - 1];
    const after = this.#free[next];
    if (before?.end === address) {
      before.end = end;
      if (after?.begin === end) {
        before.end = after.end;
        this.#free.splice(next, 1);
      }
    } else if (after?.begin === end) after.begin = address;
    else this.#free.splice(next, 0, { begin: address, end });
  }

  #grow(bytes: number): { begin: number; end: number } {
    const oldEnd = this.memory.buffer.byteLength;
    const last = this.#free.at(-1);
    const tail = last?.end === oldEnd ? last : undefined;
    const missing = bytes - (tail ? tail.end - tail.begin : 0);
    // At least an eighth more than there is: a run that grows step by step grows a few times only.
    const pages = Math.ceil(Math.max(missing, oldEnd / 8) / PAGE);
    if (!this.#tryGrow(pages) && !this.#tryGrow(Math.ceil(missing / PAGE))) {
      const megabytes = Math.ceil((this.allocatedBytes + bytes) / 2 ** 20);
      throw new NumericError(`memory: ${megabytes} MB are needed, more than wasm memory can hold; use fewer frames`);
    }
    const newEnd = this.memory.buffer.byteLength;
    if (tail) {
      tail.end = newEnd;
      return tail;
    }
    const range = { begin: oldEnd, end: newEnd };
    this.#free.push(range);
    return range;
  }

  #tryGrow(pages: number): boolean {
    try {
      this.memory.grow(pages);
      return true;
    } catch {
      return false;
    }
  }
}
