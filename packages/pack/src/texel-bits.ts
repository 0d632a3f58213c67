/** How fine UVs must be: to half a texel of the largest image of a file. */
import type { Mesh } from '@pelt/model';

/** Coarser than this nobody needs. */
const LEAST_BITS = 8;

/**
 * Bits behind the point of a UV whose step is one texel, so that rounding moves by half of one at most; `most` where the
 * size of an image is not known.
 */
export function texelBits({ images = [], materials = [] }: Mesh, most: number): number {
  const sizes = images.map(({ bytes }) => imageSize(bytes) ?? 2 ** most);
  const tiling = materials.flatMap((material) =>
    Object.values(material).map((value) => {
      const { transform } = (typeof value === 'object' ? value : {}) as { transform?: { scale: readonly number[] } };
      return Math.max(1, ...(transform?.scale.map(Math.abs) ?? []));
    }),
  );
  const texels = Math.max(1, ...sizes) * Math.max(1, ...tiling);
  let bits = LEAST_BITS;
  while (bits < most && 2 ** bits < texels) bits++;
  return bits;
}

/** The longer side of a PNG, JPEG, WebP or KTX2 image, in texels; undefined for others. */
export function imageSize(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (text: string, at = 0) => [...text].every((letter, k) => bytes[at + k] === letter.charCodeAt(0));
  if (starts('\x89PNG') && bytes.length >= 24) return Math.max(view.getUint32(16), view.getUint32(20));
  if (starts('\xabKTX 20') && bytes.length >= 28) return Math.max(view.getUint32(20, true), view.getUint32(24, true));
  if (starts('\xff\xd8')) return jpegSize(view);
  if (starts('RIFF') && starts('WEBP', 8) && bytes.length >= 30) return webpSize(view, starts);
  return undefined;
}

/** Of the frame header, which one of the segments is. */
function jpegSize(view: DataView): number | undefined {
  for (let at = 2; at + 9 < view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return Math.max(view.getUint16(at + 5), view.getUint16(at + 7));
    // Fill bytes stand alone.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webpSize(view: DataView, starts: (text: string, at: number) => boolean): number | undefined {
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (starts('VP8X', 12)) return 1 + Math.max(uint24(24), uint24(27));
  if (starts('VP8 ', 12)) return Math.max(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (!starts('VP8L', 12)) return undefined;
  const bits = view.getUint32(21, true);
  return 1 + Math.max(bits & 0x3fff, (bits >>> 14) & 0x3fff);
}
