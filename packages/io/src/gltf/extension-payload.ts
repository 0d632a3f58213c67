import { UsageError } from '@pelt/model';
import { decodePayloadArray, type GltfExtension, PAYLOAD_TYPES, type PayloadArray } from '@pelt/model/internal';
import type { CheckedViews } from './check-accessors.ts';
import { childOf, indexOf, isObject, type JsonObject } from './json-shape.ts';

export { type GltfExtension, PAYLOAD_TYPES, type PayloadArray };

export function extensionOf(
  asset: { readonly extensions: readonly GltfExtension[] },
  name: string,
): GltfExtension | undefined {
  return asset.extensions.find((extension) => extension.name === name);
}

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
  const needsBytes = entry.length !== 0;
  return decodePayloadArray(
    entry,
    where,
    needsBytes ? views.bytes[indexOf(entry, 'bufferView', where, views.lengths.length)] : undefined,
  );
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
    const stored = array.length > 0 ? payload.stored?.[key] : undefined;
    const entry = {
      type: typeName(array),
      length: array.length,
      ...(bufferView !== undefined && { bufferView }),
      ...(stored?.steps && { stored: typeName(stored.numbers), steps: stored.steps, columns: stored.columns ?? 1 }),
    };
    return [key, entry];
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
