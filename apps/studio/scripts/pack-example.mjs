// @ts-check
/**
 * Caches of the examples in a quarter of their bytes, for they travel with every installation. Positions become whole
 * multiples of a power of two, 2⁻¹⁴ of the extent or finer; of each coordinate the second differences over time are
 * stored, as zigzag codes in three planes of bytes, and all of it is deflated. `unpackFrames` of the page is the inverse.
 */
import { deflateRawSync } from 'node:zlib';

/** Header of a PC2 file: its bytes are kept as they are. */
export const PC2_HEADER = 32;
/** Steps over the largest coordinate, as a power of two. */
const BITS = 14;

/**
 * @param {string} name
 * @param {Uint8Array | string} content
 * @returns {[name: string, content: Uint8Array | string]}
 */
export function packExample(name, content) {
  return typeof content === 'string' || !name.endsWith('.pc2')
    ? [name, content]
    : [`${name}.packed`, packFrames(content)];
}

/** @param {Uint8Array} pc2 */
export function packFrames(pc2) {
  const header = pc2.slice(0, PC2_HEADER);
  const view = new DataView(pc2.buffer, pc2.byteOffset, pc2.byteLength);
  const [width, frames] = [3 * view.getInt32(16, true), view.getInt32(28, true)];
  const count = width * frames;
  let largest = 0;
  for (let k = 0; k < count; k++) largest = Math.max(largest, Math.abs(view.getFloat32(PC2_HEADER + 4 * k, true)));
  const exponent = Math.ceil(Math.log2(largest || 1)) - BITS;
  const planes = new Uint8Array(3 * count);
  for (let c = 0; c < width; c++) {
    let [before, last] = [0, 0];
    for (let t = 0; t < frames; t++) {
      const value = Math.round(view.getFloat32(PC2_HEADER + 4 * (t * width + c), true) / 2 ** exponent);
      const rest = value - (t < 2 ? last : 2 * last - before);
      const code = rest < 0 ? -2 * rest - 1 : 2 * rest;
      const place = c * frames + t;
      for (let plane = 0; plane < 3; plane++) planes[plane * count + place] = (code >> (8 * plane)) & 0xff;
      [before, last] = [last, value];
    }
  }
  const packed = deflateRawSync(planes, { level: 9 });
  return Buffer.concat([header, Buffer.from(Int32Array.of(exponent).buffer), packed]);
}
