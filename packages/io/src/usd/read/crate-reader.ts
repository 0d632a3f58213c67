import { InputError } from '@pelt/model';
import type { CrateFile } from './crate-file.ts';

/** Reads on from a place in a crate. */
export class CrateReader {
  readonly #file: CrateFile;
  position: number;

  constructor(file: CrateFile, position: number) {
    this.#file = file;
    this.position = position;
  }

  /** Valid until the next is read. */
  bytes(count: number): DataView {
    const view = this.#file.view(this.position, count);
    this.position += count;
    return view;
  }

  u8(): number {
    return this.bytes(1).getUint8(0);
  }

  u32(): number {
    return this.bytes(4).getUint32(0, true);
  }

  long(): number {
    return Number(this.bytes(8).getBigInt64(0, true));
  }

  /** A count of items that take at least so many bytes, which have to be there. */
  count(itemBytes: number): number {
    const count = this.long();
    if (!(count >= 0 && count * itemBytes <= this.#file.source.size - this.position)) {
      throw new InputError(`a list of ${count} items is longer than the file; it is damaged, export it again`);
    }
    return count;
  }

  list<T>(itemBytes: number, item: () => T): T[] {
    return this.items(this.count(itemBytes), itemBytes, item);
  }

  items<T>(count: number, itemBytes: number, item: () => T): T[] {
    if (count * itemBytes > this.#file.source.size - this.position) {
      throw new InputError(`a list of ${count} items is longer than the file; it is damaged, export it again`);
    }
    return Array.from({ length: count }, item);
  }

  /** To what is told by its distance from here. */
  jump(): void {
    const from = this.position;
    this.position = from + this.long();
  }

  /** Values of an array; before version 0.5 a number of dimensions is in front. */
  arraySize(version: number): number {
    if (version < 5) this.u32();
    const count = version < 7 ? this.u32() : this.long();
    if (!(count >= 0)) throw new InputError(`an array has ${count} values; the file is damaged, export it again`);
    return count;
  }

  /** Packed bytes with their number in front. */
  packed(): Uint8Array {
    const size = this.count(1);
    const view = this.bytes(size);
    return new Uint8Array(view.buffer, view.byteOffset, size);
  }
}
