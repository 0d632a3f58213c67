/**
 * LZ4 blocks as crates have them: a byte with the number of chunks, 0 for one block without a length; else each chunk is
 * its length in 32 bits and a block.
 *
 * Reference: Collet. LZ4 block format description. 2015.
 */
import { InputError } from '@pelt/model';

/** A byte of a block gives at most this many bytes: a run of matches takes a byte for each 255. */
const MAX_RATIO = 255;
const MIN_MATCH = 4;

/**
 * @param size  bytes that come out at most
 * @returns as many as came out
 */
export function decompressChunks(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length === 0 || size > MAX_RATIO * bytes.length + MAX_RATIO) {
    throw new InputError(`${bytes.length} packed bytes cannot hold ${size}; the file is damaged, export it again`);
  }
  const out = new Uint8Array(size);
  const chunks = bytes[0];
  if (chunks === 0) return out.subarray(0, decompressBlock(bytes.subarray(1), out, 0));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 1;
  let written = 0;
  for (let k = 0; k < chunks; k++) {
    const length = at + 4 <= bytes.length ? view.getInt32(at, true) : -1;
    if (length < 0 || at + 4 + length > bytes.length) throw damaged();
    written = decompressBlock(bytes.subarray(at + 4, at + 4 + length), out, written);
    at += 4 + length;
  }
  return out.subarray(0, written);
}

/** @returns where the output ends */
function decompressBlock(bytes: Uint8Array, out: Uint8Array, first: number): number {
  let at = 0;
  let o = first;
  while (at < bytes.length) {
    const token = bytes[at++];
    let literals = token >> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255) {
        if (at >= bytes.length) throw damaged();
        more = bytes[at++];
        literals += more;
      }
    }
    if (at + literals > bytes.length || o + literals > out.length) throw damaged();
    out.set(bytes.subarray(at, at + literals), o);
    at += literals;
    o += literals;
    // The last sequence is literals alone.
    if (at >= bytes.length) break;
    if (at + 2 > bytes.length) throw damaged();
    const distance = bytes[at] | (bytes[at + 1] << 8);
    at += 2;
    let length = token & 15;
    if (length === 15) {
      let more = 255;
      while (more === 255) {
        if (at >= bytes.length) throw damaged();
        more = bytes[at++];
        length += more;
      }
    }
    length += MIN_MATCH;
    if (distance === 0 || distance > o - first || o + length > out.length) throw damaged();
    if (distance >= length) {
      out.copyWithin(o, o - distance, o - distance + length);
      o += length;
    } else for (const end = o + length; o < end; o++) out[o] = out[o - distance];
  }
  return o;
}

function damaged(): InputError {
  return new InputError('a packed part does not unpack; the file is damaged, export it again');
}
