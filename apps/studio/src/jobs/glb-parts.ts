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
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly skins?: readonly unknown[];
  readonly meshes?: readonly {
    readonly primitives?: readonly { readonly targets?: readonly unknown[] }[];
    readonly extras?: { readonly targetNames?: readonly unknown[] };
  }[];
  readonly animations?: readonly {
    readonly samplers?: readonly { readonly input: number; readonly output: number }[];
  }[];
}

/** Names of morph targets from which on a mesh is a face. */
const FEWEST_SLIDERS = 2;
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

/** Whether a file is a face: blend shapes without a skin, or sliders that were fitted to them. */
export function faceKind(bytes: Uint8Array): 'shapes' | 'fitted' | undefined {
  const json = jsonOf(bytes);
  if (!json) return undefined;
  if (json.extensions?.PELT_sliders) return 'fitted';
  const shapes = (json.meshes ?? []).flatMap(({ primitives = [], extras }) =>
    primitives.flatMap(({ targets = [] }) => (targets.length > 0 ? (extras?.targetNames ?? []) : [])),
  );
  // Frames of an animation are morph targets too; sliders have names that people gave them.
  const named = shapes.filter(
    (name) => typeof name === 'string' && !/^(?:frame|shape|target|morph)?[\s_-]*\d*$/i.test(name),
  );
  return (json.skins ?? []).length === 0 && new Set(named).size >= FEWEST_SLIDERS ? 'shapes' : undefined;
}

/** The JSON of a GLB; undefined for any other file. */
function jsonOf(bytes: Uint8Array): Json | undefined {
  const start = HEADER + CHUNK_HEADER;
  if (bytes.length < start || new TextDecoder('latin1').decode(bytes.subarray(0, 4)) !== 'glTF') return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(HEADER, true);
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + length))) as Json;
  } catch {
    return undefined;
  }
}
