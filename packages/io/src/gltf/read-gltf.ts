import { InputError, PeltError, resolveOptions, UnsupportedError, validateMesh } from '@pelt/model';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';
import { AccessorSet } from './accessor-set.ts';
import { bindBones } from './bind-bones.ts';
import { bindWeights } from './bind-weights.ts';
import {
  checkAccessors,
  checkBufferViews,
  DRACO,
  EXPANSION_BASE_BYTES,
  EXPANSION_LIMIT,
  MESHOPT,
} from './check-accessors.ts';
import { readExtensions } from './extension-payload.ts';
import { isGlb, readGlbContainer } from './glb-container.ts';
import { isObject, type JsonObject, textOf } from './json-shape.ts';
import { mergeMesh } from './merge-mesh.ts';
import { restWorlds } from './node-poses.ts';
import { readAnimations } from './read-animations.ts';
import { readBlocks, targetCountsOf } from './read-blocks.ts';
import { readMaterials } from './read-materials.ts';
import { readNodes } from './read-nodes.ts';
import { readSkins } from './read-skins.ts';
import { loadBuffers, type ResolveFile } from './resources.ts';
import type { GltfAsset } from './scene.ts';

/**
 * A glTF 2.0 file, GLB or JSON, as one mesh at rest with all that moves it. Any bytes give an asset or a `PeltError`
 * that says what is wrong and where.
 *
 * Reference: Khronos Group. glTF 2.0 specification (ISO/IEC 12113:2022).
 */
export interface ReadGltfOptions extends ReadOptions {
  /** Bytes of a file that the glTF names, by its path relative to the glTF; never absolute, never outside its folder. */
  readonly resolve: ResolveFile | undefined;
}

export const READ_GLTF_DEFAULTS: ReadGltfOptions = { ...READ_DEFAULTS, resolve: undefined };

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
/** Where an extension can change shape or motion, and where it can change nothing but the look. */
const SHAPE_LISTS = ['buffers', 'bufferViews', 'accessors', 'meshes', 'nodes', 'skins', 'animations'];
const LOOK_LISTS = ['materials', 'textures', 'images', 'samplers', 'cameras'];

/**
 * Reads a glTF or GLB file: its meshes as one mesh, its nodes, skins, morph targets and animations.
 *
 * @param bytes  of the file; buffers and images beside it come through `options.resolve`
 * @example
 * {@includeCode ../../examples/skinned.ts}
 */
export async function readGltf(bytes: Uint8Array, options?: Partial<ReadGltfOptions>): Promise<GltfAsset> {
  const { name, onWarning, resolve } = resolveOptions('readGltf', READ_GLTF_DEFAULTS, options);
  const label = fileLabel('glTF', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    return await readAsset(bytes, stemOf(name), resolve, warnings);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}

async function readAsset(
  bytes: Uint8Array,
  name: string,
  resolve: ResolveFile | undefined,
  warnings: WarningTally,
): Promise<GltfAsset> {
  const { json, binary } = parseJson(bytes);
  checkVersion(json);
  checkExtensions(json, warnings);
  const buffers = await loadBuffers(json, binary, resolve);
  const totalBytes = buffers.reduce((sum, buffer) => sum + (buffer?.length ?? 0), bytes.length);
  const views = checkBufferViews(json, buffers, warnings);
  const checked = checkAccessors(json, views, totalBytes, warnings);
  // glTF-Transform is large: loaded when there is something for it to decode.
  const { decodeAccessors } = await import('./decode-accessors.ts');
  const accessors = new AccessorSet(checked, await decodeAccessors(json, buffers, views, checked));

  const tree = readNodes(json, warnings);
  const limit = EXPANSION_BASE_BYTES + EXPANSION_LIMIT * totalBytes;
  const blocks = readBlocks(json, tree, accessors, limit, warnings);
  if (!blocks.some(({ parts }) => parts.some(({ triangles }) => triangles.length > 0))) {
    throw new InputError('there are no triangles in its scene');
  }
  const worlds = restWorlds(tree.nodes, tree.order);
  const binding = bindBones(tree, worlds, readSkins(json, accessors, warnings), blocks, warnings);
  const materials = await readMaterials(json, views, resolve, warnings);
  const { mesh, morphs } = mergeMesh(name, blocks, binding, materials);
  validateMesh(mesh);
  const skinnedNodes = [...new Set(blocks.filter(({ skin }) => skin >= 0).map(({ node }) => node))];
  return {
    name,
    mesh,
    skinned: skinnedNodes.length > 0,
    scene: {
      nodes: tree.nodes,
      order: tree.order,
      bones: binding.bones,
      weights: bindWeights(blocks, binding, warnings),
      morphs,
      skinnedNodes,
    },
    animations: readAnimations(json, accessors, tree.nodes, targetCountsOf(json, tree), warnings),
    extensions: readExtensions(json, views),
  };
}

function parseJson(bytes: Uint8Array): { readonly json: JsonObject; readonly binary: Uint8Array | undefined } {
  const chunks = isGlb(bytes) ? readGlbContainer(bytes) : { json: bytes, binary: undefined };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(chunks.json));
  } catch (error) {
    throw new InputError('it is neither a GLB nor JSON text', { cause: error });
  }
  if (!isObject(json)) throw new InputError('its JSON is not an object');
  return { json: withCommonMeshopt(json), binary: chunks.binary };
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
    if (!LOOK_EXTENSIONS.test(name) && !isOfLooks(json, name))
      throw new UnsupportedError(`it needs the extension ${name.slice(0, 40)}`);
    warnings.add(`it is read without ${name}, so it may look different`);
  }
}

/** Whether a file uses an extension for its looks, and nowhere for its shape or motion. */
function isOfLooks(json: JsonObject, name: string): boolean {
  const uses = (key: string) => JSON.stringify(json[key] ?? null).includes(JSON.stringify(name));
  return LOOK_LISTS.some(uses) && !SHAPE_LISTS.some(uses);
}

/** Whatever happened, as an error that names the file. */
function labelled(label: string, error: unknown): PeltError {
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
  if (error instanceof UnsupportedError) return new UnsupportedError(`${label}: ${message}`, { cause: error });
  if (error instanceof InputError) return new InputError(`${label}: ${message}`, { cause: error });
  if (error instanceof PeltError) return error;
  return new InputError(`${label}: it cannot be decoded: ${message}`, { cause: error });
}
