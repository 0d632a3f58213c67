/** Extensions at the root of a glTF with their arrays, read through three's GLTFLoader. */
import { InputError } from '@pelt/model';
import { decodePayloadArray, type GltfExtension } from '@pelt/model/internal';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';

type Json = Readonly<Record<string, unknown>>;

/** An extension at the root of the file; undefined where it is not there. */
export async function readExtension(parser: GLTFParser, name: string): Promise<GltfExtension | undefined> {
  const json = rootExtension(parser, name);
  if (!json) return undefined;
  const read = Object.entries(isObject(json.buffers) ? json.buffers : {}).map(async ([key, entry]) => {
    const where = `${name}: buffers.${key}`;
    if (!isObject(entry)) throw new InputError(`${where} must be an object`);
    const needsBytes = entry.length !== 0;
    const bytes = needsBytes && (await parser.getDependency('bufferView', entry.bufferView as number));
    return [key, decodePayloadArray(entry, where, bytes ? new Uint8Array(bytes) : undefined)] as const;
  });
  return { name, json, buffers: Object.fromEntries(await Promise.all(read)) };
}

export function rootExtension({ json }: GLTFParser, name: string): Json | undefined {
  const found: unknown = json.extensions?.[name];
  return isObject(found) ? found : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
