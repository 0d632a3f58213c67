/**
 * Meshopt's vertex codec (bitstream of version 0) for files that a general compressor, such as brotli, sees after it.
 *
 * The codec stores the differences of neighbours byte by byte, sixteen of them in 0, 2, 4 or 8 bits each, whichever is
 * shortest. A general compressor counts whole bytes: packed into nibbles, a difference shares its byte with another one,
 * and the same value is a different byte in every group. So groups are all zeros, or stay whole bytes: larger by a quarter
 * to a half as they are, smaller by 2 to 30 % after brotli. Decoders read both alike, and whole bytes faster.
 *
 * Reference: the glTF extension EXT_meshopt_compression, mode 0: attributes.
 */

const HEADER = 0xa0;
const [BLOCK_BYTES, MOST_ROWS, GROUP] = [8192, 256, 16];
const LEAST_TAIL = 32;
/** Two bits for each group: nothing but zeros, or a byte for each number. */
const BYTES = 3;

/**
 * @param bytes  count × stride
 * @param stride  a multiple of 4, up to 256
 */
export function encodeWholeBytes(bytes: Uint8Array, stride: number): Uint8Array<ArrayBuffer> {
  const count = bytes.length / stride;
  const block = Math.min(MOST_ROWS, Math.floor(BLOCK_BYTES / stride) & -GROUP);
  const tail = Math.max(stride, LEAST_TAIL);
  const out = new Uint8Array(1 + tail + stride * (Math.ceil(count / GROUP) * GROUP + Math.ceil(count / block) * GROUP));
  out[0] = HEADER;
  let at = 1;
  const last = bytes.slice(0, stride);
  for (let first = 0; first < count; first += block) {
    const rows = Math.min(block, count - first);
    for (let k = 0; k < stride; k++) {
      const groups = Math.ceil(rows / GROUP);
      const header = at;
      at += Math.ceil(groups / 4);
      let before = last[k];
      for (let g = 0; g < groups; g++) {
        let any = 0;
        const end = Math.min(GROUP * (g + 1), rows);
        for (let i = GROUP * g; i < end; i++) {
          const value = bytes[(first + i) * stride + k];
          const difference = (value - before) << 24;
          // Small numbers of either sign become small ones: 0, −1, 1, −2, 2 …
          const folded = ((difference >> 23) ^ (difference >> 31)) & 255;
          out[at + i - GROUP * g] = folded;
          any |= folded;
          before = value;
        }
        if (any === 0) continue;
        out[header + (g >> 2)] |= BYTES << (2 * (g & 3));
        at += GROUP;
      }
      // What was written for the last rows of zeros, if any, is overwritten by what follows: zeros, too.
      last[k] = before;
    }
  }
  // The first row stands at the end, for decoders that begin with it.
  at += tail - stride;
  out.set(bytes.subarray(0, stride), at);
  return out.slice(0, at + stride);
}
