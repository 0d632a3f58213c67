/** Unpacks the caches of examples: the inverse of `scripts/pack-example.mjs`. */

const HEADER = 32;

/**
 * @param packed  the header of a PC2, an exponent, and deflated second differences of multiples of 2 to that exponent
 * @returns       the PC2 file
 */
export async function unpackFrames(packed: ArrayBuffer): Promise<ArrayBuffer> {
  const head = new DataView(packed);
  const [width, frames, exponent] = [3 * head.getInt32(16, true), head.getInt32(28, true), head.getInt32(HEADER, true)];
  const deflated = new Blob([packed.slice(HEADER + 4)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const planes = new Uint8Array(await new Response(deflated).arrayBuffer());
  const count = width * frames;
  const pc2 = new ArrayBuffer(HEADER + 4 * count);
  new Uint8Array(pc2).set(new Uint8Array(packed, 0, HEADER));
  const out = new DataView(pc2);
  const step = 2 ** exponent;
  for (let c = 0; c < width; c++) {
    let [before, last] = [0, 0];
    for (let t = 0; t < frames; t++) {
      const place = c * frames + t;
      const code = planes[place] + 256 * planes[count + place] + 65_536 * planes[2 * count + place];
      const rest = code % 2 === 0 ? code / 2 : -(code + 1) / 2;
      const value = rest + (t < 2 ? last : 2 * last - before);
      out.setFloat32(HEADER + 4 * (t * width + c), value * step, true);
      [before, last] = [last, value];
    }
  }
  return pc2;
}
