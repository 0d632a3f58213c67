/**
 * A file as a source of byte ranges. Small reads, of which opening an archive makes thousands, are served from a window
 * that is read ahead; large ones go to the file.
 */
import type { ByteSource } from '@pelt/io';
import { cannotRead, type Files } from './files.ts';

const WINDOW_BYTES = 1 << 18;

export function byteSource(files: Files, path: string): ByteSource {
  const { bytes: size } = files.stat(path);
  let start = 0;
  let window: Uint8Array = new Uint8Array(0);
  const range = (from: number, count: number, into?: Uint8Array) => {
    const bytes = files.readRange(path, from, from + count, into as Uint8Array<ArrayBuffer> | undefined);
    if (bytes.length < count) throw cannotRead(path, 'it became shorter while it was read');
    return bytes;
  };
  return {
    size,
    read: (from, count, into) => {
      if (count > WINDOW_BYTES) return range(from, count, into);
      if (from < start || from + count > start + window.length) {
        start = from;
        window = range(from, Math.max(count, Math.min(WINDOW_BYTES, size - from)));
      }
      return window.subarray(from - start, from - start + count);
    },
  };
}
