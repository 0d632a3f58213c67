/** Named arrays of pelt's glTF extensions, read through three's GLTFLoader; docs/extensions says how they are stored. */
import { InputError } from '@pelt/model';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';

const TYPES = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
};

/** The first of every extension; docs/extensions describes it. */
const VERSION = 1;

type TypedArray = InstanceType<(typeof TYPES)[keyof typeof TYPES]>;

export interface ExtensionArrays {
  readonly json: Readonly<Record<string, unknown>>;
  readonly has: (name: string) => boolean;
  readonly array: <T extends TypedArray>(name: string, Type: new (length: number) => T) => T;
  readonly count: (key: string) => number;
}

/**
 * Reads an extension at the root of the file; undefined where it is not there.
 *
 * @param latest  the latest version; earlier ones are read as well
 */
export async function readExtension(
  parser: GLTFParser,
  name: string,
  latest: number = VERSION,
): Promise<ExtensionArrays | undefined> {
  const json = rootExtension(parser, name);
  if (!json) return undefined;
  const { version } = json;
  if (!Number.isInteger(version) || Number(version) < VERSION || Number(version) > latest) {
    const read = latest === VERSION ? `version ${latest}` : `versions ${VERSION} to ${latest}`;
    throw new InputError(`${name} has version ${String(version)}; this reads ${read}, so update @pelt/three`);
  }
  const buffers = isObject(json.buffers) ? json.buffers : {};
  const read = await Promise.all(
    Object.entries(buffers).map(async ([key, entry]) => {
      const where = `${name}: buffers.${key}`;
      if (!isObject(entry)) throw new InputError(`${where} must be an object`);
      return [key, await readArray(parser, entry, where)] as const;
    }),
  );
  const arrays = new Map<string, TypedArray>(read);
  return {
    json,
    has: (key) => arrays.has(key),
    array: (key, Type) => {
      const found = arrays.get(key);
      if (!(found instanceof Type)) throw new InputError(`${name}: buffers.${key} must be a ${Type.name}`);
      return found;
    },
    count: (key) => {
      const value = json[key];
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
        throw new InputError(`${name}: ${key} is ${String(value)}; it must be a whole number`);
      }
      return value;
    },
  };
}

export function rootExtension({ json }: GLTFParser, name: string): Record<string, unknown> | undefined {
  const found: unknown = json.extensions?.[name];
  return isObject(found) ? found : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readArray(parser: GLTFParser, entry: Record<string, unknown>, where: string): Promise<TypedArray> {
  const { type, length, bufferView } = entry;
  const Type = Object.hasOwn(TYPES, String(type)) ? TYPES[type as keyof typeof TYPES] : undefined;
  if (!Type) throw new InputError(`${where}.type is not the name of a typed array`);
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0) {
    throw new InputError(`${where}.length is ${String(length)}; it must be a whole number`);
  }
  if (length === 0) return new Type(0);
  const bytes: ArrayBuffer = await parser.getDependency('bufferView', bufferView as number);
  if (!(bytes?.byteLength >= length * Type.BYTES_PER_ELEMENT)) {
    throw new InputError(`${where} needs ${length * Type.BYTES_PER_ELEMENT} bytes, but has ${bytes?.byteLength ?? 0}`);
  }
  return new Type(bytes.slice(0, length * Type.BYTES_PER_ELEMENT));
}
