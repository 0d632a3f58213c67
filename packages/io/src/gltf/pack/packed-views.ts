import type { GLTF } from '@gltf-transform/core';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { MESHOPT } from '../check-accessors.ts';

/**
 * The buffer views of a file in the making. Arrays of one kind share a view, each view is encoded as a whole: text about
 * a view is longer than many an array.
 *
 * Reference: the glTF extension EXT_meshopt_compression.
 */
export interface ViewArray {
  /** count × stride, as the codec takes it: filtered, padded */
  readonly bytes: Uint8Array;
  readonly stride: number;
  readonly mode: 'ATTRIBUTES' | 'TRIANGLES' | 'RAW';
  readonly filter?: 'EXPONENTIAL' | 'QUATERNION' | 'OCTAHEDRAL';
  readonly purpose: 'vertices' | 'indices' | 'data';
}

interface View {
  readonly first: ViewArray;
  readonly parts: Uint8Array[];
  length: number;
}

const TARGETS = { vertices: 34962, indices: 34963, data: undefined } as const;

export class PackedViews {
  readonly #encoder: typeof MeshoptEncoder | undefined;
  readonly #views = new Map<string, View>();
  readonly #order: View[] = [];

  /** @param encoder  absent: nothing is compressed */
  constructor(encoder: typeof MeshoptEncoder | undefined) {
    this.#encoder = encoder;
  }

  add(array: ViewArray): { readonly bufferView: number; readonly byteOffset?: number } {
    const { stride, mode, filter = '', purpose } = array;
    const key = `${purpose} ${mode} ${stride} ${filter}`;
    let view = this.#views.get(key);
    if (!view) {
      view = { first: array, parts: [], length: 0 };
      this.#views.set(key, view);
      this.#order.push(view);
    }
    const byteOffset = view.length;
    view.parts.push(array.bytes);
    view.length += array.bytes.length;
    return { bufferView: this.#order.indexOf(view), ...(byteOffset > 0 && { byteOffset }) };
  }

  /** A view of its own, for bytes that stay as they are: images, arrays of extensions. */
  addBytes(bytes: Uint8Array): number {
    const array: ViewArray = { bytes, stride: 1, mode: 'RAW', purpose: 'data' };
    this.#order.push({ first: array, parts: [bytes], length: bytes.length });
    return this.#order.length - 1;
  }

  write(): { bufferViews: GLTF.IBufferView[]; buffers: GLTF.IBuffer[]; binary: Uint8Array<ArrayBuffer> } {
    const chunks: Uint8Array[] = [];
    let at = 0;
    let decoded = 0;
    const append = (bytes: Uint8Array): number => {
      const padding = -at & 3;
      chunks.push(new Uint8Array(padding), bytes);
      const start = at + padding;
      at = start + bytes.length;
      return start;
    };
    const bufferViews = this.#order.map(({ first, parts, length }): GLTF.IBufferView => {
      const { stride, mode, filter, purpose } = first;
      const bytes = concatenated(parts, length);
      const target = TARGETS[purpose];
      const strided = purpose === 'vertices' && { byteStride: stride };
      const encoder = mode === 'RAW' ? undefined : this.#encoder;
      if (!encoder) {
        const shape = { ...strided, ...(target !== undefined && { target }) };
        return { buffer: 0, ...from(append(bytes)), byteLength: length, ...shape };
      }
      const count = length / stride;
      const encoded = encoder.encodeGltfBuffer(bytes, count, stride, mode, 0);
      const packed = { buffer: 0, ...from(append(encoded)), byteLength: encoded.length, byteStride: stride, count };
      // Without a target, which is a hint to viewers that upload whole views.
      const view = {
        buffer: 1,
        ...from(decoded),
        byteLength: length,
        ...strided,
        extensions: { [MESHOPT]: { ...packed, mode, ...(filter && { filter }) } },
      };
      decoded += length + (-length & 3);
      return view;
    });
    const buffers: GLTF.IBuffer[] = [{ byteLength: at }];
    if (decoded > 0) {
      buffers.push({ byteLength: decoded, extensions: { [MESHOPT]: { fallback: true } } } as GLTF.IBuffer);
    }
    return { bufferViews, buffers, binary: concatenated(chunks, at) };
  }
}

/** Zero is what a reader assumes. */
function from(byteOffset: number): { readonly byteOffset?: number } {
  return byteOffset > 0 ? { byteOffset } : {};
}

function concatenated(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
