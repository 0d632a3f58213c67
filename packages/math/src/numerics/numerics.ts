import { CancelledError, NumericError } from '../errors.ts';
import { PLAIN_WASM, SHARED_WASM } from '../generated/kernels.ts';
import { Allocator, type KernelMemory, PAGE } from './allocator.ts';
import { DISPOSE, Scope } from './scope.ts';
import { canShareMemory, startThread, type Thread } from './threads.ts';
import { CONTROL } from './worker-source.ts';

export interface NumericsOptions {
  /** Threads that work on a job, the caller's own included. Where memory cannot be shared it is always 1. */
  readonly threads: number;
}

export const NUMERICS_DEFAULTS: NumericsOptions = { threads: 1 };

/** More than the arguments of any kernel take. */
const ARGUMENT_BYTES = 512;
/** 4 GiB is what wasm32 can address; some browsers refuse to reserve it. */
const MAXIMUM_PAGES = [65536, 32768, 16384, 8192];

/**
 * The door to the kernels: one wasm memory, its allocator, and a pool of threads that is made once and used for every
 * job. Everything is synchronous; the caller's thread works along. A job's items are cut into chunks whose bounds
 * depend on the grain alone, each item's result depends on the item alone and sums are kept per chunk, so the number of
 * threads never changes a bit of the result.
 *
 * In browsers it must live in a worker: the main thread may not wait.
 * @example
 * {@includeCode ../../examples/numerics.ts}
 */
export class Numerics implements Disposable {
  readonly threads: number;
  /** Set in tests that check the arguments of every call. */
  declare checkCall?: (kernel: string, items: number, fields: object) => void;
  /** Consulted between chunks; a job that finds it aborted throws `CancelledError`. */
  signal: { readonly aborted: boolean } | undefined;
  readonly #allocator: Allocator;
  readonly #scopes = new Set<Scope>();
  readonly #kernels: Record<string, (...args: number[]) => number>;
  readonly #names: string[];
  readonly #control: Int32Array;
  readonly #argumentsAt: number;
  #words: Int32Array;
  #numbers: Float64Array;
  readonly #scratch: { address: number; bytes: number }[];
  #pool: Thread[] = [];
  #failure: NumericError | undefined;

  constructor(
    memory: KernelMemory,
    kernels: Record<string, (...args: number[]) => number>,
    names: string[],
    control: Int32Array,
  ) {
    this.threads = control.length - CONTROL.scratch;
    this.#allocator = new Allocator(memory);
    this.#kernels = kernels;
    this.#names = names;
    this.#control = control;
    this.#argumentsAt = this.#allocator.allocate(ARGUMENT_BYTES);
    this.#words = new Int32Array(memory.buffer, this.#argumentsAt, ARGUMENT_BYTES / 4);
    this.#numbers = new Float64Array(memory.buffer, this.#argumentsAt, ARGUMENT_BYTES / 8);
    this.#scratch = Array.from({ length: this.threads }, () => ({ address: 0, bytes: 0 }));
  }

