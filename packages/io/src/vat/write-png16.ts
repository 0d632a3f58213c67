/**
 * A picture of 16 bits per channel, red, green and blue, as PNG. Rows are stored as differences from the row above, which
 * compresses neighbouring frames well.
 *
 * Reference: Portable Network Graphics specification, third edition, 2025.
 */
import { zlibSync } from 'fflate';
import { crc32 } from '../crc32.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const FILTER_UP = 2;
const [DEPTH, TRUE_COLOUR, PIXEL_BYTES] = [16, 2, 6];
const LEVELS = 65535;

/** @param values  height × width × 3, from 0 to 1; others are clamped */
export function writePng16(width: number, height: number, values: Float32Array): Uint8Array<ArrayBuffer> {
  const row = PIXEL_BYTES * width;
  const rows = new Uint8Array(height * (1 + row));
  let above = new Uint8Array(row);
  let own = new Uint8Array(row);
  for (let y = 0; y < height; y++) {
    for (let k = 0; k < 3 * width; k++) {
      const level = Math.round(LEVELS * Math.min(Math.max(values[3 * width * y + k], 0), 1));
      own[2 * k] = level >> 8;
      own[2 * k + 1] = level & 255;
    }
    const at = y * (1 + row);
    rows[at] = FILTER_UP;
    for (let k = 0; k < row; k++) rows[at + 1 + k] = own[k] - above[k];
    [above, own] = [own, above];
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([DEPTH, TRUE_COLOUR, 0, 0, 0], 8);
  return joined([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', zlibSync(rows, { level: 6 })),
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

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
