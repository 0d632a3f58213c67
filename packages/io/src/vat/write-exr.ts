/**
 * A picture of three 32-bit floats per pixel as OpenEXR: scan lines, each compressed by itself (ZIPS).
 *
 * Reference: OpenEXR file layout, version 2. Channels are in alphabetical order. Of a compressed line the bytes of even
 * places come first, then those of odd ones, each as its difference from the byte before.
 */
import { zlibSync } from 'fflate';

const MAGIC = 20000630;
const [FLOAT, ZIPS] = [2, 2];

/** @param values  height × width × 3 */
export function writeExr(width: number, height: number, values: Float32Array): Uint8Array<ArrayBuffer> {
  const header = headerOf(width, height);
  const lines = Array.from({ length: height }, (_, y) => lineOf(width, values.subarray(3 * width * y)));
  const size = header.length + 8 * height + lines.reduce((sum, line) => sum + 8 + line.length, 0);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  out.set(header);
  let at = header.length + 8 * height;
  lines.forEach((line, y) => {
    view.setBigUint64(header.length + 8 * y, BigInt(at), true);
    view.setInt32(at, y, true);
    view.setInt32(at + 4, line.length, true);
    out.set(line, at + 8);
    at += 8 + line.length;
  });
  return out;
}

function lineOf(width: number, values: Float32Array): Uint8Array {
  const raw = new Uint8Array(12 * width);
  const view = new DataView(raw.buffer);
  // Blue, green, red.
  for (let c = 0; c < 3; c++) {
    for (let x = 0; x < width; x++) view.setFloat32(4 * (c * width + x), values[3 * x + 2 - c], true);
  }
  const half = Math.ceil(raw.length / 2);
  const sorted = new Uint8Array(raw.length);
  raw.forEach((byte, k) => {
    sorted[(k & 1 ? half : 0) + (k >> 1)] = byte;
  });
  const differences = sorted.map((byte, k) => (k === 0 ? byte : byte - sorted[k - 1] + 128));
  const packed = zlibSync(differences, { level: 9 });
  // A line that does not become smaller is stored as it is.
  return packed.length < raw.length ? packed : raw;
}

function headerOf(width: number, height: number): Uint8Array {
  const bytes: number[] = [];
  const int = (value: number) => bytes.push(...new Uint8Array(Int32Array.of(value).buffer));
  const float = (value: number) => bytes.push(...new Uint8Array(Float32Array.of(value).buffer));
  const text = (value: string) => bytes.push(...new TextEncoder().encode(value), 0);
  const attribute = (name: string, type: string, length: number) => {
    text(name);
    text(type);
    int(length);
  };
  const box = (name: string) => {
    attribute(name, 'box2i', 16);
    for (const value of [0, 0, width - 1, height - 1]) int(value);
  };
  int(MAGIC);
  int(2);
  attribute('channels', 'chlist', 3 * 18 + 1);
  for (const channel of 'BGR') {
    text(channel);
    for (const value of [FLOAT, 0, 1, 1]) int(value);
  }
  bytes.push(0);
  attribute('compression', 'compression', 1);
  bytes.push(ZIPS);
  box('dataWindow');
  box('displayWindow');
  attribute('lineOrder', 'lineOrder', 1);
  bytes.push(0);
  attribute('pixelAspectRatio', 'float', 4);
  float(1);
  attribute('screenWindowCenter', 'v2f', 8);
  float(0);
  float(0);
  attribute('screenWindowWidth', 'float', 4);
  float(1);
  bytes.push(0);
  return Uint8Array.from(bytes);
}
