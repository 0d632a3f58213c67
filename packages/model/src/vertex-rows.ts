import type { SkinWeights } from './skin-weights.ts';

type Row = Float32Array | Float64Array | Uint16Array | Uint32Array | Int32Array;
type Owned<T extends Row> = T extends Float32Array
  ? Float32Array<ArrayBuffer>
  : T extends Float64Array
    ? Float64Array<ArrayBuffer>
    : T extends Uint16Array
      ? Uint16Array<ArrayBuffer>
      : T extends Int32Array
        ? Int32Array<ArrayBuffer>
        : Uint32Array<ArrayBuffer>;

/**
 * Gathers rows of a per-vertex array: what vertices keep after welding, after unwelding, or where seams are split.
 *
 * @param values  n × size, row-major
 * @param map     the row of `values` for each row of the result
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function gatherVertices<T extends Row>(values: T, size: number, map: ArrayLike<number>): Owned<T> {
  const out = new (values.constructor as new (length: number) => Owned<T>)(map.length * size);
  for (let i = 0; i < map.length; i++) {
    for (let k = 0; k < size; k++) out[size * i + k] = values[size * map[i] + k];
  }
  return out;
}

/**
 * Gathers the weights of vertices, as `gatherVertices` gathers other rows.
 *
 * @param weights  of n vertices
 * @param map      the row of `weights` for each row of the result
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function gatherWeights({ slots, bones, weights }: SkinWeights, map: ArrayLike<number>): SkinWeights {
  return { slots, bones: gatherVertices(bones, slots, map), weights: gatherVertices(weights, slots, map) };
}
