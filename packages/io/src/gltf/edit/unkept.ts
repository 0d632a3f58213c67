/** What a file has that a new file made of its mesh, bones and clips would not. */
import { isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import { parseGltf } from '../open-document.ts';

/** Extensions that are kept as what they mean, or that say how arrays are stored. */
const KEPT =
  /^(?:KHR_materials_unlit|KHR_texture_transform|KHR_mesh_quantization|KHR_draco_mesh_compression|(?:EXT|KHR)_meshopt_compression|EXT_texture_webp|KHR_texture_basisu|PELT_.*)$/;

/**
 * Things in a glTF that only `editGltf` and `rewriteGltf` pass on, for messages.
 *
 * @param bytes  of a GLB or glTF
 * @example
 * {@includeCode ../../../examples/characters.ts}
 */
export function unkeptOf(bytes: Uint8Array): string[] {
  const { json } = parseGltf(bytes);
  const used = Array.isArray(json.extensionsUsed) ? json.extensionsUsed : [];
  const extensions = used.filter((name): name is string => typeof name === 'string' && !KEPT.test(name));
  const cameras = objectsOf(json, 'cameras').length;
  return [
    ...extensions,
    ...(cameras > 0 ? [cameras === 1 ? 'a camera' : `${cameras} cameras`] : []),
    ...(hasExtras(json) ? ['extras'] : []),
  ];
}

/** At the root, or of materials, scenes and skins; those of nodes are kept with their bones, names of morph targets too. */
function hasExtras(json: JsonObject): boolean {
  const holders = [json, ...['materials', 'scenes', 'skins', 'animations'].flatMap((key) => objectsOf(json, key))];
  return holders.some(({ extras }) => extras !== undefined && !(isObject(extras) && Object.keys(extras).length === 0));
}
