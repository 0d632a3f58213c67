/** Pictures as PNG: 8 bits per channel, no transparency. */
import { joinBytes, pngFile } from '@pelt/io/internal';

/** Every row is stored as differences from the pixel to the left, which shaded surfaces compress well by. */
const FILTER_SUB = 1;

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** height × width × 3 */
  readonly pixels: Uint8Array;
}

/** @throws RangeError where the pixels are not those of the size */
export async function writePng({ width, height, pixels }: Picture): Promise<Uint8Array> {
  if (pixels.length !== 3 * width * height)
    throw new RangeError(`${pixels.length} bytes are not ${width} × ${height} pixels`);
  const rows = new Uint8Array(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    const [from, to] = [3 * width * y, (1 + 3 * width) * y];
    rows[to] = FILTER_SUB;
    for (let k = 0; k < 3 * width; k++) rows[to + 1 + k] = pixels[from + k] - (k < 3 ? 0 : pixels[from + k - 3]);
  }
  return pngFile(width, height, 8, await deflated(rows));
}

/** In the zlib format, which is what PNG asks for. */
async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new CompressionStream('deflate');
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const parts: Uint8Array[] = [];
  const reader = stream.readable.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value) parts.push(value);
  }
  await written;
  return joinBytes(parts);
}
