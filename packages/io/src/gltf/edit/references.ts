/** Where the JSON of a glTF names accessors and buffer views. */
import { isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import type { MutableJson } from './raw-document.ts';

/** A property that is an index. */
export interface Reference {
  readonly holder: MutableJson;
  readonly key: string;
}

/** Extensions that name no accessors but in the places below. Files with others keep every accessor where it is. */
const KNOWN =
  /^(?:KHR_materials_.*|KHR_texture_.*|EXT_texture_.*|MSFT_texture_dds|KHR_lights_punctual|KHR_mesh_quantization|KHR_draco_mesh_compression|(?:EXT|KHR)_meshopt_compression|EXT_mesh_gpu_instancing|KHR_animation_pointer|KHR_node_visibility|KHR_xmp_json_ld|VRM|VRMC_.*|PELT_.*)$/;

/** Whether every accessor that a file uses can be found. */
export function knowsAccessors(json: JsonObject): boolean {
  const used = Array.isArray(json.extensionsUsed) ? json.extensionsUsed : [];
  return used.every((name) => typeof name === 'string' && KNOWN.test(name));
}

export function accessorReferences(json: JsonObject): Reference[] {
  const found: Reference[] = [];
  const add = (holder: unknown, key: string) => {
    if (isObject(holder) && typeof holder[key] === 'number') found.push({ holder: holder as MutableJson, key });
  };
  const addAll = (holder: unknown) => {
    if (isObject(holder)) for (const key of Object.keys(holder)) add(holder, key);
  };
  for (const mesh of objectsOf(json, 'meshes')) {
    for (const primitive of objectsOf(mesh, 'primitives')) {
      addAll(primitive.attributes);
      add(primitive, 'indices');
      for (const target of objectsOf(primitive, 'targets')) addAll(target);
    }
  }
  for (const animation of objectsOf(json, 'animations')) {
    for (const sampler of objectsOf(animation, 'samplers')) {
      add(sampler, 'input');
      add(sampler, 'output');
    }
  }
  for (const skin of objectsOf(json, 'skins')) add(skin, 'inverseBindMatrices');
  for (const { extensions } of objectsOf(json, 'nodes')) {
    const instancing = isObject(extensions) ? extensions.EXT_mesh_gpu_instancing : undefined;
    if (isObject(instancing)) addAll(instancing.attributes);
  }
  return found;
}

/** Every property called `bufferView`, which all extensions use for nothing else. */
export function viewReferences(json: unknown): Reference[] {
  const found: Reference[] = [];
  const pending: unknown[] = [json];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) pending.push(item);
    } else if (isObject(value)) {
      if (typeof value.bufferView === 'number') found.push({ holder: value as MutableJson, key: 'bufferView' });
      for (const [key, item] of Object.entries(value)) {
        // What applications keep for themselves is nobody else's to understand.
        if (key !== 'extras' && typeof item === 'object' && item !== null) pending.push(item);
      }
    }
  }
  return found;
}
