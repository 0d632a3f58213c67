/** A GLB's JSON, and a GLB with another JSON and the same data: for tests that look at a file or break it. */

// biome-ignore lint/suspicious/noExplicitAny: a test may put anything anywhere in it
export type Json = any;

export function jsonOf(glb: Uint8Array): Json {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + view.getUint32(12, true))));
}

export function binaryOf(glb: Uint8Array): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  return glb.subarray(28 + view.getUint32(12, true));
}

export function glbOf(json: Json, binary: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const [jsonLength, binaryLength] = [text.length, binary.length].map((length) => Math.ceil(length / 4) * 4);
  const length = 28 + jsonLength + binaryLength;
  const glb = new Uint8Array(length);
  const view = new DataView(glb.buffer);
  [0x46546c67, 2, length, jsonLength, 0x4e4f534a].forEach((word, k) => {
    view.setUint32(4 * k, word, true);
  });
  glb.fill(0x20, 20, 20 + jsonLength);
  glb.set(text, 20);
  view.setUint32(20 + jsonLength, binaryLength, true);
  view.setUint32(24 + jsonLength, 0x004e4942, true);
  glb.set(binary, 28 + jsonLength);
  return glb;
}
