import { type Document, Extension, PropertyType, type WriterContext } from '@gltf-transform/core';
import { type GltfExtension, type PayloadArray, payloadEntry, requirePayload } from './extension-payload.ts';

/** Alignment in the file, enough for every type. */
const ALIGNMENT = 8;

/** The class through which glTF-Transform writes one payload. */
export function payloadExtension(payload: GltfExtension): new (document: Document) => Extension {
  requirePayload(payload);
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
      const entry = payloadEntry(payload, (_, key) =>
        context.otherBufferViewsIndexMap.get(packed.get(key) as Uint8Array),
      );
      json.extensions = { ...json.extensions, [payload.name]: entry };
      return this;
    }
  };
}

function padded(array: PayloadArray): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(array.byteLength / ALIGNMENT) * ALIGNMENT);
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return bytes;
}
