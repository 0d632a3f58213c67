/** Primitives into the accessors of a file: quantised, welded and in the order that packs best, or as they are. */
import type { GLTF } from '@gltf-transform/core';
import { TRIANGLES } from '@pelt/io/internal';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import type { AccessorWriter, SparseRows, WrittenArray } from './accessor-writer.ts';
import {
  attributeColumn,
  bytesOf,
  type Column,
  type ColumnPrecision,
  gridColumn,
  permutedColumn,
  rawColumn,
  targetColumn,
} from './columns.ts';
import { decodeExponential } from './exponential.ts';
import type { FilePrimitive } from './file-primitives.ts';
import type { PackPlan } from './pack-plan.ts';
import { weldRows } from './reorder-vertices.ts';
import { alignSkinColumns, skinColumns } from './skin-columns.ts';
import type { OrderFinder } from './smallest-order.ts';
import { NO_VERTEX, type PrimitiveVertices } from './vertex-maps.ts';

export interface WrittenPrimitive extends PrimitiveVertices {
  readonly attributes: Readonly<Record<string, number>>;
  readonly targets: readonly Readonly<Record<string, number>>[];
  readonly indices: number | undefined;
  readonly mode: number;
}

interface Columns {
  readonly attributes: readonly Column[];
  readonly targets: readonly (readonly Column[])[];
}

const TYPES: Readonly<Record<number, GLTF.AccessorType>> = { 1: 'SCALAR', 2: 'VEC2', 3: 'VEC3', 4: 'VEC4' };
/** 65535 restarts a strip, so that 16 bits reach one vertex less. */
const MAX_SHORT_INDEX = 65534;
const [UNSIGNED_SHORT, UNSIGNED_INT] = [5123, 5125] as const;

/** As it is stored, in its own order. */
export function writePlainPrimitive(primitive: FilePrimitive, accessors: AccessorWriter): WrittenPrimitive {
  const columnsOf = (arrays: FilePrimitive['attributes']) =>
    [...arrays].map(([semantic, array]) => rawColumn(semantic, array));
  const columns = { attributes: columnsOf(primitive.attributes), targets: primitive.targets.map(columnsOf) };
  const order = primitive.source.map((_, k) => k);
  return write(primitive, columns, order, primitive.indices, accessors, 'RAW');
}

/** What all primitives of a file have in common. */
export interface PrimitivePacking {
  readonly encoder: typeof MeshoptEncoder;
  readonly plan: PackPlan;
  readonly precision: ColumnPrecision;
  readonly orders: OrderFinder;
  readonly sharesRigid: boolean;
}

/** @param k  its place among the primitives of the plan */
export function writePackedPrimitive(
  primitive: FilePrimitive,
  k: number,
  { encoder, plan, precision, orders, sharesRigid }: PrimitivePacking,
  accessors: AccessorWriter,
): WrittenPrimitive {
  const columns: Columns = {
    attributes: [
      ...[...primitive.attributes]
        .filter(([semantic]) => !/^(JOINTS|WEIGHTS)_/.test(semantic))
        .map(([semantic, array]) =>
          semantic === 'POSITION'
            ? gridColumn(semantic, array, plan.positions[k])
            : attributeColumn(encoder, semantic, array, precision),
        ),
      ...skinColumns(plan.weights[k], sharesRigid),
    ],
    targets: primitive.targets.map((target, r) =>
      [...target].map(([semantic, array]) =>
        semantic === 'POSITION'
          ? gridColumn(semantic, array, plan.targets[k][r])
          : targetColumn(semantic, array, precision),
      ),
    ),
  };
  const n = primitive.source.length;
  if (primitive.mode !== TRIANGLES || !primitive.indices || primitive.indices.length === 0) {
    return write(
      primitive,
      columns,
      primitive.source.map((_, v) => v),
      primitive.indices,
      accessors,
      'ATTRIBUTES',
    );
  }
  const all = [...columns.attributes, ...columns.targets.flat()];
  const like = weldRows(all, n);
  const welded = primitive.indices.map((i) => like[i]);
  const { order, indices } = orders.smallest(welded, all, primitive.attributes.get('POSITION'));
  const move = (column: Column) => permutedColumn(column, order);
  const moved = { attributes: columns.attributes.map(move), targets: columns.targets.map((own) => own.map(move)) };
  alignSkinColumns(moved.attributes);
  return write(primitive, moved, order, indices, accessors, 'ATTRIBUTES', like);
}

/**
 * @param order  vertex of the primitive of each vertex that is written
 * @param like   for each vertex of the primitive the one that stands for it; absent: itself
 */
