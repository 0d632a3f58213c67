/** A file as a source of byte ranges, read into the caller's memory where it offers some. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export function openFileSource(path) {
  const file = openSync(path, 'r');
  let buffer = new Uint8Array(1 << 16);
  return {
    size: fstatSync(file).size,
    read(from, count, into) {
      if (!into && buffer.length < count) buffer = new Uint8Array(count);
      const target = into ?? buffer.subarray(0, count);
      readSync(file, target, 0, count, from);
      return target;
    },
    close: () => closeSync(file),
  };
}
