import type { GLTF, TypedArray } from '@gltf-transform/core';

/** The numbers of one accessor, dense and without gaps. */
export interface FileArray {
  readonly values: TypedArray;
  /** Numbers in one element. */
  readonly size: number;
  readonly normalized: boolean;
}

/** Of a file that pelt has written itself: everything is in the one buffer, and nothing is compressed yet. */
export function fileArrays(json: GLTF.IGLTF, binary: Uint8Array): FileArray[] {
  return (json.accessors ?? []).map((accessor) => {
    const size = SIZES[accessor.type];
    const Kind = KINDS[accessor.componentType as keyof typeof KINDS];
    const values = new Kind(accessor.count * size);
    if (accessor.bufferView !== undefined) {
      const view = (json.bufferViews as GLTF.IBufferView[])[accessor.bufferView];
      const stride = view.byteStride ?? size * Kind.BYTES_PER_ELEMENT;
      copyElements(binary, (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0), stride, size, values);
    }
    if (accessor.sparse) replaceSparse(json, binary, accessor.sparse, size, values);
    return { values, size, normalized: accessor.normalized ?? false };
  });
}

const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const KINDS = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
};

export function componentTypeOf(values: TypedArray): GLTF.AccessorComponentType {
  const found = Object.entries(KINDS).find(([, Kind]) => values instanceof Kind);
  return Number(found?.[0]) as GLTF.AccessorComponentType;
}

function copyElements(binary: Uint8Array, offset: number, stride: number, size: number, out: TypedArray): void {
  const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  const element = size * out.BYTES_PER_ELEMENT;
  for (let k = 0; k * element < bytes.length; k++) {
    bytes.set(binary.subarray(offset + k * stride, offset + k * stride + element), k * element);
  }
}

function replaceSparse(
  json: GLTF.IGLTF,
  binary: Uint8Array,
  { count, indices, values }: GLTF.IAccessorSparse,
  size: number,
  out: TypedArray,
): void {
  const views = json.bufferViews as GLTF.IBufferView[];
  const offsetOf = (part: { bufferView: number; byteOffset?: number }) =>
    (views[part.bufferView].byteOffset ?? 0) + (part.byteOffset ?? 0);
  const Kind = KINDS[indices.componentType as keyof typeof KINDS];
  const at = new Kind(count);
  copyElements(binary, offsetOf(indices), Kind.BYTES_PER_ELEMENT, 1, at);
  const replaced = new (out.constructor as typeof Float32Array)(count * size);
  copyElements(binary, offsetOf(values), size * out.BYTES_PER_ELEMENT, size, replaced);
  for (let k = 0; k < count; k++) out.set(replaced.subarray(k * size, (k + 1) * size), at[k] * size);
}
