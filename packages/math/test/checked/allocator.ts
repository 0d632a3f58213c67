/**
 * The allocator of the build that checks every access to memory (assembly/check-access.ts): it keeps the shadow that tells
 * which bytes belong to a block. Between blocks there is room that nothing may touch, and freed blocks may not be touched
 * either.
 */
import { type KernelMemory, PAGE, Allocator as PlainAllocator } from '../../src/numerics/allocator.ts';

export { type KernelMemory, PAGE };

/** One byte of shadow for eight of memory: enough for 256 MB, from the second page on. */
const SHADOW = PAGE;
const SHADOW_BYTES = 32 * 2 ** 20;
const GRANULE = 8;
/** Bytes behind a block. */
const ROOM = 128;

export class Allocator extends PlainAllocator {
  readonly #sizes = new Map<number, number>();

  constructor(memory: KernelMemory) {
    memory.grow(SHADOW_BYTES / PAGE);
    super(memory, SHADOW + SHADOW_BYTES);
  }

  /** Without the room behind blocks, for tests that count. */
  override get allocatedBytes(): number {
    return super.allocatedBytes - ROOM * this.#sizes.size;
  }

  override allocate(bytes: number): number {
    const address = super.allocate(bytes + ROOM);
    if (address + bytes > GRANULE * SHADOW_BYTES) throw new Error('the build that checks has 256 MB of memory');
    this.#sizes.set(address, bytes);
    this.use(address, bytes);
    return address;
  }

  override use(address: number, bytes: number): void {
    const whole = this.#sizes.get(address) ?? 0;
    const shadow = new Uint8Array(this.memory.buffer, SHADOW + address / GRANULE, Math.ceil(whole / GRANULE));
    shadow.fill(0);
    shadow.fill(GRANULE, 0, Math.floor(bytes / GRANULE));
    if (bytes % GRANULE > 0) shadow[Math.floor(bytes / GRANULE)] = bytes % GRANULE;
  }

  override free(address: number): void {
    this.use(address, 0);
    this.#sizes.delete(address);
    super.free(address);
  }
}
