/// <reference lib="esnext.disposable" preserve="true" />
import type { Allocator, KernelMemory } from './allocator.ts';

type View = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;
type ViewConstructor<T extends View> = {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
};

/**
 * An array in wasm memory. `view` is made anew after the memory has grown, so take it when it is needed and never keep
 * it across an allocation.
 */
export class Block<T extends View> {
  /** Address for kernels. */
  readonly pointer: number;
  readonly length: number;
  readonly #memory: KernelMemory;
  readonly #kind: ViewConstructor<T>;
  #view: T;

  constructor(kind: ViewConstructor<T>, memory: KernelMemory, pointer: number, length: number) {
    this.pointer = pointer;
    this.length = length;
    this.#memory = memory;
    this.#kind = kind;
    this.#view = new kind(memory.buffer, pointer, length);
  }

  get view(): T {
    const buffer = this.#memory.buffer;
    if (this.#view.buffer !== buffer) this.#view = new this.#kind(buffer, this.pointer, this.length);
    return this.#view;
  }
}

/** `Symbol.dispose`, which older engines lack: there `using` does not exist, and the method is called by its name. */
export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** Owns blocks and frees them together: one scope a solver, or one for a passing need. */
export class Scope implements Disposable {
  readonly #allocator: Allocator;
  readonly #live: Set<Scope>;
  #addresses: number[] = [];

  /** @param live  the scopes that have not been disposed */
  constructor(allocator: Allocator, live: Set<Scope>) {
    this.#allocator = allocator;
    this.#live = live;
    live.add(this);
  }

  /** Blocks are filled with zeros. */
  f64(length: number): Block<Float64Array> {
    return this.#block(Float64Array, length);
  }

  f32(length: number): Block<Float32Array> {
    return this.#block(Float32Array, length);
  }

  i32(length: number): Block<Int32Array> {
    return this.#block(Int32Array, length);
  }

  u32(length: number): Block<Uint32Array> {
    return this.#block(Uint32Array, length);
  }

  u16(length: number): Block<Uint16Array> {
    return this.#block(Uint16Array, length);
  }

  u8(length: number): Block<Uint8Array> {
    return this.#block(Uint8Array, length);
  }

  /** A block with a copy of `values`. */
  f64From(values: ArrayLike<number>): Block<Float64Array> {
    const block = this.f64(values.length);
    block.view.set(values);
    return block;
  }

  i32From(values: ArrayLike<number>): Block<Int32Array> {
    const block = this.i32(values.length);
    block.view.set(values);
    return block;
  }

  /** Frees every block of this scope; their views must not be used any more. */
  dispose(): void {
    for (const address of this.#addresses) this.#allocator.free(address);
    this.#addresses = [];
    this.#live.delete(this);
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #block<T extends View>(kind: ViewConstructor<T>, length: number): Block<T> {
    const address = this.#allocator.allocate(length * kind.BYTES_PER_ELEMENT);
    this.#addresses.push(address);
    this.#live.add(this);
    const block = new Block(kind, this.#allocator.memory, address, length);
    block.view.fill(0);
    return block;
  }
}
