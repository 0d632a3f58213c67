import type { TypedArray } from '@gltf-transform/core';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';

/**
 * The order of triangles and vertices in which they pack best: triangles that share vertices follow each other, and
 * vertices come as the triangles need them. Meshopt's codecs store differences to what came before.
 */
export interface VertexOrder {
  /** Old vertex of each new one; vertices that no triangle uses come last. */
  readonly order: Uint32Array;
  /** For each primitive its indices, in their new order and by the new vertices. */
  readonly indices: readonly Uint32Array[];
}

/** @param primitives  indices of triangles, all over the same vertices */
export function orderVertices(
  encoder: typeof MeshoptEncoder,
  primitives: readonly Uint32Array[],
  vertices: number,
): VertexOrder {
  const sorted = primitives.map((indices) => orderTriangles(encoder, indices));
  const place = new Int32Array(vertices).fill(-1);
  const order = new Uint32Array(vertices);
  let next = 0;
  const take = (i: number) => {
    if (place[i] >= 0) return;
    place[i] = next;
    order[next++] = i;
  };
  for (const indices of sorted) indices.forEach(take);
  for (let i = 0; i < vertices; i++) take(i);
  return { order, indices: sorted.map((indices) => indices.map((i) => place[i])) };
}

/** The triangles in their best order, by the vertices they had. */
function orderTriangles(encoder: typeof MeshoptEncoder, indices: Uint32Array): Uint32Array {
  const moved = indices.slice();
  // Gives the new number of each vertex, and has written the indices by those.
  const [remap] = encoder.reorderMesh(moved, true, true);
  const back = new Map<number, number>();
  remap.forEach((to, from) => {
    if (to !== 0xffffffff) back.set(to, from);
  });
  return moved.map((i) => back.get(i) as number);
}

/** Elements in another order: out[k] = values[order[k]]. */
export function permuted<T extends TypedArray>(values: T, size: number, order: Uint32Array): T {
  const out = new (values.constructor as new (length: number) => T)(values.length);
  order.forEach((from, k) => {
    out.set(values.subarray(from * size, (from + 1) * size), k * size);
  });
  return out;
}
