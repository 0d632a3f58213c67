import { InputError } from '@pelt/model';
import { fileLabel } from './read-options.ts';

/** Typed arrays can be filled by a plain copy only where file and machine agree on the order of bytes. */
export const HOST_IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Reads binary data that may be truncated, damaged or hostile: every field and every count is checked against the bytes
 * that are left before anything is read or allocated, and what does not fit is an `InputError` that names the file, the
 * field and its value.
 */
export class ByteCursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly littleEndian: boolean;
  /** Begins every message: `PC2 'clip.pc2'`. */
  readonly label: string;
  readonly #end: number;
  #position = 0;

  /**
   * @param kind  the format's name, for messages: `PC2`
   * @param name  the file's name, for messages; may be empty
   */
  constructor(bytes: Uint8Array, kind: string, name: string, littleEndian: boolean) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.littleEndian = littleEndian;
    this.#end = bytes.byteLength;
    this.label = fileLabel(kind, name);
  }

  get position(): number {
    return this.#position;
  }

  get remaining(): number {
    return this.#end - this.#position;
  }

  /** Moves over `size` bytes and returns where they begin; they are there, or this throws. */
  take(size: number, field: string): number {
    const start = this.#position;
    if (size > this.remaining) {
      throw new InputError(
        `${this.label}: '${field}' needs ${size} bytes at byte ${start}, but ${this.remaining} are left; ` +
          'the file is cut short, export it again',
      );
    }
    this.#position = start + size;
    return start;
  }

  /** Checks a count that the file states: see `requireFit`. */
  requireItems(count: number, itemBytes: number, field: string): number {
    return requireFit(this.label, field, count, itemBytes, this.remaining);
  }

  u8(field: string): number {
    return this.view.getUint8(this.take(1, field));
  }

  i32(field: string): number {
    return this.view.getInt32(this.take(4, field), this.littleEndian);
  }

  u32(field: string): number {
    return this.view.getUint32(this.take(4, field), this.littleEndian);
  }

  f32(field: string): number {
    return this.view.getFloat32(this.take(4, field), this.littleEndian);
  }

  /** `count` float32 as a new array; the count is checked before the allocation. */
  f32Array(count: number, field: string): Float32Array<ArrayBuffer> {
    this.requireItems(count, 4, field);
    const start = this.take(count * 4, field);
    const out = new Float32Array(count);
    if (this.littleEndian === HOST_IS_LITTLE_ENDIAN) {
      new Uint8Array(out.buffer).set(this.bytes.subarray(start, start + count * 4));
    } else {
      for (let k = 0; k < count; k++) out[k] = this.view.getFloat32(start + k * 4, this.littleEndian);
    }
    return out;
  }
}

/**
 * Checks a count that a file states: a whole number, not negative, whose items fit into the bytes that are left.
 *
 * @param label      begins the message: `PLY 'scan.ply'`
 * @param field      what the file calls the count
 * @param itemBytes  the least that one item takes
 */
export function requireFit(label: string, field: string, count: number, itemBytes: number, remaining: number): number {
  if (!Number.isInteger(count) || count < 0) {
    throw new InputError(`${label}: '${field}' is ${count}, not a count; the file is damaged, export it again`);
  }
  if (count * itemBytes > remaining) {
    throw new InputError(
      `${label}: '${field}' is ${count}, which needs ${count * itemBytes} bytes, but ${remaining} are left; ` +
        'the file is cut short or damaged, export it again',
    );
  }
  return count;
}
