import { type GLTF, type JSONDocument, Logger, PlatformIO, type TypedArray } from '@gltf-transform/core';
import { InputError } from '@pelt/model';
import { type CheckedAccessor, type CheckedViews, DRACO, MESHOPT } from './check-accessors.ts';
import { loadDecoders } from './decoders.ts';
import { childOf, countOf, indexOf, isObject, type JsonObject, objectsOf, optionalIndexOf } from './json-shape.ts';

/**
 * The numbers of every accessor: strided, sparse and compressed ones alike. glTF-Transform does the decoding and is
 * given no more than that needs: buffers, views, accessors and Draco primitives, all checked before. The rest of the
 * file pelt reads from the JSON itself, because glTF-Transform's document takes node matrices apart (shear is lost),
 * keeps a skin's joints as a set and moves a node that has two parents.
 */
export async function decodeAccessors(
  json: JsonObject,
  buffers: readonly (Uint8Array | undefined)[],
  views: CheckedViews,
  accessors: readonly CheckedAccessor[],
): Promise<TypedArray[]> {
  if (accessors.length === 0) return [];
  const meshes = dracoMeshes(json, views, accessors.length);
  const needed = new Set<string>();
  if (meshes.length > 0) needed.add(DRACO);
  if (views.bytes.includes(undefined)) needed.add(MESHOPT);

  const { extensions, dependencies } = await loadDecoders(needed);
  const io = new MemoryIO().registerExtensions(extensions).registerDependencies(dependencies);
  const document = await io.setLogger(new Logger(Logger.Verbosity.SILENT)).readJSON({
    json: {
      asset: { version: '2.0' },
      extensionsUsed: [...needed],
      extensionsRequired: [...needed],
      buffers: buffers.map((bytes, b) => ({ byteLength: bytes?.length ?? 0, uri: uriOf(b) })),
      bufferViews: objectsOf(json, 'bufferViews').map(plainView),
      accessors: objectsOf(json, 'accessors').map(plainAccessor),
      meshes,
    } as unknown as GLTF.IGLTF,
    resources: Object.fromEntries(buffers.flatMap((bytes, b) => (bytes ? [[uriOf(b), bytes]] : []))),
  } as JSONDocument);

  const packed = dracoAccessors(meshes);
  return document
    .getRoot()
    .listAccessors()
    .map((accessor, k) => {
      const array = accessor.getArray();
      const { count, size } = accessors[k];
      // A Draco stream has a count of its own; some encoders drop vertices after the JSON was written.
      const whole = array && array.length > 0 && array.length % size === 0;
      if (!whole || (array.length !== count * size && !packed.has(k))) {
        throw new InputError(`accessors[${k}] decodes to ${array?.length ?? 0} numbers, expected ${count * size}`);
      }
      return array;
    });
}

/** Reading and writing without files: everything is in memory already. */
export class MemoryIO extends PlatformIO {
  protected override readURI(): never {
    throw new InputError('pelt reads no files by itself');
  }

  protected override resolve(_base: string, path: string): string {
    return path;
  }

  protected override dirname(): string {
    return '';
  }
}

function uriOf(buffer: number): string {
  return `buffer-${buffer}`;
}

function plainView(view: JsonObject): JsonObject {
  const meshopt = childOf(view, 'extensions', 'bufferView')[MESHOPT];
  const { buffer, byteOffset, byteLength, byteStride } = view;
  return {
    buffer,
    byteOffset,
    byteLength,
    // 0 is not a stride: such a view is packed, as one without a stride is.
    byteStride: byteStride || undefined,
    extensions: isObject(meshopt) ? { [MESHOPT]: meshopt } : undefined,
  };
}

function plainAccessor(accessor: JsonObject): JsonObject {
  const { bufferView, byteOffset, componentType, normalized, count, type } = accessor;
  const plain = { bufferView, byteOffset, componentType, normalized, count, type };
  if (!isObject(accessor.sparse)) return plain;
  const { count: replaced, indices, values } = accessor.sparse as { [key: string]: JsonObject };
  return {
    ...plain,
    sparse: {
      count: replaced,
      // Offsets are spelt out: glTF-Transform takes an absent one from the accessor itself.
      indices: { ...indices, byteOffset: indices.byteOffset ?? 0 },
      values: { ...values, byteOffset: values.byteOffset ?? 0 },
    },
  };
}

interface DracoPrimitive {
  readonly attributes: Record<string, number>;
  readonly indices: number | undefined;
}

/** The meshes' Draco primitives and nothing else of them. */
function dracoMeshes(json: JsonObject, views: CheckedViews, accessorCount: number) {
  return objectsOf(json, 'meshes').flatMap((mesh, m) => {
    const primitives = objectsOf(mesh, 'primitives', `meshes[${m}]`).flatMap((primitive, p) => {
      const where = `meshes[${m}].primitives[${p}]`;
      const draco = childOf(primitive, 'extensions', where)[DRACO];
      if (!isObject(draco)) return [];
      const view = indexOf(draco, 'bufferView', `${where}.extensions.${DRACO}`, views.lengths.length);
      if (!views.bytes[view]) throw new InputError(`${where}: Draco data inside other compressed data`);
      const ids = childOf(draco, 'attributes', `${where}.extensions.${DRACO}`);
      const named = childOf(primitive, 'attributes', where);
      const attributes: Record<string, number> = {};
      for (const semantic of Object.keys(ids)) {
        countOf(ids, semantic, `${where}.extensions.${DRACO}.attributes`);
        attributes[semantic] = indexOf(named, semantic, `${where}.attributes`, accessorCount);
      }
      const indices = optionalIndexOf(primitive, 'indices', where, accessorCount);
      return [{ attributes, indices: indices < 0 ? undefined : indices, extensions: { [DRACO]: draco } }];
    });
    return primitives.length > 0 ? [{ primitives }] : [];
  });
}

function dracoAccessors(meshes: readonly { primitives: readonly DracoPrimitive[] }[]): Set<number> {
  const packed = new Set<number>();
  for (const { primitives } of meshes) {
    for (const { attributes, indices } of primitives) {
      for (const index of Object.values(attributes)) packed.add(index);
      if (indices !== undefined) packed.add(indices);
    }
  }
  return packed;
}
