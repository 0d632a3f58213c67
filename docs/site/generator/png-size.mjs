// @ts-check
/** The size of a PNG, from its first chunk, so that a page knows where its text is before the picture has come. */

/** @param {Uint8Array} bytes @returns {{ width: number, height: number }} */
export function pngSize(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24 || view.getUint32(0) !== 0x89504e47) throw new Error('docs: a .png is not a PNG file');
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
