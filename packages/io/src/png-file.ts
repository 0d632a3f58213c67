/**
 * The chunks of a PNG file around its compressed rows: RGB without transparency.
 *
 * Reference: Portable Network Graphics specification, third edition, 2025.
 */
import { crc32 } from './crc32.ts';
import { joinBytes } from './join-bytes.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const TRUE_COLOUR = 2;

/**
 * @param depth  bits per channel: 8 or 16
 * @param rows   filtered rows in the zlib format
 */
export function pngFile(width: number, height: number, depth: number, rows: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, TRUE_COLOUR, 0, 0, 0], 8);
  return joinBytes([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let k = 0; k < 4; k++) out[4 + k] = name.charCodeAt(k);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}
