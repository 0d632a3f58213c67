/**
 * Random access to bytes by range, so that a file larger than memory can be opened and read in part. Synchronous, like
 * all readers; easily made from a file descriptor or an array.
 */
export interface ByteSource {
  /** Total length in bytes. */
  readonly size: number;
  /**
   * The `count` bytes from offset `from`; the range lies within the source. The result is valid only until the next
   * call, because a source may reuse its buffer.
   *
   * @param into  `count` bytes that the source may fill and return, so that large reads need no extra copy
   */
  read(from: number, count: number, into?: Uint8Array): Uint8Array;
}

/**
 * A source over bytes in memory, without copying them.
 *
 * @param bytes  of the file
 * @example
 * {@includeCode ../examples/alembic.ts}
 */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  return { size: bytes.byteLength, read: (from, count) => bytes.subarray(from, from + count) };
}
