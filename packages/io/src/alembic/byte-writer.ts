/** Builds the little-endian bytes of a header field by field. */
const encoder = new TextEncoder();

export class ByteWriter {
  readonly #bytes: number[] = [];

  /** @param size  width in bytes */
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

/** Length of a string in UTF-8. */
export function textBytes(text: string): number {
  return encoder.encode(text).length;
}
