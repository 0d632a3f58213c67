/** Of two orders of the vertices of a primitive the one that is stored in fewer bytes. */
import { KdTree } from '@pelt/math';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { bytesOf, type Column, permutedColumn } from './columns.ts';
import type { VertexArray } from './file-primitives.ts';
import { orderVertices, type VertexOrder } from './reorder-vertices.ts';
import { rowPath } from './row-path.ts';

/** Vertices of which a path is sought; its time grows with their square. */
const MOST_VERTICES = 4000;
/** Vertices that may follow a vertex: those next to it at rest. */
const NEIGHBOURS = 16;

/**
 * As the triangles need them, or by a path on which neighbours differ least; the triangles stay in their order.
 *
 * @param triangles  f × 3
 * @param columns    attributes and displacements of the vertices, as the codec takes them
 * @param positions  n × 3
 */
export function smallestOrder(
  encoder: typeof MeshoptEncoder,
  triangles: Uint32Array,
  columns: readonly Column[],
  positions: VertexArray | undefined,
): VertexOrder {
  const asUsed = orderVertices(encoder, triangles);
  const n = asUsed.order.length;
  if (!positions || n > MOST_VERTICES || n < 3) return asUsed;
  const inUse = columns.map((column) => permutedColumn(column, asUsed.order));
  const path = rowPath(inUse, n, neighboursOf(positions.values as Float32Array, asUsed.order));
  const place = new Uint32Array(n);
  path.forEach((from, to) => {
    place[from] = to;
  });
  const byPath: VertexOrder = {
    order: path.map((from) => asUsed.order[from]),
    indices: asUsed.indices.map((i) => place[i]),
  };
  const size = ({ order, indices }: VertexOrder) =>
    columns.reduce(
      (sum, column) => {
        const { bytes, stride } = permutedColumn(column, order);
        return sum + encoder.encodeGltfBuffer(bytes, n, stride, 'ATTRIBUTES', 0).length;
      },
      encoder.encodeGltfBuffer(bytesOf(indices), indices.length, 4, 'TRIANGLES', 0).length,
    );
  return size(byPath) < size(asUsed) ? byPath : asUsed;
}

/** n × K, the nearest vertices of each, itself left out */
function neighboursOf(positions: Float32Array, order: Uint32Array): Uint32Array {
  const n = order.length;
  const points = new Float32Array(3 * n);
  order.forEach((from, i) => {
    points.set(positions.subarray(3 * from, 3 * from + 3), 3 * i);
  });
  const tree = new KdTree(points);
  const K = Math.min(NEIGHBOURS, n - 1);
  const [index, distance] = [new Uint32Array(K + 1), new Float64Array(K + 1)];
  const out = new Uint32Array(n * K);
  for (let i = 0; i < n; i++) {
    tree.nearest(points, 3 * i, K + 1, index, distance);
    out.set([...index].filter((other) => other !== i).slice(0, K), i * K);
  }
  return out;
}
