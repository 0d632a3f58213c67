/**
 * A picture of 16 bits per channel, red, green and blue, as PNG. Rows are stored as differences from the row above, which
 * compresses neighbouring frames well.
 */
import { zlibSync } from 'fflate';
import { pngFile } from '../png-file.ts';

const FILTER_UP = 2;
const [DEPTH, PIXEL_BYTES] = [16, 6];
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
  return pngFile(width, height, DEPTH, zlibSync(rows, { level: 6 }));
}
