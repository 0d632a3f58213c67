/**
 * The primitives of a document, each with vertices of its own: those that its triangles use, with the attributes that
 * something uses. Primitives that share a vertex buffer are taken apart, for viewers would show all of it with each.
 */
import type { TypedArray } from '@gltf-transform/core';
import {
  childOf,
  expandTriangles,
  type GltfDocument,
  type JsonObject,
  objectsOf,
  TRIANGLE_FAN,
  TRIANGLES,
  type VertexRange,
} from '@pelt/io/internal';
import { permuted } from './reorder-vertices.ts';
import { attributeUse, usesAttribute } from './used-attributes.ts';

export interface VertexArray {
  readonly values: TypedArray;
  /** Numbers in one element. */
  readonly size: number;
  readonly normalized: boolean;
}

export interface FilePrimitive {
  readonly mesh: number;
  readonly primitive: number;
  readonly mode: number;
  readonly attributes: ReadonlyMap<string, VertexArray>;
  readonly targets: readonly ReadonlyMap<string, VertexArray>[];
  /** f × 3 for triangles; of points and lines as they are, absent where there are none */
  readonly indices: Uint32Array | undefined;
  /** Vertex of the input's primitive of each vertex. */
  readonly source: Uint32Array;
  /** Where nodes of the scene show it; empty where none does. */
  readonly ranges: readonly VertexRange[];
}

/** Semantics whose integers stand for numbers from 0 to 1. */
const FLOATS = /^(POSITION|NORMAL|TANGENT|TEXCOORD_\d+|COLOR_\d+|WEIGHTS_\d+)$/;

/** @param ranges  of the asset that the document gives */
export function filePrimitives(document: GltfDocument, ranges: readonly VertexRange[]): FilePrimitive[] {
  const { json } = document;
  const materials = objectsOf(json, 'materials');
  const skinnedMeshes = new Set(
    objectsOf(json, 'nodes').flatMap(({ mesh, skin }) => (typeof skin === 'number' ? [mesh] : [])),
  );
  return objectsOf(json, 'meshes').flatMap((mesh, m) => {
    const primitives = objectsOf(mesh, 'primitives', `meshes[${m}]`);
    const uses = new Map<unknown, number>();
    for (const { attributes } of primitives) {
      const { POSITION } = attributes as JsonObject;
      uses.set(POSITION, (uses.get(POSITION) ?? 0) + 1);
    }
    return primitives.map((primitive, p): FilePrimitive => {
      const where = `meshes[${m}].primitives[${p}]`;
      const use = attributeUse(materials, primitive, skinnedMeshes.has(m));
      const own = childOf(primitive, 'attributes', where);
      const kept = (arrays: JsonObject) =>
        new Map(
          Object.entries(arrays)
            .filter(([semantic]) => usesAttribute(use, semantic))
            .map(([semantic, index]) => [semantic, arrayOf(document, semantic, index as number)]),
        );
      const loaded = {
        mesh: m,
        primitive: p,
        attributes: kept(own),
        targets: objectsOf(primitive, 'targets', where).map(kept),
        ranges: ranges.filter((range) => range.mesh === m && range.primitive === p),
        ...cornersOf(document, primitive, where),
      };
      return (uses.get(own.POSITION) ?? 0) > 1 && loaded.indices ? withUsedVertices(loaded) : loaded;
    });
  });
}

function arrayOf({ accessors }: GltfDocument, semantic: string, index: number): VertexArray {
  const size = accessors.size(index);
  if (FLOATS.test(semantic)) return { values: accessors.floats(index, semantic, [size]), size, normalized: false };
  return { values: accessors.raw(index), size, normalized: accessors.normalized(index) };
}

function cornersOf({ accessors }: GltfDocument, primitive: JsonObject, where: string) {
  const { indices, mode = TRIANGLES, attributes } = primitive as { indices?: number; mode?: number } & JsonObject;
  const { POSITION } = attributes as { POSITION?: number };
  const vertices = POSITION === undefined ? 0 : accessors.count(POSITION);
  const source = Uint32Array.from({ length: vertices }, (_, k) => k);
  const corners = indices === undefined ? undefined : Uint32Array.from(accessors.raw(indices));
  if (mode < TRIANGLES || mode > TRIANGLE_FAN) return { mode, indices: corners, source };
  const triangles = expandTriangles(mode, corners ?? source, vertices, `${where}.indices`);
  return { mode: TRIANGLES, indices: triangles, source };
}

function withUsedVertices(primitive: FilePrimitive): FilePrimitive {
  const { indices = new Uint32Array(0), source } = primitive;
  const used = new Uint8Array(source.length);
  for (const i of indices) used[i] = 1;
  const order = source.filter((i) => used[i] === 1);
  return order.length === source.length ? primitive : withVertices(primitive, order, inverseOf(order, source.length));
}

/**
 * @param order  vertex of the primitive of each new vertex
 * @param place  new vertex of each vertex
 */
export function withVertices(primitive: FilePrimitive, order: Uint32Array, place: Uint32Array): FilePrimitive {
  const move = (arrays: ReadonlyMap<string, VertexArray>) =>
    new Map(
      [...arrays].map(([semantic, array]) => [
        semantic,
        { ...array, values: permuted(array.values, array.size, order) },
      ]),
    );
  return {
    ...primitive,
    attributes: move(primitive.attributes),
    targets: primitive.targets.map(move),
    indices: primitive.indices?.map((i) => place[i]),
    source: order.map((i) => primitive.source[i]),
  };
}

function inverseOf(order: Uint32Array, length: number): Uint32Array {
  const place = new Uint32Array(length);
  order.forEach((from, to) => {
    place[from] = to;
  });
  return place;
}
