/**
 * Whether an encoded picture is whole, by its container alone: pictures are passed on without being decoded, and a
 * damaged one would only be noticed in front of an audience.
 */
import { crc32 } from './crc32.ts';

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * @param bytes     of the picture
 * @param mimeType  of what its first bytes say
 * @return what is wrong, as the rest of a sentence; undefined: nothing, or a kind without a check
 */
export function pictureFault(bytes: Uint8Array, mimeType: string | undefined): string | undefined {
  if (mimeType === undefined) return 'is no picture of a known kind';
  if (mimeType === 'image/png') return pngFault(bytes);
  if (mimeType === 'image/jpeg') return endOfJpeg(bytes) < 0 ? 'ends before its last line (JPEG)' : undefined;
  if (mimeType === 'image/webp') {
    const size = bytes.length < 12 ? Number.POSITIVE_INFINITY : viewOf(bytes).getUint32(4, true) + 8;
    return size > bytes.length ? 'is cut off (WebP)' : undefined;
  }
  return undefined;
}

/** Chunks by their lengths and checksums, up to IEND. */
function pngFault(bytes: Uint8Array): string | undefined {
  if (PNG_SIGNATURE.some((value, k) => bytes[k] !== value)) return 'has a damaged signature (PNG)';
  const view = viewOf(bytes);
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return 'is cut off (PNG)';
    const kind = view.getUint32(at + 4);
    if (crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) return `is damaged at byte ${at} (PNG)`;
    if (kind === IEND) return undefined;
    at = end + 4;
  }
  return 'is cut off (PNG)';
}

const IEND = 0x49454e44;

/** The last end-of-image marker; cameras append data of their own behind it. */
function endOfJpeg(bytes: Uint8Array): number {
  for (let k = bytes.length - 2; k >= 2; k--) if (bytes[k] === 0xff && bytes[k + 1] === 0xd9) return k;
  return -1;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
