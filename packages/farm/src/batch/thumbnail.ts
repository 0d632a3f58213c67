/**
 * A small picture of a mesh, drawn on the processor: a page about a thousand results should need neither a browser nor a
 * graphics card to be made. Orthographic from the front and above, shaded by the face.
 */
import { deflateSync } from 'node:zlib';
import type { Mesh } from '@pelt/model';

const WIDTH = 160;
const HEIGHT = 120;
const MARGIN = 8;
/** The view: turned about the vertical axis, then tilted. */
const [TURN, TILT] = [0.6, 0.35];
const LIGHT = [0.3, 0.5, 0.81];

/**
 * Draws a mesh of n vertices, 160 × 120 pixels.
 *
 * @returns a PNG
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export function thumbnail({ positions, triangles }: Pick<Mesh, 'positions' | 'triangles'>): Uint8Array {
  const seen = turned(positions);
  const place = fitted(seen);
  const depth = new Float64Array(WIDTH * HEIGHT).fill(Number.NEGATIVE_INFINITY);
  const shade = new Uint8Array(WIDTH * HEIGHT);
  for (let f = 0; f + 2 < triangles.length; f += 3) {
    drawTriangle([triangles[f], triangles[f + 1], triangles[f + 2]], seen, place, depth, shade);
  }
  return png(shade, depth);
}

function turned(positions: ArrayLike<number>): Float64Array {
  const out = new Float64Array(positions.length);
  const [c, s, ct, st] = [Math.cos(TURN), Math.sin(TURN), Math.cos(TILT), Math.sin(TILT)];
  for (let i = 0; i < positions.length; i += 3) {
    const x = c * positions[i] + s * positions[i + 2];
    const z = c * positions[i + 2] - s * positions[i];
    out[i] = x;
    out[i + 1] = ct * positions[i + 1] - st * z;
    out[i + 2] = st * positions[i + 1] + ct * z;
  }
  return out;
}

/** From the view to pixels, filling the picture. */
function fitted(seen: Float64Array): { scale: number; x: number; y: number } {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < seen.length; i += 3) {
    for (let k = 0; k < 2; k++) {
      low[k] = Math.min(low[k], seen[i + k]);
      high[k] = Math.max(high[k], seen[i + k]);
    }
  }
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / (high[0] - low[0] || 1),
    (HEIGHT - 2 * MARGIN) / (high[1] - low[1] || 1),
  );
  return { scale, x: WIDTH / 2 - (scale * (low[0] + high[0])) / 2, y: HEIGHT / 2 + (scale * (low[1] + high[1])) / 2 };
}

function drawTriangle(
  corners: readonly number[],
  seen: Float64Array,
  { scale, x: left, y: top }: { scale: number; x: number; y: number },
  depth: Float64Array,
  shade: Uint8Array,
): void {
  const [a, b, c] = corners.map((v) => [
    left + scale * seen[3 * v],
    top - scale * seen[3 * v + 1],
    scale * seen[3 * v + 2],
  ]);
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  if (!(Math.abs(area) > 1e-12)) return;
  const value = 70 + 170 * facing(a, b, c);
  const [x0, x1] = [Math.min(a[0], b[0], c[0]), Math.max(a[0], b[0], c[0])];
  const [y0, y1] = [Math.min(a[1], b[1], c[1]), Math.max(a[1], b[1], c[1])];
  for (let y = Math.max(0, Math.floor(y0)); y <= Math.min(HEIGHT - 1, y1); y++) {
    for (let x = Math.max(0, Math.floor(x0)); x <= Math.min(WIDTH - 1, x1); x++) {
      const u = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area;
      const v = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area;
      const w = 1 - u - v;
      if (u < 0 || v < 0 || w < 0) continue;
      const z = u * a[2] + v * b[2] + w * c[2];
      const pixel = y * WIDTH + x;
      if (z <= depth[pixel]) continue;
      depth[pixel] = z;
      shade[pixel] = value;
    }
  }
}

/** How much a face looks into the light, from either side; pixels go down, so that y is turned over. */
function facing(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [ux, uy, uz] = [b[0] - a[0], a[1] - b[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], a[1] - c[1], c[2] - a[2]];
  const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  return length > 0 ? Math.abs(n[0] * LIGHT[0] + n[1] * LIGHT[1] + n[2] * LIGHT[2]) / length : 0;
}

/** Grey with transparency, which a page in the dark shows as well. */
function png(shade: Uint8Array, depth: Float64Array): Uint8Array {
  const rows = new Uint8Array(HEIGHT * (1 + 2 * WIDTH));
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = y * (1 + 2 * WIDTH) + 1 + 2 * x;
      rows[at] = shade[y * WIDTH + x];
      rows[at + 1] = depth[y * WIDTH + x] > Number.NEGATIVE_INFINITY ? 255 : 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits, grey and alpha.
  header.set([8, 4, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), 4 + body.length);
  return out;
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
