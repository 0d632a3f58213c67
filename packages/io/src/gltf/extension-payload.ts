import { InputError, UsageError } from '@pelt/model';
import type { CheckedViews } from './check-accessors.ts';
import { childOf, countOf, indexOf, isObject, type JsonObject, textOf } from './json-shape.ts';

/**
 * Data of pelt's own that travels in a glTF: an extension at the root of the file, with any JSON and named arrays. In
 * the file it is `extensions.NAME = { …json, buffers: { key: { bufferView, type, length } } }`, where `type` is the
 * name of the typed array; programs that do not know it leave it alone.
 */
export interface GltfExtension {
  /** An upper-case prefix, an underscore, a name: `PELT_envelope`. */
  readonly name: string;
  readonly json: JsonObject;
  readonly buffers: Readonly<Record<string, PayloadArray>>;
}

export const PAYLOAD_TYPES = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
};

export type PayloadArray = InstanceType<(typeof PAYLOAD_TYPES)[keyof typeof PAYLOAD_TYPES]>;

/** Every extension at the root; those without arrays in pelt's form have none. */
export function readExtensions(json: JsonObject, views: CheckedViews): GltfExtension[] {
  return Object.entries(childOf(json, 'extensions', 'glTF')).flatMap(([name, value]) => {
    if (!isObject(value)) return [];
    const { buffers, ...rest } = value;
    if (!isObject(buffers)) return [{ name, json: value, buffers: {} }];
    const where = `extensions.${name}.buffers`;
    const read = Object.keys(buffers).map((key) => [
      key,
      readArray(childOf(buffers, key, where), `${where}.${key}`, views),
    ]);
    return [{ name, json: rest, buffers: Object.fromEntries(read) }];
  });
}

function readArray(entry: JsonObject, where: string, views: CheckedViews): PayloadArray {
  const type = textOf(entry, 'type');
  if (!Object.hasOwn(PAYLOAD_TYPES, type)) throw new InputError(`${where}.type is not the name of a typed array`);
  const TypedArray = PAYLOAD_TYPES[type as keyof typeof PAYLOAD_TYPES];
  const length = countOf(entry, 'length', where);
  if (length === 0) return new TypedArray(0);
  const view = indexOf(entry, 'bufferView', where, views.lengths.length);
  const bytes = views.bytes[view];
  const byteLength = length * TypedArray.BYTES_PER_ELEMENT;
  if (!bytes || bytes.length < byteLength) {
    throw new InputError(`${where} needs ${byteLength} bytes, but bufferViews[${view}] has ${bytes?.length ?? 0}`);
  }
  return new TypedArray(bytes.slice(0, byteLength).buffer);
}

/** The names that a validator accepts. */
const NAME_PATTERN = /^[A-Z][A-Z0-9]*_[A-Za-z0-9_]+$/;
/** An extension as the JSON of a file has it. */
export type GltfExtensionEntry = Readonly<Record<string, unknown>>;

/** @param place  the buffer view of an array; undefined for an empty one */
export function payloadEntry(
  payload: GltfExtension,
  place: (array: PayloadArray, key: string) => number | undefined,
): GltfExtensionEntry {
  requirePayload(payload);
  const buffers = Object.entries(payload.buffers).map(([key, array]) => {
    const bufferView = place(array, key);
    return [key, { type: typeName(array), length: array.length, ...(bufferView !== undefined && { bufferView }) }];
  });
  return { ...payload.json, ...(buffers.length > 0 && { buffers: Object.fromEntries(buffers) }) };
}

export function requirePayload(payload: GltfExtension): void {
  if (!NAME_PATTERN.test(payload.name)) {
    throw new UsageError(`the extension name '${payload.name}' must be a prefix in capitals, '_' and a word`);
  }
  if (Object.hasOwn(payload.json, 'buffers')) {
    throw new UsageError(`extension ${payload.name}: 'buffers' is the key of its arrays and cannot be one of its JSON`);
  }
}

function typeName(array: PayloadArray): string {
  const found = Object.entries(PAYLOAD_TYPES).find(([, TypedArray]) => array instanceof TypedArray);
  if (!found) throw new UsageError('an extension holds an array that glTF has no place for');
  return found[0];
}
