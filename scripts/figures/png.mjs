// @ts-check
/**
 * PNG files for the repository: reads what the browser writes, and writes it small, with a palette where the colours
 * allow, each row under the filter that suits it, at zlib's highest level.
 *
 * Reference: W3C. Portable Network Graphics (PNG) Specification, third edition. 2025. §7, §9, §11.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOUR_TYPE = { rgb: 2, palette: 3, rgba: 6 };

/**
 * @typedef {object} Picture
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array} rgb  width × height × 3
 */

/**
 * Decodes 8-bit RGB and RGBA without interlacing, which is what browsers write. Alpha is dropped.
 *
 * @param {Uint8Array} bytes
 * @returns {Picture}
 */
export function decodePng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!SIGNATURE.every((byte, k) => bytes[k] === byte)) throw new Error('png: not a PNG file');
  let [width, height, channels] = [0, 0, 0];
  /** @type {Uint8Array[]} */
  const data = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IHDR') {
      width = view.getUint32(at + 8);
      height = view.getUint32(at + 12);
      const [depth, colourType, interlaced] = [bytes[at + 16], bytes[at + 17], bytes[at + 20]];
      channels = colourType === COLOUR_TYPE.rgba ? 4 : 3;
      if (depth !== 8 || interlaced !== 0 || (colourType !== COLOUR_TYPE.rgb && channels !== 4)) {
        throw new Error(`png: depth ${depth}, colour type ${colourType}, interlace ${interlaced} is not read here`);
      }
    } else if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width, height, channels);
  const rgb = new Uint8Array(width * height * 3);
  for (let k = 0; k < width * height; k++) {
    for (let c = 0; c < 3; c++) rgb[3 * k + c] = rows[channels * k + c];
  }
  return { width, height, rgb };
}

/**
 * @param {Uint8Array} data
 * @param {number} width
 * @param {number} height
 * @param {number} channels
 */
function unfilter(data, width, height, channels) {
  const stride = width * channels;
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const to = y * stride + x;
      const left = x >= channels ? out[to - channels] : 0;
      const above = y > 0 ? out[to - stride] : 0;
      const corner = x >= channels && y > 0 ? out[to - stride - channels] : 0;
      out[to] = data[y * (stride + 1) + 1 + x] + prediction(filter, left, above, corner);
    }
  }
  return out;
}

/**
 * @param {number} filter
 * @param {number} left
 * @param {number} above
 * @param {number} corner
 */
function prediction(filter, left, above, corner) {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
      if (a <= b && a <= c) return left;
      return b <= c ? above : corner;
    }
    default:
      return 0;
  }
}

/**
 * True colour, losing nothing.
 *
 * @param {Picture} picture
 * @returns {Uint8Array}
 */
export function encodeTrueColour({ width, height, rgb }) {
  return file(width, height, COLOUR_TYPE.rgb, [['IDAT', compress(rgb, width * 3, 3)]]);
}

/**
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} palette  at most 256 × 3
 * @param {Uint8Array} indices  width × height
 * @returns {Uint8Array}
 */
export function encodePalette(width, height, palette, indices) {
  // Neighbouring indices are unrelated numbers: no filter helps, but runs of them compress well as they are.
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return file(width, height, COLOUR_TYPE.palette, [
    ['PLTE', palette],
    ['IDAT', deflateSync(rows, { level: 9, memLevel: 9 })],
  ]);
}

/**
 * Each row under the filter whose residuals have the least sum of magnitudes, the rule of thumb of the specification
 * (§12.7).
 *
 * @param {Uint8Array} values
 * @param {number} stride
 * @param {number} channels
 */
function compress(values, stride, channels) {
  const height = values.length / stride;
  const rows = new Uint8Array((stride + 1) * height);
  const trial = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    let least = Number.POSITIVE_INFINITY;
    for (let filter = 0; filter < 5; filter++) {
      let sum = 0;
      for (let x = 0; x < stride; x++) {
        const from = y * stride + x;
        const left = x >= channels ? values[from - channels] : 0;
        const above = y > 0 ? values[from - stride] : 0;
        const corner = x >= channels && y > 0 ? values[from - stride - channels] : 0;
        trial[x] = values[from] - prediction(filter, left, above, corner);
        sum += trial[x] < 128 ? trial[x] : 256 - trial[x];
      }
      if (sum >= least) continue;
      least = sum;
      rows[y * (stride + 1)] = filter;
      rows.set(trial, y * (stride + 1) + 1);
    }
  }
  return deflateSync(rows, { level: 9, memLevel: 9 });
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} colourType
 * @param {[string, Uint8Array][]} chunks
 */
function file(width, height, colourType, chunks) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType, 0, 0, 0], 8);
  return Buffer.concat([SIGNATURE, ...[['IHDR', header], ...chunks, ['IEND', Buffer.alloc(0)]].map(chunk)]);
}

/** @param {any[]} chunk */
function chunk([type, body]) {
  const out = Buffer.alloc(12 + body.length);
  out.writeUInt32BE(body.length, 0);
  out.write(type, 4, 'latin1');
  out.set(body, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length);
  return out;
}
