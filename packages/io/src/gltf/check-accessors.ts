import { InputError, UnsupportedError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import {
  childOf,
  countOf,
  indexOf,
  isObject,
  type JsonObject,
  objectsOf,
  optionalIndexOf,
  requireIndex,
  textOf,
} from './json-shape.ts';

/**
 * Every offset, count and length of a glTF's buffers, views and accessors, checked against the bytes that are there,
 * before anything is allocated or decoded. After this a decoder can trust the numbers; the numbers' total is bounded
 * too, so that a small file cannot ask for a large memory.
 */
export const DRACO = 'KHR_draco_mesh_compression';
export const MESHOPT = 'EXT_meshopt_compression';

const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const TYPE_SIZES: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** What decoding may take beyond the file's own size: repeated, sparse and compressed data expand, but not this far. */
export const EXPANSION_LIMIT = 64;
export const EXPANSION_BASE_BYTES = 2 ** 28;

/** Best case of the vertex codec: one control byte for four channels of 256 elements. */
const MESHOPT_MAX_RATIO = 1024;
const MESHOPT_MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];

export interface CheckedViews {
  /** Bytes that each view holds once it is decoded. */
  readonly lengths: readonly number[];
  readonly strides: readonly number[];
  /** Each view's bytes in its buffer; `undefined` where they come out of a decoder. */
  readonly bytes: readonly (Uint8Array | undefined)[];
}

export function checkBufferViews(
  json: JsonObject,
  buffers: readonly (Uint8Array | undefined)[],
  warnings: WarningTally,
): CheckedViews {
  const lengths: number[] = [];
  const strides: number[] = [];
  const bytes: (Uint8Array | undefined)[] = [];
  objectsOf(json, 'bufferViews').forEach((view, k) => {
    const where = `bufferViews[${k}]`;
    const length = countOf(view, 'byteLength', where);
    const meshopt = childOf(view, 'extensions', where)[MESHOPT];
    lengths.push(length);
    strides.push(countOf(view, 'byteStride', where, 0));
    if (view.byteStride === 0) warnings.add('a byteStride of 0 is not valid; the view is read as packed');
    if (isObject(meshopt)) {
      checkMeshoptView(meshopt, `${where}.extensions.${MESHOPT}`, length, buffers);
      bytes.push(undefined);
    } else {
      bytes.push(rangeOf(view, where, length, buffers));
    }
  });
  return { lengths, strides, bytes };
}

function rangeOf(view: JsonObject, where: string, length: number, buffers: readonly (Uint8Array | undefined)[]) {
  const offset = countOf(view, 'byteOffset', where, 0);
  const b = indexOf(view, 'buffer', where, buffers.length);
  const data = buffers[b];
  if (!data) throw new InputError(`${where} refers to buffers[${b}], which has no data`);
  if (offset + length > data.length) {
    throw new InputError(`${where} ends at byte ${offset + length}, but buffers[${b}] has ${data.length}`);
  }
  return data.subarray(offset, offset + length);
}

function checkMeshoptView(
  meshopt: JsonObject,
  where: string,
  length: number,
  buffers: readonly (Uint8Array | undefined)[],
): void {
  const count = countOf(meshopt, 'count', where);
  const stride = countOf(meshopt, 'byteStride', where);
  const packed = countOf(meshopt, 'byteLength', where);
  rangeOf(meshopt, where, packed, buffers);
  if (!MESHOPT_MODES.includes(textOf(meshopt, 'mode'))) {
    throw new InputError(`${where}.mode must be one of ${MESHOPT_MODES.join(', ')}`);
  }
  if (count * stride !== length) {
    throw new InputError(`${where} gives ${count} × ${stride} bytes, but its view has ${length}`);
  }
  if (length > packed * MESHOPT_MAX_RATIO) {
    throw new InputError(`${where}: ${packed} bytes cannot hold ${length} bytes of data`);
  }
}

export interface CheckedAccessor {
  readonly count: number;
  /** Numbers in one element. */
  readonly size: number;
  readonly componentType: number;
  readonly normalized: boolean;
}

