import type { GLTF, TypedArray } from '@gltf-transform/core';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { MESHOPT } from '../check-accessors.ts';
import { componentTypeOf } from './file-arrays.ts';

/**
 * Accessors in compressed buffer views: those of one kind together, each view encoded as a whole.
 *
 * Reference: the glTF extension EXT_meshopt_compression.
 */
export interface PackedArray {
  readonly values: TypedArray;
  /** Numbers in one element. */
  readonly size: number;
  readonly normalized: boolean;
  readonly mode: 'TRIANGLES' | 'ATTRIBUTES';
  readonly filter: Filter;
  /** Buffer target of the view. */
  readonly target?: GLTF.IBufferView['target'];
}

/** What comes between the numbers and the codec: nothing, or values with so many bits. */
export type Filter =
  | { readonly kind: 'NONE' }
  | { readonly kind: 'EXPONENTIAL' | 'QUATERNION' | 'OCTAHEDRAL'; readonly bits: number };

interface View {
  readonly stride: number;
  readonly array: PackedArray;
  readonly parts: Uint8Array[];
  count: number;
}

/** The views of a file in the making; `add` gives the accessor's place. */
export class PackedViews {
  readonly #encoder: typeof MeshoptEncoder;
  readonly #views = new Map<string, View>();
  readonly #order: View[] = [];

  constructor(encoder: typeof MeshoptEncoder) {
    this.#encoder = encoder;
  }

  /** @returns what the accessor must say beside its count and type */
  add(array: PackedArray): Pick<GLTF.IAccessor, 'bufferView' | 'byteOffset' | 'componentType' | 'normalized'> {
    const { bytes, stride, componentType, normalized } = this.#filtered(array);
    // Vertex attributes have a view each, as their stride is the view's; indices too, whose codec knows no restart.
    // How many bits a filter kept is in the data themselves.
    const shared = array.target === undefined;
    const key = shared ? `${stride} ${array.filter.kind}` : `own ${this.#order.length}`;
    let view = this.#views.get(key);
    if (!view) {
      view = { stride, array, parts: [], count: 0 };
      this.#views.set(key, view);
      this.#order.push(view);
    }
    const byteOffset = view.count * stride;
    view.parts.push(bytes);
    view.count += bytes.length / stride;
    return {
      bufferView: this.#order.indexOf(view),
      ...(byteOffset > 0 && { byteOffset }),
      componentType,
      ...(normalized && { normalized }),
    };
  }

  /** Encodes all views behind `rest`, the bytes that stay as they are; buffer 1 is what they decode to. */
  write(rest: Uint8Array): { bufferViews: GLTF.IBufferView[]; binary: Uint8Array<ArrayBuffer>; decoded: number } {
    const chunks: Uint8Array[] = [rest];
    let at = rest.length;
    let decoded = 0;
    const bufferViews = this.#order.map(({ stride, array, parts, count }) => {
      const bytes = concatenated(parts, count * stride);
      const encoded = this.#encoder.encodeGltfBuffer(bytes, count, stride, array.mode, 0);
      const padding = -at & 3;
      chunks.push(new Uint8Array(padding), encoded);
      at += padding;
      const view: GLTF.IBufferView = {
        buffer: 1,
        byteOffset: decoded,
        byteLength: bytes.length,
        ...(array.target === 34962 && { byteStride: stride }),
        ...(array.target !== undefined && { target: array.target }),
        extensions: {
          [MESHOPT]: {
            buffer: 0,
            byteOffset: at,
            byteLength: encoded.length,
            byteStride: stride,
            count,
            mode: array.mode,
            ...(array.filter.kind !== 'NONE' && { filter: array.filter.kind }),
          },
        },
      };
      at += encoded.length;
      decoded += bytes.length + (-bytes.length & 3);
      return view;
    });
    return { bufferViews, binary: concatenated(chunks, at), decoded };
  }

  #filtered({ values, size, normalized, mode, filter }: PackedArray) {
    const count = values.length / size;
    const encoder = this.#encoder;
    const asFloats = () => values as Float32Array;
    switch (filter.kind) {
      case 'EXPONENTIAL':
        return {
          bytes: encoder.encodeFilterExp(asFloats(), count, 4 * size, filter.bits, 'SharedVector'),
          stride: 4 * size,
          componentType: componentTypeOf(values),
          normalized: false,
        };
      case 'QUATERNION':
        return {
          bytes: encoder.encodeFilterQuat(asFloats(), count, 8, filter.bits),
          stride: 8,
          componentType: 5122 as const,
          normalized: true,
        };
      case 'OCTAHEDRAL': {
        const wide = filter.bits > 8;
        return {
          bytes: encoder.encodeFilterOct(padded(asFloats(), size, 4), count, wide ? 8 : 4, filter.bits),
          stride: wide ? 8 : 4,
          componentType: wide ? (5122 as const) : (5120 as const),
          normalized: true,
        };
      }
      default: {
        // The attribute codec takes strides in multiples of four bytes.
        const step = 4 / values.BYTES_PER_ELEMENT;
        const wide = mode === 'TRIANGLES' ? size : Math.ceil(size / step) * step;
        const all = wide === size ? values : padded(values, size, wide);
        return {
          bytes: new Uint8Array(all.buffer, all.byteOffset, all.byteLength),
          stride: wide * values.BYTES_PER_ELEMENT,
          componentType: componentTypeOf(values),
          normalized,
        };
      }
    }
  }
}

function padded<T extends TypedArray>(values: T, size: number, wide: number): T {
  const out = new (values.constructor as new (length: number) => T)((values.length / size) * wide);
  for (let k = 0; k < values.length; k++) out[Math.floor(k / size) * wide + (k % size)] = values[k];
  return out;
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
