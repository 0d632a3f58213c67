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
const NOWHERE = 0xffffffff;

/** Finds orders for the primitives of a file; of one that is written again the path is known. */
export class OrderFinder {
  readonly #encoder: typeof MeshoptEncoder;
  /** For each primitive, by its positions: the place of its vertices on the path. */
  readonly #places = new Map<VertexArray, Uint32Array>();

  constructor(encoder: typeof MeshoptEncoder) {
    this.#encoder = encoder;
  }

  /**
   * As the triangles need them, or by a path on which neighbours differ least; the triangles stay in their order.
   *
   * @param triangles  f × 3
   * @param columns    attributes and displacements of the vertices, as the codec takes them
   * @param positions  n × 3
   */
  smallest(triangles: Uint32Array, columns: readonly Column[], positions: VertexArray | undefined): VertexOrder {
    const asUsed = orderVertices(this.#encoder, triangles);
    const n = asUsed.order.length;
    if (!positions || n > MOST_VERTICES || n < 3) return asUsed;
    const path = this.#path(asUsed, columns, positions);
    const place = new Uint32Array(n);
    path.forEach((from, to) => {
      place[from] = to;
    });
    const byPath: VertexOrder = {
      order: path.map((from) => asUsed.order[from]),
      indices: asUsed.indices.map((i) => place[i]),
    };
    return this.#bytes(byPath, columns) < this.#bytes(asUsed, columns) ? byPath : asUsed;
  }

  /** Places of the order on the path, in the order of the path. */
  #path({ order }: VertexOrder, columns: readonly Column[], positions: VertexArray): Uint32Array {
    const n = order.length;
    const known = this.#places.get(positions);
    // Other vertices may have been welded; their twins are on the path.
    if (known && order.every((i) => known[i] !== NOWHERE)) {
      return Uint32Array.from({ length: n }, (_, k) => k).sort((a, b) => known[order[a]] - known[order[b]]);
    }
    const inUse = columns.map((column) => permutedColumn(column, order));
    const path = rowPath(inUse, n, neighboursOf(positions.values as Float32Array, order));
    const places = new Uint32Array(positions.values.length / 3).fill(NOWHERE);
    path.forEach((from, to) => {
      places[order[from]] = to;
    });
    this.#places.set(positions, places);
    return path;
  }

  #bytes({ order, indices }: VertexOrder, columns: readonly Column[]): number {
    const encoder = this.#encoder;
    return columns.reduce(
      (sum, column) => {
        const { bytes, stride } = permutedColumn(column, order);
        return sum + encoder.encodeGltfBuffer(bytes, order.length, stride, 'ATTRIBUTES', 0).length;
      },
      encoder.encodeGltfBuffer(bytesOf(indices), indices.length, 4, 'TRIANGLES', 0).length,
    );
  }
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
