import type { TypedArray } from '@gltf-transform/core';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';

/**
 * The order of triangles and vertices in which they pack best: triangles that share vertices follow each other, and
 * vertices come as the triangles need them. Meshopt's codecs store differences to what came before. Vertices that no
 * triangle uses are left out.
 */
export interface VertexOrder {
  /** Old vertex of each new one. */
  readonly order: Uint32Array;
  readonly indices: Uint32Array;
}

/** @param triangles  f × 3 */
export function orderVertices(encoder: typeof MeshoptEncoder, triangles: Uint32Array): VertexOrder {
  const indices = triangles.slice();
  // Gives the new number of each vertex, and has written the indices by those.
  const [remap, count] = encoder.reorderMesh(indices, true, true);
  const order = new Uint32Array(count);
  remap.forEach((to, from) => {
    if (to !== 0xffffffff) order[to] = from;
  });
  return { order, indices };
}

/**
 * Vertices whose bytes are the same become one.
 *
 * @param rows  n × stride for each attribute
 * @return the first vertex that is like each vertex
 */
export function weldRows(
  rows: readonly { readonly bytes: Uint8Array; readonly stride: number }[],
  n: number,
): Uint32Array {
  const like = new Uint32Array(n);
  const byHash = new Map<number, number[]>();
  const same = (a: number, b: number) =>
    rows.every(({ bytes, stride }) => {
      for (let k = 0; k < stride; k++) if (bytes[a * stride + k] !== bytes[b * stride + k]) return false;
      return true;
    });
  for (let i = 0; i < n; i++) {
    let hash = 0x811c9dc5;
    for (const { bytes, stride } of rows) {
      for (let k = i * stride; k < (i + 1) * stride; k++) hash = Math.imul(hash ^ bytes[k], 0x01000193);
    }
    const alike = byHash.get(hash);
    const found = alike?.find((other) => same(other, i));
    like[i] = found ?? i;
    if (found !== undefined) continue;
    if (alike) alike.push(i);
    else byHash.set(hash, [i]);
  }
  return like;
}

/** Elements in another order: out[k] = values[order[k]]. */
export function permuted<T extends TypedArray>(values: T, size: number, order: Uint32Array): T {
  const out = new (values.constructor as new (length: number) => T)(size * order.length);
  order.forEach((from, k) => {
    for (let c = 0; c < size; c++) out[k * size + c] = values[from * size + c];
  });
  return out;
}
