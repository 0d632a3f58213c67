/**
 * Bytes of a vertex attribute on a grid: as many as the codec makes of it. It stores differences of neighbours in 0, 2, 4 or
 * 8 bits, 16 of them alike, so that a grid twice as fine costs nothing here and a lot there; no formula follows that.
 */

import { TRIANGLES } from '@pelt/io/internal';
import { log } from '@pelt/math';
import type { Codec } from './codec.ts';
import { type Column, gridColumn, permutedColumn } from './columns.ts';
import type { FilePrimitive, VertexArray } from './file-primitives.ts';
import { orderVertices } from './reorder-vertices.ts';

export class GridCost {
  readonly #codec: Codec;
  readonly #order: Uint32Array;

  constructor(codec: Codec, { mode, indices, source }: FilePrimitive) {
    this.#codec = codec;
    const ordered = mode === TRIANGLES && indices !== undefined && indices.length > 0;
    // Vertices that rounding makes equal become one later on: fewer of each attribute, so that they compare as before.
    this.#order = ordered ? orderVertices(codec.encoder, indices).order : source.map((_, i) => i);
  }

  /** Of one component, for each of some exponents. */
  bytes({ values, size }: VertexArray, axis: number, exponents: readonly number[]): number[] {
    const own = Float32Array.from({ length: values.length / size }, (_, i) => values[i * size + axis]);
    return exponents.map((exponent) =>
      this.columnBytes(gridColumn('', { values: own, size: 1, normalized: false }, [exponent])),
    );
  }

  columnBytes(column: Column): number {
    if (this.#codec.squeezes) return planeEntropy(column, this.#order);
    const { bytes, stride } = permutedColumn(column, this.#order);
    return this.#codec.attributeSize(bytes, stride);
  }
}

/**
 * Bytes of the differences between neighbours after a general compressor: the entropy of each byte of a row on its own.
 *
 * @param order  rows in their order in the file
 */
export function planeEntropy({ bytes, stride }: Pick<Column, 'bytes' | 'stride'>, order: Uint32Array): number {
  const counts = new Uint32Array(256);
  let bits = 0;
  for (let k = 0; k < stride; k++) {
    counts.fill(0);
    let before = 0;
    for (let i = 0; i < order.length; i++) {
      const value = bytes[order[i] * stride + k];
      counts[(value - before) & 255]++;
      before = value;
    }
    bits += entropyBits(counts, order.length);
  }
  return bits / 8;
}

function entropyBits(counts: Uint32Array, all: number): number {
  let bits = 0;
  const most = log(all);
  for (let k = 0; k < counts.length; k++) {
    const count = counts[k];
    if (count > 0 && count < all) bits += count * (most - log(count));
  }
  return bits / Math.LN2;
}