/** @param totalBytes  size of the file with all its buffers, which bounds what it may expand to */
export function checkAccessors(
  json: JsonObject,
  views: CheckedViews,
  totalBytes: number,
  warnings: WarningTally,
): CheckedAccessor[] {
  const limit = EXPANSION_BASE_BYTES + EXPANSION_LIMIT * totalBytes;
  let decoded = 0;
  return objectsOf(json, 'accessors').map((accessor, k) => {
    const where = `accessors[${k}]`;
    const checked = checkShape(accessor, where);
    const elementBytes = checked.size * COMPONENT_BYTES[checked.componentType];
    decoded += checked.count * elementBytes;
    if (decoded > limit) {
      throw new InputError(`${where}: ${checked.count} elements would make ${totalBytes} bytes expand to ${decoded}`);
    }
    const view = optionalIndexOf(accessor, 'bufferView', where, views.lengths.length);
    if (view >= 0) checkRange(accessor, where, view, views, elementBytes, checked.count);
    const sparse = childOf(accessor, 'sparse', where);
    if (Object.keys(sparse).length > 0) checkSparse(sparse, `${where}.sparse`, views, checked, elementBytes, warnings);
    return checked;
  });
}

function checkShape(accessor: JsonObject, where: string): CheckedAccessor {
  const count = countOf(accessor, 'count', where);
  if (count === 0) throw new InputError(`${where}.count is 0; an accessor has at least one element`);
  const componentType = countOf(accessor, 'componentType', where);
  if (!Object.hasOwn(COMPONENT_BYTES, componentType)) {
    throw new UnsupportedError(`${where}.componentType is ${componentType}, which glTF 2.0 does not define`);
  }
  const type = textOf(accessor, 'type');
  if (!Object.hasOwn(TYPE_SIZES, type)) throw new InputError(`${where}.type must be one of ${Object.keys(TYPE_SIZES)}`);
  return { count, size: TYPE_SIZES[type], componentType, normalized: accessor.normalized === true };
}

function checkRange(
  accessor: JsonObject,
  where: string,
  view: number,
  views: CheckedViews,
  elementBytes: number,
  count: number,
): void {
  const offset = countOf(accessor, 'byteOffset', where, 0);
  const stride = views.strides[view] || elementBytes;
  if (stride < elementBytes) {
    throw new InputError(`${where}: its elements have ${elementBytes} bytes, but bufferViews[${view}] steps ${stride}`);
  }
  const end = offset + stride * (count - 1) + elementBytes;
  if (end > views.lengths[view]) {
    throw new InputError(`${where} ends at byte ${end}, but bufferViews[${view}] has ${views.lengths[view]}`);
  }
}

function checkSparse(
  sparse: JsonObject,
  where: string,
  views: CheckedViews,
  accessor: CheckedAccessor,
  elementBytes: number,
  warnings: WarningTally,
): void {
  const count = countOf(sparse, 'count', where);
  if (count > accessor.count) {
    throw new InputError(`${where}.count is ${count}, more than the accessor's ${accessor.count} elements`);
  }
  if (count === 0) throw new InputError(`${where}.count is 0; a sparse accessor replaces at least one element`);
  const values = childOf(sparse, 'values', where);
  const valuesView = indexOf(values, 'bufferView', `${where}.values`, views.lengths.length);
  checkRange(values, `${where}.values`, valuesView, views, elementBytes, count);

  const indices = childOf(sparse, 'indices', where);
  const type = countOf(indices, 'componentType', `${where}.indices`);
  if (type !== 5121 && type !== 5123 && type !== 5125) {
    throw new InputError(`${where}.indices.componentType is ${type}, expected an unsigned integer type`);
  }
  const indicesView = indexOf(indices, 'bufferView', `${where}.indices`, views.lengths.length);
  const size = COMPONENT_BYTES[type];
  checkRange(indices, `${where}.indices`, indicesView, views, size, count);
  const bytes = views.bytes[indicesView];
  if (!bytes) return;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const offset = countOf(indices, 'byteOffset', `${where}.indices`, 0);
  const step = views.strides[indicesView] || size;
  let last = -1;
  for (let k = 0; k < count; k++) {
    const at = offset + k * step;
    const index = size === 1 ? data.getUint8(at) : size === 2 ? data.getUint16(at, true) : data.getUint32(at, true);
    requireIndex(index, `${where}.indices element ${k}`, accessor.count);
    if (index <= last) warnings.add('sparse indices do not increase strictly; of equal ones the last counts');
    last = index;
  }
}
