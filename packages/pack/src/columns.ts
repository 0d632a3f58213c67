/**
 * Vertex attributes as the rows of bytes that the codec takes. Positions, UVs and displacements are on fixed-point grids
 * that decode to floats; normals are octahedral; colours and weights are normalised integers.
 */
import type { GLTF, TypedArray } from '@gltf-transform/core';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { encodeExponential, exponentFor } from './exponential.ts';
import type { VertexArray } from './file-primitives.ts';
import type { ViewArray } from './packed-views.ts';

export interface Column {
  readonly semantic: string;
  readonly bytes: Uint8Array;
  readonly stride: number;
  readonly filter?: ViewArray['filter'];
  readonly componentType: GLTF.AccessorComponentType;
  readonly normalized: boolean;
  /** Numbers in one element. */
  readonly size: number;
}

export interface ColumnPrecision {
  readonly normalBits: number;
  readonly uvBits: number;
}

const FLOAT = 5126;
const COMPONENT_TYPES = [
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, FLOAT],
] as const;

/** @param wanted  exponents of the steps of a grid; one is for all numbers, several are for the components of a vector */
export function gridColumn(semantic: string, { values, size }: VertexArray, wanted: readonly number[]): Column {
  const exponents = wanted.map((exponent) => exponentFor(values, exponent));
  const words = encodeExponential(values, exponents, size);
  return {
    semantic,
    bytes: bytesOf(words),
    stride: 4 * size,
    filter: 'EXPONENTIAL',
    componentType: FLOAT,
    normalized: false,
    size,
  };
}

/** Numbers as they are, padded to whole words. */
export function rawColumn(semantic: string, { values, size, normalized }: VertexArray): Column {
  const step = 4 / values.BYTES_PER_ELEMENT;
  const wide = Math.ceil(size / step) * step;
  const all = wide === size ? values : widened(values, size, wide);
  const componentType = COMPONENT_TYPES.find(([Kind]) => values instanceof Kind)?.[1] ?? FLOAT;
  return { semantic, bytes: bytesOf(all), stride: wide * values.BYTES_PER_ELEMENT, componentType, normalized, size };
}

/** An attribute by its semantic; positions, joints and weights have ways of their own. */
export function attributeColumn(
  encoder: typeof MeshoptEncoder,
  semantic: string,
  array: VertexArray,
  { normalBits, uvBits }: ColumnPrecision,
): Column {
  if (semantic === 'NORMAL' || semantic === 'TANGENT') return octahedralColumn(encoder, semantic, array, normalBits);
  if (semantic.startsWith('TEXCOORD_')) return gridColumn(semantic, array, [-uvBits]);
  if (semantic.startsWith('COLOR_')) {
    const values = Uint8Array.from(array.values as Float32Array, (value) =>
      Math.round(255 * Math.min(Math.max(value, 0), 1)),
    );
    return rawColumn(semantic, { ...array, values, normalized: true });
  }
  return rawColumn(semantic, array);
}

/** Displacements of normals and tangents as bytes where those reach, everything else on a grid. */
export function targetColumn(semantic: string, array: VertexArray, { normalBits, uvBits }: ColumnPrecision): Column {
  const turns = semantic === 'NORMAL' || semantic === 'TANGENT';
  if (turns && normalBits <= 8 && (array.values as Float32Array).every((value) => Math.abs(value) <= 1)) {
    const steps = 2 ** (normalBits - 1) - 1;
    const values = Int8Array.from(array.values as Float32Array, (value) =>
      Math.round((Math.round(value * steps) * 127) / steps),
    );
    return rawColumn(semantic, { ...array, values, normalized: true });
  }
  return gridColumn(semantic, array, [turns ? 1 - normalBits : -uvBits]);
}

function octahedralColumn(
  encoder: typeof MeshoptEncoder,
  semantic: string,
  { values, size }: VertexArray,
  bits: number,
): Column {
  const wide = bits > 8;
  const count = values.length / size;
  const four = size === 4 ? (values as Float32Array) : widened(values as Float32Array, size, 4);
  return {
    semantic,
    bytes: encoder.encodeFilterOct(four, count, wide ? 8 : 4, bits),
    stride: wide ? 8 : 4,
    filter: 'OCTAHEDRAL',
    componentType: wide ? 5122 : 5120,
    normalized: true,
    size,
  };
}

/** The same vertices in another order. */
export function permutedColumn(column: Column, order: Uint32Array): Column {
  const { bytes, stride } = column;
  const out = new Uint8Array(stride * order.length);
  order.forEach((from, to) => {
    out.set(bytes.subarray(from * stride, (from + 1) * stride), to * stride);
  });
  return { ...column, bytes: out };
}

export function bytesOf(values: TypedArray | Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function widened<T extends TypedArray>(values: T, size: number, wide: number): T {
  const out = new (values.constructor as new (length: number) => T)((values.length / size) * wide);
  for (let k = 0; k < values.length; k++) out[Math.floor(k / size) * wide + (k % size)] = values[k];
  return out;
}
