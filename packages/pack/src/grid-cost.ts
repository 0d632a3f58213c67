/**
 * Bytes of a vertex attribute on a grid: as many as the codec makes of it. It stores differences of neighbours in 0, 2, 4 or
 * 8 bits, 16 of them alike, so that a grid twice as fine costs nothing here and a lot there; no formula follows that.
 */

import { TRIANGLES } from '@pelt/io/internal';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { gridColumn, permutedColumn } from './columns.ts';
import type { FilePrimitive, VertexArray } from './file-primitives.ts';
import { orderVertices } from './reorder-vertices.ts';

export class GridCost {
  readonly #encoder: typeof MeshoptEncoder;
  readonly #order: Uint32Array;

  constructor(encoder: typeof MeshoptEncoder, { mode, indices, source }: FilePrimitive) {
    this.#encoder = encoder;
    const ordered = mode === TRIANGLES && indices !== undefined && indices.length > 0;
    // Vertices that rounding makes equal become one later on: fewer of each attribute, so that they compare as before.
    this.#order = ordered ? orderVertices(encoder, indices).order : source.map((_, i) => i);
  }

  bytes(array: VertexArray, exponent: number): number {
    const { bytes, stride } = permutedColumn(gridColumn('', array, exponent), this.#order);
    return this.#encoder.encodeGltfBuffer(bytes, this.#order.length, stride, 'ATTRIBUTES', 0).length;
  }
}
