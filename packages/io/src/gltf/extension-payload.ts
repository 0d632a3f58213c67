import { type Document, Extension, PropertyType, type WriterContext } from '@gltf-transform/core';
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

const PAYLOAD_TYPES = {
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

/** The names that a validator accepts. */
const NAME_PATTERN = /^[A-Z][A-Z0-9]*_[A-Za-z0-9_]+$/;
/** Alignment in the file, enough for every type. */
const ALIGNMENT = 8;

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

/** The class through which glTF-Transform writes one payload. */
export function payloadExtension(payload: GltfExtension): new (document: Document) => Extension {
  if (!NAME_PATTERN.test(payload.name)) {
    throw new UsageError(`the extension name '${payload.name}' must be a prefix in capitals, '_' and a word`);
  }
  if (Object.hasOwn(payload.json, 'buffers')) {
    throw new UsageError(`extension ${payload.name}: 'buffers' is the key of its arrays and cannot be one of its JSON`);
  }
  const packed = new Map(Object.entries(payload.buffers).map(([key, array]) => [key, padded(array)]));
  return class extends Extension {
    static override readonly EXTENSION_NAME = payload.name;
    override readonly extensionName = payload.name;
    override readonly prewriteTypes = [PropertyType.BUFFER];

    override read(): this {
      return this;
    }

    override prewrite(context: WriterContext): this {
      const [buffer] = this.document.getRoot().listBuffers();
      const views = context.otherBufferViews.get(buffer) ?? [];
      views.push(...[...packed.values()].filter((bytes) => bytes.length > 0));
      context.otherBufferViews.set(buffer, views);
      return this;
    }

    override write(context: WriterContext): this {
      const { json } = context.jsonDoc;
      const buffers = Object.entries(payload.buffers).map(([key, array]) => {
        const bytes = packed.get(key) as Uint8Array;
        const bufferView = context.otherBufferViewsIndexMap.get(bytes);
        return [key, { type: typeName(array), length: array.length, ...(bufferView !== undefined && { bufferView }) }];
      });
      json.extensions = {
        ...json.extensions,
        [payload.name]: { ...payload.json, ...(buffers.length > 0 && { buffers: Object.fromEntries(buffers) }) },
      };
      return this;
    }
  };
}

function typeName(array: PayloadArray): string {
  const found = Object.entries(PAYLOAD_TYPES).find(([, TypedArray]) => array instanceof TypedArray);
  if (!found) throw new UsageError('an extension holds an array that glTF has no place for');
  return found[0];
}

function padded(array: PayloadArray): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(array.byteLength / ALIGNMENT) * ALIGNMENT);
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return bytes;
}
