import { InputError, PeltError, UnsupportedError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import { AccessorSet } from './accessor-set.ts';
import { type CheckedViews, checkAccessors, checkBufferViews, DRACO, MESHOPT } from './check-accessors.ts';
import { decodePayloads } from './decode-payloads.ts';
import { isGlb, readGlbContainer } from './glb-container.ts';
import { isObject, type JsonObject, textOf } from './json-shape.ts';
import { loadBuffers, type ResolveFile } from './resources.ts';

/**
 * A glTF file before anything is made of it: its JSON, and the numbers of every accessor, decoded and checked against the
 * bytes that are there. Readers turn it into an asset, the packer writes it back in fewer bytes.
 */
export interface GltfDocument {
  readonly json: JsonObject;
  readonly accessors: AccessorSet;
  readonly views: CheckedViews;
  readonly resolve: ResolveFile | undefined;
  /** Of the file and of the buffers beside it. */
  readonly totalBytes: number;
}

/** Extensions that are read although a file may require them. */
const READ_EXTENSIONS = [
  DRACO,
  MESHOPT,
  'KHR_mesh_quantization',
  'KHR_texture_transform',
  'KHR_materials_unlit',
  'KHR_texture_basisu',
  'EXT_texture_webp',
  'EXT_texture_avif',
];
/** Extensions of nodes that change neither shape nor motion. */
const LOOK_EXTENSIONS = /^(KHR_materials_|KHR_lights_|KHR_xmp|EXT_lights_|MSFT_texture_|KHR_node_visibility$)/;

/** Any bytes give a document or a `PeltError` that says what is wrong and where. */
export async function openDocument(
  bytes: Uint8Array,
  resolve: ResolveFile | undefined,
  warnings: WarningTally,
): Promise<GltfDocument> {
  const { json: stored, binary } = parseGltf(bytes);
  const json = withCommonMeshopt(stored);
  checkVersion(json);
  checkExtensions(json, warnings);
  const buffers = await loadBuffers(json, binary, resolve);
  const totalBytes = buffers.reduce((sum, buffer) => sum + (buffer?.length ?? 0), bytes.length);
  const views = checkBufferViews(json, buffers, warnings);
  const checked = checkAccessors(json, views, totalBytes, warnings);
  // glTF-Transform is large: loaded when there is something for it to decode.
  const { decodeAccessors } = await import('./decode-accessors.ts');
  const accessors = new AccessorSet(checked, await decodeAccessors(json, buffers, views, checked));
  return { json, accessors, views: await decodePayloads(json, buffers, views), resolve, totalBytes };
}

/** The JSON of a file as it is, and the binary chunk of a GLB. */
export function parseGltf(bytes: Uint8Array): { readonly json: JsonObject; readonly binary: Uint8Array | undefined } {
  const chunks = isGlb(bytes) ? readGlbContainer(bytes) : { json: bytes, binary: undefined };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(chunks.json));
  } catch (error) {
    throw new InputError('it is neither a GLB nor JSON text', { cause: error });
  }
  if (!isObject(json)) throw new InputError('its JSON is not an object');
  return { json, binary: chunks.binary };
}

/** The ratified extension stores what its forerunner did, under a new name. */
function withCommonMeshopt(json: JsonObject): JsonObject {
  if (!Array.isArray(json.extensionsUsed) || !json.extensionsUsed.includes('KHR_meshopt_compression')) return json;
  const renamed = { ...json };
  for (const key of ['buffers', 'bufferViews', 'extensionsUsed', 'extensionsRequired']) {
    if (json[key] === undefined) continue;
    renamed[key] = JSON.parse(JSON.stringify(json[key]).replaceAll('"KHR_meshopt_compression"', `"${MESHOPT}"`));
  }
  return renamed;
}

function checkVersion(json: JsonObject): void {
  const version = isObject(json.asset) ? textOf(json.asset, 'version') : '';
  if (version === '') throw new InputError('its JSON has no asset.version, so it is not a glTF file');
  if (!/^2\.\d+$/.test(version)) throw new UnsupportedError(`it is glTF ${version.slice(0, 8)}; pelt reads glTF 2`);
  // A later 2.x can be read as 2.0, unless the file says that it cannot.
  const least = isObject(json.asset) ? textOf(json.asset, 'minVersion') : '';
  if (least !== '' && least !== '2.0') {
    throw new UnsupportedError(`it needs a reader of glTF ${least.slice(0, 8)}; pelt reads glTF 2.0`);
  }
}

function checkExtensions(json: JsonObject, warnings: WarningTally): void {
  const used = Array.isArray(json.extensionsUsed) ? json.extensionsUsed : [];
  if (used.includes('EXT_mesh_gpu_instancing')) warnings.add('of instanced meshes only the first is read');
  const required = Array.isArray(json.extensionsRequired) ? json.extensionsRequired : [];
  for (const name of required) {
    if (typeof name !== 'string') throw new InputError('extensionsRequired holds something that is not a name');
    if (READ_EXTENSIONS.includes(name)) continue;
    // The specification forbids to load what needs an extension that is not known, wherever it is used.
    if (!LOOK_EXTENSIONS.test(name)) throw new UnsupportedError(`it needs the extension ${name.slice(0, 40)}`);
    warnings.add(`it is read without ${name}, so it may look different`);
  }
}

/** Whatever happened, as an error that names the file. */
export function labelled(label: string, error: unknown): PeltError {
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
  if (error instanceof UnsupportedError) return new UnsupportedError(`${label}: ${message}`, { cause: error });
  if (error instanceof InputError) return new InputError(`${label}: ${message}`, { cause: error });
  if (error instanceof PeltError) return error;
  return new InputError(`${label}: it cannot be decoded: ${message}`, { cause: error });
}
