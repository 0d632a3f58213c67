import type { GLTF } from '@gltf-transform/core';
import { joinBytes, MESHOPT } from '@pelt/io/internal';
import type { Codec } from './codec.ts';

/**
 * The buffer views of a file in the making. Arrays of one kind share a view, each view is encoded as a whole: text about
 * a view is longer than many an array, and viewers start a decoder for each. A view whose description is longer than what
 * encoding saves is stored as it decodes, together with others like it.
 *
 * Reference: the glTF extension EXT_meshopt_compression.
 */
export interface ViewArray {
  /** count × stride, as the codec takes it: filtered, padded */
  readonly bytes: Uint8Array;
  readonly stride: number;
  readonly mode: 'ATTRIBUTES' | 'TRIANGLES' | 'RAW';
  readonly filter?: 'EXPONENTIAL' | 'QUATERNION' | 'OCTAHEDRAL';
  /** Arrays of different purposes have different views: the format asks for that. */
  readonly purpose: 'vertices' | 'indices' | 'binds' | 'data';
  /** Readers see nothing but zeros, and know what to do without a view. */
  readonly isZero?: boolean;
  /** Arrays whose rows are all the same may have the bytes of a longer such array. */
  readonly sharesRows?: boolean;
}

/** Where an array is: an offset of zero is what readers assume, and without a view they take zeros. */
export interface ViewPlace {
  readonly bufferView?: number;
  readonly byteOffset?: number;
}

export interface WrittenViews {
  readonly bufferViews: GLTF.IBufferView[];
  readonly buffers: GLTF.IBuffer[];
  readonly binary: Uint8Array<ArrayBuffer>;
  /** Of the arrays, in the order in which they were added. */
  readonly places: readonly ViewPlace[];
  /** Whether any view needs the extension. */
  readonly packed: boolean;
}

/** Bytes at one place of a view, and the arrays that have them. */
interface Run {
  bytes: Uint8Array;
  readonly arrays: number[];
}

interface View {
  readonly first: ViewArray;
  readonly runs: Run[];
  /** Of arrays that are one row again and again, by that row. */
  readonly repeated: Map<string, Run>;
}

/** A view with its bytes: as readers see them and, where it is smaller, encoded. */
interface StoredView {
  readonly first: ViewArray;
  readonly runs: readonly Run[];
  readonly bytes: Uint8Array;
  readonly encoded?: Uint8Array;
}

/** Bytes of a view that may be stored as it decodes. */
const [MOST_RAW, MOST_FILTERED] = [1 << 20, 1 << 14];
const TARGETS = { vertices: 34962, indices: 34963, binds: undefined, data: undefined } as const;

export class PackedViews {
  readonly #codec: Codec | undefined;
  readonly #plain: Uint8Array[] = [];
  readonly #views = new Map<string, View>();
  #arrays = 0;

  /** @param codec  absent: nothing is compressed */
  constructor(codec: Codec | undefined) {
    this.#codec = codec;
  }

