/**
 * Whole numbers of a crate: differences from one to the next, of which the most frequent takes two bits, others two bits
 * and as few bytes as hold them; the whole is an LZ4 block.
 *
 * Reference: Pixar. OpenUSD, `usd/integerCoding.cpp`.
 */
import { InputError } from '@pelt/model';
import { decompressChunks } from './lz4.ts';

/** @param bytes  packed */
export function decodeIntegers(bytes: Uint8Array, count: number): Int32Array {
  const codeBytes = Math.ceil(count / 4);
  const plain = decompressChunks(bytes, bounded(bytes, Math.max(4 + codeBytes + 4 * count, LEAST)));
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  if (plain.length < 4 + codeBytes) throw cutShort();
  const out = new Int32Array(count);
  const common = view.getInt32(0, true);
  let at = 4 + codeBytes;
  let value = 0;
  for (let k = 0; k < count; k++) {
    const code = (plain[4 + (k >> 2)] >> (2 * (k & 3))) & 3;
    const size = code === 0 ? 0 : 1 << (code - 1);
    if (at + size > plain.length) throw cutShort();
    if (code === 0) value += common;
    else if (code === 1) value += view.getInt8(at);
    else if (code === 2) value += view.getInt16(at, true);
    else value += view.getInt32(at, true);
    at += size;
    value |= 0;
    out[k] = value;
  }
  return out;
}

/** Of 64 bits each; what a double does not hold exactly is rounded. */
export function decodeLongIntegers(bytes: Uint8Array, count: number): Float64Array {
  const codeBytes = Math.ceil(count / 4);
  const plain = decompressChunks(bytes, bounded(bytes, Math.max(8 + codeBytes + 8 * count, LEAST)));
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  if (plain.length < 8 + codeBytes) throw cutShort();
  const out = new Float64Array(count);
  const common = view.getBigInt64(0, true);
  let at = 8 + codeBytes;
  let value = 0n;
  for (let k = 0; k < count; k++) {
    const code = (plain[8 + (k >> 2)] >> (2 * (k & 3))) & 3;
    const size = code === 0 ? 0 : 1 << code;
    if (at + size > plain.length) throw cutShort();
    if (code === 0) value += common;
    else if (code === 1) value += BigInt(view.getInt16(at, true));
    else if (code === 2) value += BigInt(view.getInt32(at, true));
    else value += view.getBigInt64(at, true);
    at += size;
    out[k] = Number(value);
  }
  return out;
}

const LEAST = 64;

/** What a block of so many bytes can give at all, which is less than the worst case of many numbers. */
function bounded({ length }: Uint8Array, size: number): number {
  return Math.min(size, 255 * length);
}

function cutShort(): InputError {
  return new InputError('a packed list of numbers is cut short; the file is damaged, export it again');
}
