/**
 * Bytes that are read by ranges, so that a file larger than memory can be opened and only what is asked for is loaded.
 * Synchronous, because readers are; whoever has a file descriptor or an array can make one in a line.
 */
export interface ByteSource {
  /** Length of the whole in bytes. */
  readonly size: number;
  /**
   * Bytes `from` to `from + count`, which lie within the source. The result is only valid until the next call: a source
   * may hand out the same buffer again.
   *
   * @param into  `count` bytes of the caller's that the source may fill and return, so that large reads need no copy
   */
  read(from: number, count: number, into?: Uint8Array): Uint8Array;
}

/** A source over bytes that are in memory already; nothing is copied. */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  return { size: bytes.byteLength, read: (from, count) => bytes.subarray(from, from + count) };
}
