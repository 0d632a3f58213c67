/** Little-endian bytes of headers, one field behind the other. */
const encoder = new TextEncoder();

export class ByteWriter {
  readonly #bytes: number[] = [];

  /** @param size  bytes of the number: 1, 2 or 4 */
  uint(value: number, size: 1 | 2 | 4): this {
    for (let k = 0; k < size; k++) this.#bytes.push(Math.floor(value / 256 ** k) % 256);
    return this;
  }

  float64(value: number): this {
    return this.bytes(new Uint8Array(Float64Array.of(value).buffer));
  }

  bytes(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  text(text: string): this {
    return this.bytes(encoder.encode(text));
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes);
  }
}

/** Bytes that a text takes in a file. */
export function textBytes(text: string): number {
  return encoder.encode(text).length;
}
