/** Of two orders of the vertices of a primitive the one that is stored in fewer bytes. */
import { KdTree } from '@pelt/math';
import type { Codec } from './codec.ts';
import { type Column, permutedColumn } from './columns.ts';
import type { VertexArray } from './file-primitives.ts';
import { orderVertices, type VertexOrder } from './reorder-vertices.ts';
import { RowPath } from './row-path.ts';

/** Vertices of which a path is sought; its time grows with their square. */
const MOST_VERTICES = 4000;
/** Vertices that may follow a vertex: those next to it at rest. More of them only cost time: 16 are 1 % worse. */
const NEIGHBOURS = 32;
/** A first path that is so much larger than the other order is not improved: that gains a tenth at most. */
const HOPELESS = 1.12;
const NOWHERE = 0xffffffff;

/** Finds orders for the primitives of a file; of one that is written again the path is known. */
export class OrderFinder {
  readonly #codec: Codec;
  /** For each primitive, by its positions: the place of its vertices on the path. */
  readonly #places = new Map<VertexArray, Uint32Array | 'none'>();

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /**
   * As the triangles need them, or by a path on which neighbours differ least; the triangles stay in their order.
   *
   * @param triangles  f × 3
   * @param columns    attributes and displacements of the vertices, as the codec takes them
   * @param positions  n × 3
   */
  smallest(triangles: Uint32Array, columns: readonly Column[], positions: VertexArray | undefined): VertexOrder {
    const asUsed = orderVertices(this.#codec.encoder, triangles);
    const n = asUsed.order.length;
    if (!positions || n > MOST_VERTICES || n < 3) return asUsed;
    const path = this.#path(asUsed, columns, positions);
    if (!path) return asUsed;
    const byPath = along(path, asUsed);
    return this.#bytes(byPath, columns) < this.#bytes(asUsed, columns) ? byPath : asUsed;
  }

  /** Places of the order on the path, in the order of the path; undefined where none is worth its time. */
  #path(asUsed: VertexOrder, columns: readonly Column[], positions: VertexArray): Uint32Array | undefined {
    const { order } = asUsed;
    const n = order.length;
    const known = this.#places.get(positions);
    if (known === 'none') return undefined;
    // Other vertices may have been welded; their twins are on the path.
    if (known && order.every((i) => known[i] !== NOWHERE)) {
      return Uint32Array.from({ length: n }, (_, k) => k).sort((a, b) => known[order[a]] - known[order[b]]);
    }
    const inUse = columns.map((column) => permutedColumn(column, order));
    const search = new RowPath(inUse, n, neighboursOf(positions.values as Float32Array, order));
    if (this.#bytes(along(search.order, asUsed), columns) > HOPELESS * this.#bytes(asUsed, columns)) {
      this.#places.set(positions, 'none');
      return undefined;
    }
    const path = search.improved();
    const places = new Uint32Array(positions.values.length / 3).fill(NOWHERE);
    path.forEach((from, to) => {
      places[order[from]] = to;
    });
    this.#places.set(positions, places);
    return path;
  }

  #bytes({ order, indices }: VertexOrder, columns: readonly Column[]): number {
    return columns.reduce((sum, column) => {
      const { bytes, stride } = permutedColumn(column, order);
      return sum + this.#codec.attributeSize(bytes, stride);
    }, this.#codec.indexSize(indices));
  }
}

/** @param path  places of an order, in another order */
function along(path: Uint32Array, { order, indices }: VertexOrder): VertexOrder {
  const place = new Uint32Array(path.length);
  path.forEach((from, to) => {
    place[from] = to;
  });
  return { order: path.map((from) => order[from]), indices: indices.map((i) => place[i]) };
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
    // Among many in one place it may be missing itself.
    for (let k = 0, to = i * K; k <= K && to < (i + 1) * K; k++) if (index[k] !== i) out[to++] = index[k];
  }
  return out;
}
