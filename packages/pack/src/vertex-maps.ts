/** How the vertices of a packed file, as a reader merges them, correspond to those of its input. */
import type { VertexRange } from '@pelt/io/internal';

export interface PrimitiveVertices {
  readonly mesh: number;
  readonly primitive: number;
  /** Vertex of the input's primitive of each vertex. */
  readonly source: Uint32Array;
  /** Vertex of each vertex of the input's primitive; `NO_VERTEX` where no triangle uses it. */
  readonly place: Uint32Array;
}

export interface VertexMaps {
  /** Vertex of the input of each vertex. */
  readonly order: Uint32Array;
  /** A vertex of the file for each vertex of the input; `NO_VERTEX` for those that no triangle uses. */
  readonly places: Uint32Array;
}

export const NO_VERTEX = 0xffffffff;

/** @param ranges  of the input, in the order of its merged mesh */
export function vertexMaps(ranges: readonly VertexRange[], primitives: readonly PrimitiveVertices[]): VertexMaps {
  const nodes = [...new Set(ranges.map(({ node }) => node))];
  // A reader takes node by node, and in each its primitives in their order: they share no attributes any more.
  const shown = nodes.flatMap((node) =>
    ranges.filter((range) => range.node === node).sort((a, b) => a.primitive - b.primitive),
  );
  const find = ({ mesh, primitive }: VertexRange) =>
    primitives.find((own) => own.mesh === mesh && own.primitive === primitive) as PrimitiveVertices;
  const vertices = shown.reduce((sum, range) => sum + find(range).source.length, 0);
  const order = new Uint32Array(vertices);
  const inputs = ranges.reduce((most, { firstVertex, vertexCount }) => Math.max(most, firstVertex + vertexCount), 0);
  const places = new Uint32Array(inputs).fill(NO_VERTEX);
  let first = 0;
  for (const range of shown) {
    const { source, place } = find(range);
    source.forEach((from, v) => {
      order[first + v] = range.firstVertex + from;
    });
    place.forEach((to, i) => {
      if (to !== NO_VERTEX) places[range.firstVertex + i] = first + to;
    });
    first += source.length;
  }
  return { order, places };
}
