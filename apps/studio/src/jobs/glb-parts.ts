/** What the bytes of a GLB are for: vertices, keys, or the JSON that says how they belong together. */
import type { FileParts } from '../store/document.ts';

interface View {
  readonly byteLength: number;
  readonly extensions?: { readonly EXT_meshopt_compression?: { readonly byteLength: number } };
}

/** What is used of a glTF; everything may be absent. */
interface Json {
  readonly accessors?: readonly { readonly bufferView?: number }[];
  readonly bufferViews?: readonly View[];
  readonly animations?: readonly {
    readonly samplers?: readonly { readonly input: number; readonly output: number }[];
  }[];
}

const HEADER = 12;
const CHUNK_HEADER = 8;

/** @param bytes  of a GLB that pelt wrote */
export function glbParts(bytes: Uint8Array): FileParts {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = header.getUint32(HEADER, true);
  const start = HEADER + CHUNK_HEADER;
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + length))) as Json;
  const keyed = new Set<number>();
  for (const { samplers = [] } of json.animations ?? []) {
    for (const { input, output } of samplers) {
      for (const accessor of [input, output]) keyed.add(json.accessors?.[accessor]?.bufferView ?? -1);
    }
  }
  let animation = 0;
  (json.bufferViews ?? []).forEach((view, k) => {
    if (keyed.has(k)) animation += view.extensions?.EXT_meshopt_compression?.byteLength ?? view.byteLength;
  });
  const jsonBytes = start + length;
  return { json: jsonBytes, animation, geometry: bytes.length - jsonBytes - animation };
}
