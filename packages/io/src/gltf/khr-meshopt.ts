/**
 * A packed GLB under the name of the ratified extension. KHR_meshopt_compression stores what EXT_meshopt_compression does;
 * readers that know only the newer name are served by it, those that know only the older one are not.
 */
import { InputError } from '@pelt/model';
import { MESHOPT } from './check-accessors.ts';
import { isGlb, readGlbContainer, writeGlbContainer } from './glb-container.ts';
import { isObject, type JsonObject } from './json-shape.ts';

const RATIFIED = 'KHR_meshopt_compression';

/**
 * Renames the compression of a GLB packed by `compressGlb` to KHR_meshopt_compression.
 *
 * @param bytes  of a GLB
 * @example
 * {@includeCode ../../examples/khr-meshopt.ts}
 */
export function withKhrMeshopt(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (!isGlb(bytes)) throw new InputError('it is not a GLB, so that it has no compression to rename');
  const { json: text, binary } = readGlbContainer(bytes);
  const json = JSON.parse(new TextDecoder().decode(text)) as JsonObject;
  const renamed = {
    ...json,
    ...listOf(json, 'extensionsUsed', (name) => (name === MESHOPT ? RATIFIED : name)),
    ...listOf(json, 'extensionsRequired', (name) => (name === MESHOPT ? RATIFIED : name)),
    ...listOf(json, 'buffers', renameExtension),
    ...listOf(json, 'bufferViews', renameExtension),
  };
  return writeGlbContainer(new TextEncoder().encode(JSON.stringify(renamed)), binary);
}

function listOf(json: JsonObject, key: string, change: (item: unknown) => unknown): JsonObject {
  const list = json[key];
  return Array.isArray(list) ? { [key]: list.map(change) } : {};
}

function renameExtension(owner: unknown): unknown {
  if (!isObject(owner) || !isObject(owner.extensions) || !(MESHOPT in owner.extensions)) return owner;
  const { [MESHOPT]: packed, ...others } = owner.extensions;
  return { ...owner, extensions: { ...others, [RATIFIED]: packed } };
}