  /** The number of the array among the places. */
  add(array: ViewArray): number {
    if (array.isZero) return this.#arrays++;
    const { stride, mode, filter = '', purpose, bytes } = array;
    const key = `${purpose} ${mode} ${stride} ${filter}`;
    const view: View = this.#views.get(key) ?? { first: array, runs: [], repeated: new Map() };
    this.#views.set(key, view);
    const row = array.sharesRows && mode !== 'RAW' ? repeatedRow(array) : undefined;
    const known = row === undefined ? undefined : view.repeated.get(row);
    if (known) {
      if (bytes.length > known.bytes.length) known.bytes = bytes;
      known.arrays.push(this.#arrays);
    } else {
      const run: Run = { bytes, arrays: [this.#arrays] };
      view.runs.push(run);
      if (row !== undefined) view.repeated.set(row, run);
    }
    return this.#arrays++;
  }

  /** A view of its own, for bytes that stay as they are: images, arrays of extensions. These views come first. */
  addBytes(bytes: Uint8Array): number {
    return this.#plain.push(bytes) - 1;
  }

  write(): WrittenViews {
    const binary = new Binary();
    const bufferViews: GLTF.IBufferView[] = this.#plain.map((bytes) => ({
      buffer: 0,
      ...from(binary.append(bytes)),
      byteLength: bytes.length,
    }));
    const places = new Array<ViewPlace>(this.#arrays).fill({});
    let decoded = 0;
    for (const view of this.#stored()) {
      let at = 0;
      for (const { bytes, arrays } of view.runs) {
        for (const k of arrays) places[k] = { bufferView: bufferViews.length, ...from(at) };
        at += bytes.length;
      }
      const { encoded } = view;
      const start = binary.append(encoded ?? view.bytes);
      bufferViews.push(encoded ? packedView(view, start, decoded) : rawView(view, start, this.#codec === undefined));
      if (encoded) decoded += view.bytes.length + (-view.bytes.length & 3);
    }
    const buffers: GLTF.IBuffer[] = [{ byteLength: binary.length }];
    if (decoded > 0) {
      buffers.push({ byteLength: decoded, extensions: { [MESHOPT]: { fallback: true } } } as GLTF.IBuffer);
    }
    return { bufferViews, buffers, binary: binary.bytes(), places, packed: decoded > 0 };
  }

  #stored(): StoredView[] {
    const codec = this.#codec;
    const views = Array.from(this.#views.values(), ({ first, runs }): StoredView => {
      const bytes = joinBytes(runs.map((run) => run.bytes));
      if (!codec || first.mode === 'RAW') return { first, runs, bytes };
      const { stride, mode, filter } = first;
      const count = bytes.length / stride;
      const encoded = codec.encode(bytes, stride, mode);
      if (!filter) return { first, runs, bytes, encoded };
      const seen = new Uint8Array(bytes.length);
      codec.decoder.decodeGltfBuffer(seen, count, stride, encoded, mode, filter);
      return { first, runs, bytes: seen, encoded };
    });
    return codec ? withoutDearViews(views, codec) : views;
  }
}

/** Views that are dearer encoded become raw; raw views of one kind become one. */
function withoutDearViews(views: readonly StoredView[], codec: Codec): StoredView[] {
  const kindOf = ({ first }: StoredView) => `${first.purpose} ${first.purpose === 'data' ? '' : first.stride}`;
  const raw = new Set(views.filter(({ encoded }) => !encoded));
  const sizes = new Map(views.map((view) => [view, sizesOf(view, codec)]));
  // Where one is raw another costs no text any more: until nothing changes.
  for (let before = -1; before !== raw.size; ) {
    before = raw.size;
    for (const view of views) {
      if (raw.has(view)) continue;
      const joins = [...raw].some((other) => kindOf(other) === kindOf(view));
      const text = joins ? 0 : textLength(rawView(view, view.bytes.length, false));
      const packed = textLength(packedView(view, view.bytes.length, view.bytes.length));
      const { plain, encoded } = sizes.get(view) as ViewSizes;
      if (plain + codec.textSize(text) < encoded + codec.textSize(packed)) raw.add(view);
    }
  }
  const joined = new Map<string, StoredView[]>();
  for (const view of raw) joined.set(kindOf(view), [...(joined.get(kindOf(view)) ?? []), view]);
  return views.flatMap((view): StoredView[] => {
    if (!raw.has(view)) return [view];
    const all = joined.get(kindOf(view)) as StoredView[];
    if (all[0] !== view) return [];
    const runs = all.flatMap((own) => own.runs);
    return [{ first: view.first, runs, bytes: joinBytes(all.map(({ bytes }) => bytes)) }];
  });
}

/** Bytes of a view on its way, as readers see it and encoded. */
interface ViewSizes {
  readonly plain: number;
  readonly encoded: number;
}

/** Differences of long views are always smaller on their way, but for joints, weights and colours, which repeat rows. */
function sizesOf({ first, bytes, encoded }: StoredView, codec: Codec): ViewSizes {
  if (!encoded || bytes.length > (first.filter ? MOST_FILTERED : MOST_RAW)) return { plain: bytes.length, encoded: 0 };
  return { plain: codec.plainSize(bytes), encoded: codec.plainSize(encoded, 1) };
}

function packedView({ first, bytes, encoded }: StoredView, start: number, decoded: number): GLTF.IBufferView {
  const { stride, mode, filter, purpose } = first;
  const byteLength = encoded?.length ?? 0;
  const packed = { buffer: 0, ...from(start), byteLength, byteStride: stride, count: bytes.length / stride };
  // Without a target, which is a hint to viewers that upload whole views.
  return {
    buffer: 1,
    ...from(decoded),
    byteLength: bytes.length,
    ...(purpose === 'vertices' && { byteStride: stride }),
    extensions: { [MESHOPT]: { ...packed, mode, ...(filter && { filter }) } },
  };
}

function rawView({ first, bytes }: StoredView, start: number, hinted: boolean): GLTF.IBufferView {
  const { stride, purpose } = first;
  const target = hinted ? TARGETS[purpose] : undefined;
  return {
    buffer: 0,
    ...from(start),
    byteLength: bytes.length,
    ...(purpose === 'vertices' && { byteStride: stride }),
    ...(target !== undefined && { target }),
  };
}

function textLength(view: GLTF.IBufferView): number {
  return JSON.stringify(view).length;
}

function from(byteOffset: number): { readonly byteOffset?: number } {
  return byteOffset > 0 ? { byteOffset } : {};
}

/** The row that an array repeats; undefined where its rows differ. */
function repeatedRow({ bytes, stride }: ViewArray): string | undefined {
  for (let k = stride; k < bytes.length; k++) if (bytes[k] !== bytes[k - stride]) return undefined;
  return bytes.subarray(0, stride).join();
}

/** Chunks one after the other, each at a multiple of four. */
class Binary {
  readonly #chunks: Uint8Array[] = [];
  length = 0;

  append(bytes: Uint8Array): number {
    const padding = -this.length & 3;
    const start = this.length + padding;
    this.#chunks.push(new Uint8Array(padding), bytes);
    this.length = start + bytes.length;
    return start;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return joinBytes(this.#chunks);
  }
}