  static async open(options: Partial<NumericsOptions> = {}): Promise<Numerics> {
    const wanted = options.threads ?? NUMERICS_DEFAULTS.threads;
    if (!Number.isInteger(wanted) || wanted < 1) throw new NumericError(`threads: ${wanted} is not a count of threads`);
    const threads = canShareMemory() ? wanted : 1;
    const shared = threads > 1;
    const module = compile(shared);
    const memory = reserve(shared);
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    const kernels = exports as unknown as Record<string, (...args: number[]) => number>;
    const names = Object.keys(kernels).filter((name) => typeof kernels[name] === 'function');
    const words = CONTROL.scratch + threads;
    const control = new Int32Array(shared ? new SharedArrayBuffer(4 * words) : new ArrayBuffer(4 * words));
    const numerics = new Numerics(memory, kernels, names, control);
    const onFailure = (error: NumericError) => {
      numerics.#failure = error;
    };
    numerics.#pool = await Promise.all(
      Array.from({ length: threads - 1 }, (_, k) =>
        startThread({ module, memory, control, names, index: k + 1 }, onFailure),
      ),
    );
    return numerics;
  }

  /** A new owner of blocks; dispose it when they are no longer needed. */
  scope(): Scope {
    return new Scope(this.#allocator, this.#scopes);
  }

  /** Runs `work`; if it throws, every scope that was created meanwhile and not disposed is disposed. */
  freeOnError<T>(work: () => T): T {
    const before = new Set(this.#scopes);
    try {
      return work();
    } catch (error) {
      for (const scope of this.#scopes) if (!before.has(scope)) scope.dispose();
      throw error;
    }
  }

  /** Bytes of wasm memory in use by blocks, for tests of leaks and for reports. */
  get allocatedBytes(): number {
    return this.#allocator.allocatedBytes;
  }

  /** A kernel to be called on the caller's thread; by the generated calls, which know its arguments by name. */
  entry(kernel: string): (...args: number[]) => number {
    return this.#kernel(kernel);
  }

  /** Where the generated calls write addresses and whole numbers among the arguments of the next job. */
  get words(): Int32Array {
    const { buffer } = this.#allocator.memory;
    // Made anew only after the memory has grown: jobs of a running pose allocate nothing.
    if (this.#words.buffer !== buffer) this.#words = new Int32Array(buffer, this.#argumentsAt, ARGUMENT_BYTES / 4);
    return this.#words;
  }

  /** The same place, for fractions. */
  get numbers(): Float64Array {
    const { buffer } = this.#allocator.memory;
    if (this.#numbers.buffer !== buffer)
      this.#numbers = new Float64Array(buffer, this.#argumentsAt, ARGUMENT_BYTES / 8);
    return this.#numbers;
  }

  /**
   * Parallel for: runs `kernel(begin, end, arguments, scratch)` over the items [0, count) in chunks of `grain`, with the
   * arguments that were written to `words` and `numbers`. Called by the generated calls.
   *
   * @param scratchBytes  memory that each thread has to itself during the job
   */
  launch(kernel: string, count: number, grain: number, scratchBytes: number): void {
    const entry = this.#kernel(kernel);
    if (this.#failure) throw this.#failure;
    if (count <= 0) return;
    this.#reserveScratch(scratchBytes);
    const { buffer } = this.#allocator.memory;
    const control = this.#control;
    control[CONTROL.count] = count;
    control[CONTROL.grain] = grain;
    control[CONTROL.args] = this.#argumentsAt;
    control[CONTROL.failed] = 0;
    control[CONTROL.pages] = buffer.byteLength / PAGE;
    Atomics.store(control, CONTROL.next, 0);
    // One chunk is not worth waking anybody for.
    const helped = count > grain && this.#pool.length > 0;
    if (helped) {
      control[CONTROL.kernel] = this.#names.indexOf(kernel);
      Atomics.add(control, CONTROL.job, 1);
      Atomics.notify(control, CONTROL.job);
    }
    let cancelled = false;
    try {
      cancelled = this.#work(entry, count, grain);
    } finally {
      if (helped) this.#closeJob();
    }
    if (control[CONTROL.failed] !== 0) throw new NumericError(`${kernel}: the kernel trapped in a thread`);
    if (cancelled) throw new CancelledError();
  }

  /** Ends the threads. The memory goes when nothing refers to it any more. */
  close(): void {
    for (const thread of this.#pool) thread.terminate();
    this.#pool = [];
  }

  [DISPOSE](): void {
    this.close();
  }

  #kernel(name: string): (...args: number[]) => number {
    const entry = this.#kernels[name];
    if (!entry) throw new NumericError(`numerics: there is no kernel '${name}'`);
    return entry;
  }

  /** Takes chunks until none is left; true where the signal cut it short. */
  #work(entry: (...args: number[]) => number, count: number, grain: number): boolean {
    const control = this.#control;
    for (;;) {
      if (this.signal?.aborted) {
        Atomics.store(control, CONTROL.next, count);
        return true;
      }
      const begin = Atomics.add(control, CONTROL.next, grain);
      if (begin >= count) return false;
      entry(begin, Math.min(begin + grain, count), this.#argumentsAt, this.#scratch[0].address);
    }
  }

  /** Nobody enters the job from now on; waits for those who have. */
  #closeJob(): void {
    const control = this.#control;
    Atomics.add(control, CONTROL.job, 1);
    for (;;) {
      const entered = Atomics.load(control, CONTROL.entered);
      if (entered === 0) return;
      Atomics.wait(control, CONTROL.entered, entered);
    }
  }

  #reserveScratch(bytes: number): void {
    for (let k = 0; k < this.threads; k++) {
      const scratch = this.#scratch[k];
      if (scratch.bytes >= bytes) {
        if (scratch.bytes > 0) this.#allocator.use(scratch.address, bytes);
        continue;
      }
      if (scratch.bytes > 0) this.#allocator.free(scratch.address);
      scratch.address = this.#allocator.allocate(bytes);
      scratch.bytes = bytes;
      this.#control[CONTROL.scratch + k] = scratch.address;
    }
  }
}

const compiled = new Map<boolean, WebAssembly.Module>();

function compile(shared: boolean): WebAssembly.Module {
  let module = compiled.get(shared);
  if (!module) {
    const text = atob(shared ? SHARED_WASM : PLAIN_WASM);
    const bytes = new Uint8Array(text.length);
    for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
    module = new WebAssembly.Module(bytes);
    compiled.set(shared, module);
  }
  return module;
}

function reserve(shared: boolean): WebAssembly.Memory {
  for (const maximum of MAXIMUM_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum, shared });
    } catch {
      // Retry with a smaller maximum.
    }
  }
  throw new NumericError('memory: the platform gives no wasm memory; close other pages and try again');
}

/**
 * Compiles the kernels and starts a pool of threads. Open it once, keep it, and close it at the end.
 * @example
 * {@includeCode ../../examples/numerics.ts}
 */
export function openNumerics(options: Partial<NumericsOptions> = {}): Promise<Numerics> {
  return Numerics.open(options);
}
