/**
 * Arrays of an extension in few bytes: each is encoded as elements of the width that packs it best, and as it is where no
 * width makes it smaller than its description.
 */
import type { GltfExtension, StoredArray } from '@pelt/model/internal';
import { Codec } from './codec.ts';

/** Widths of elements that are tried, in bytes; the codec stores differences between elements, byte by byte. */
const STRIDES = [4, 8, 12, 16, 24, 32, 64];
/** Text that describes a packed view, beyond that of a plain one. */
const DESCRIPTION = 110;

/**
 * Packs the arrays of an extension as Meshopt does the streams of a mesh.
 *
 * @param extension  with arrays as whole numbers of steps in `stored`, where they shall be
 * @returns the same with every array packed that becomes smaller
 * @example
 * {@includeCode ../examples/packed-arrays.ts}
 */
export async function packArrays(extension: GltfExtension): Promise<GltfExtension> {
  const { encoder } = await Codec.load('none');
  const stored: Record<string, StoredArray> = { ...extension.stored };
  for (const [key, array] of Object.entries(extension.buffers)) {
    const given = stored[key] ?? { numbers: array };
    const { numbers } = given;
    const plain = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    let best: StoredArray['meshopt'];
    for (const stride of STRIDES) {
      const count = Math.ceil(plain.length / stride);
      const padded = new Uint8Array(count * stride);
      padded.set(plain);
      const bytes = encoder.encodeGltfBuffer(padded, count, stride, 'ATTRIBUTES', 0);
      if (bytes.length < (best?.bytes.length ?? plain.length - DESCRIPTION)) best = { bytes, stride, count };
    }
    if (best) stored[key] = { ...given, meshopt: best };
  }
  return { ...extension, stored };
}
