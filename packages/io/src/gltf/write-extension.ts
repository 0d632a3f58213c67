import { type Document, Extension, PropertyType, type WriterContext } from '@gltf-transform/core';
import { UsageError } from '@pelt/model';
import { type GltfExtension, PAYLOAD_TYPES, type PayloadArray } from './extension-payload.ts';

/** The names that a validator accepts. */
const NAME_PATTERN = /^[A-Z][A-Z0-9]*_[A-Za-z0-9_]+$/;
/** Alignment in the file, enough for every type. */
const ALIGNMENT = 8;

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