function write(
  primitive: FilePrimitive,
  { attributes, targets }: Columns,
  order: Uint32Array,
  indices: Uint32Array | undefined,
  accessors: AccessorWriter,
  mode: 'ATTRIBUTES' | 'RAW',
  like?: Uint32Array,
): WrittenPrimitive {
  const { source } = primitive;
  const count = order.length;
  const written = (columns: readonly Column[], isTarget: boolean) =>
    Object.fromEntries(
      columns.map((column) => {
        const array = vertexArray(column, count, mode);
        if (!isTarget || mode === 'RAW') return [column.semantic, accessors.share(array)];
        if (isZeroColumn(column)) return [column.semantic, accessors.share({ ...array, isZero: true })];
        const sparse = sparseRows(column, count);
        return [column.semantic, sparse ? accessors.add({ ...array, sparse }) : accessors.share(array)];
      }),
    );
  const placeOf = new Uint32Array(source.length).fill(NO_VERTEX);
  order.forEach((from, to) => {
    placeOf[from] = to;
  });
  const place = new Uint32Array(source.reduce((most, i) => Math.max(most, i + 1), 0)).fill(NO_VERTEX);
  const used = new Uint8Array(source.length);
  for (const i of primitive.indices ?? []) used[i] = 1;
  source.forEach((from, i) => {
    if (used[i] || !primitive.indices) place[from] = placeOf[like ? like[i] : i];
  });
  return {
    mesh: primitive.mesh,
    primitive: primitive.primitive,
    mode: primitive.mode,
    attributes: written(attributes, false),
    targets: targets.map((columns) => written(columns, true)),
    indices: indices && accessors.add(indexArray(indices, count, mode, primitive.mode)),
    source: order.map((i) => source[i]),
    place,
  };
}

function vertexArray(column: Column, count: number, mode: 'ATTRIBUTES' | 'RAW'): WrittenArray {
  const { bytes, stride, filter, componentType, normalized, size, semantic } = column;
  return {
    bytes,
    stride,
    mode,
    ...(filter && { filter }),
    purpose: 'vertices',
    componentType,
    normalized,
    type: TYPES[size],
    count,
    // Not colours or normals: a page that repaints one part would repaint others.
    ...(/^(JOINTS|WEIGHTS)_/.test(semantic) && { sharesRows: true }),
    ...(semantic === 'POSITION' && boundsOfColumn(column)),
  };
}

/** Displacements of a target that moves other primitives of its mesh, or none. */
function isZeroColumn({ bytes, filter }: Column): boolean {
  // In words of the filter the upper byte is the exponent.
  return bytes.every((value, k) => value === 0 || (filter === 'EXPONENTIAL' && k % 4 === 3));
}

/** The rows of a target that moves few vertices, as they decode; undefined where all rows together are smaller. */
function sparseRows({ bytes, stride, filter, size, componentType }: Column, count: number): SparseRows | undefined {
  if (filter === 'OCTAHEDRAL') return undefined;
  const isSet = (row: number) => {
    for (let k = row * stride; k < (row + 1) * stride; k++) {
      if (bytes[k] !== 0 && !(filter === 'EXPONENTIAL' && k % 4 === 3)) return true;
    }
    return false;
  };
  const rows = Uint32Array.from({ length: count }, (_, row) => row).filter(isSet);
  if (rows.length * ROWS_PER_SPARSE > count) return undefined;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const decoded = filter === 'EXPONENTIAL' ? new Uint8Array(decodeExponential(words).buffer) : bytes;
  // Rows of a view may be padded; those of a sparse accessor are not.
  const tight = size * COMPONENT_BYTES[componentType];
  const own = new Uint8Array(rows.length * tight);
  rows.forEach((row, k) => {
    own.set(decoded.subarray(row * stride, row * stride + tight), k * tight);
  });
  return { rows, bytes: own };
}

const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

/** Rows of zeros that Meshopt's codec stores in the bytes of one sparse row with its index. */
const ROWS_PER_SPARSE = 64;

/** What an accessor of positions must say, of the numbers as they decode. */
function boundsOfColumn({ bytes, filter }: Column): Pick<WrittenArray, 'min' | 'max'> {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const values =
    filter === 'EXPONENTIAL'
      ? decodeExponential(words)
      : new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  values.forEach((value, k) => {
    min[k % 3] = Math.min(min[k % 3], value);
    max[k % 3] = Math.max(max[k % 3], value);
  });
  return { min, max };
}

function indexArray(indices: Uint32Array, vertices: number, mode: 'ATTRIBUTES' | 'RAW', drawn: number): WrittenArray {
  const short = vertices - 1 <= MAX_SHORT_INDEX;
  // Points and lines are few, and the codec of triangles does not fit them.
  const triangles = mode === 'ATTRIBUTES' && drawn === TRIANGLES && indices.length > 0;
  return {
    bytes: bytesOf(short ? Uint16Array.from(indices) : indices),
    stride: short ? 2 : 4,
    mode: triangles ? 'TRIANGLES' : 'RAW',
    purpose: 'indices',
    componentType: short ? UNSIGNED_SHORT : UNSIGNED_INT,
    type: 'SCALAR',
    count: indices.length,
  };
}
