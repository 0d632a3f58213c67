import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { beforeAll, describe, expect, it } from 'vitest';
import { Codec } from '../src/codec.ts';
import { encodeExponential } from '../src/exponential.ts';
import { PackedViews, type ViewArray, type WrittenViews } from '../src/packed-views.ts';

const codec = new Codec(MeshoptEncoder, MeshoptDecoder, 'none');
beforeAll(async () => {
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
});

/** A ramp of floats, which the filter and the codec make small. */
function floats(count: number, purpose: ViewArray['purpose'] = 'vertices'): ViewArray {
  const words = encodeExponential(
    Float32Array.from({ length: 3 * count }, (_, k) => k / 4),
    [-2],
    3,
  );
  return { bytes: new Uint8Array(words.buffer), stride: 12, mode: 'ATTRIBUTES', filter: 'EXPONENTIAL', purpose };
}

function rows(count: number, row: readonly number[], more: Partial<ViewArray> = {}): ViewArray {
  const bytes = Uint8Array.from({ length: 4 * count }, (_, k) => row[k % 4]);
  return { bytes, stride: 4, mode: 'ATTRIBUTES', purpose: 'vertices', ...more };
}

/** What a reader sees of an array, by the words of the extension. */
function seen({ bufferViews, binary, places }: WrittenViews, k: number, length: number): Uint8Array {
  const { bufferView = -1, byteOffset = 0 } = places[k];
  const view = bufferViews[bufferView];
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a test
  const packed = (view.extensions as any)?.EXT_meshopt_compression;
  const { byteOffset: from = 0, byteLength } = packed ?? view;
  const stored = binary.subarray(from, from + byteLength);
  if (!packed) return stored.subarray(byteOffset, byteOffset + length);
  const out = new Uint8Array(packed.count * packed.byteStride);
  MeshoptDecoder.decodeGltfBuffer(out, packed.count, packed.byteStride, stored, packed.mode, packed.filter);
  return out.subarray(byteOffset, byteOffset + length);
}

function writtenOf(arrays: readonly ViewArray[], own: Codec | undefined = codec): WrittenViews {
  const views = new PackedViews(own);
  for (const array of arrays) views.add(array);
  return views.write();
}

describe('PackedViews', () => {
  it('has one view for arrays of a kind, which is encoded', () => {
    const written = writtenOf([floats(200), rows(4, [1, 2, 3, 4]), floats(100)]);
    expect(written.places[2]).toEqual({ bufferView: written.places[0].bufferView, byteOffset: 2400 });
    expect(written.packed).toBe(true);
    expect(written.buffers[1].byteLength).toBe(3600);
    const numbers = new Float32Array(seen(written, 2, 1200).slice().buffer);
    expect(numbers[7]).toBe(7 / 4);
  });

  it('stores small views as they decode, those of a kind together, without the extension', () => {
    const data = (count: number): ViewArray => ({ ...floats(count, 'data') });
    const times: ViewArray = { ...rows(3, [5, 0, 0, 1], { filter: 'EXPONENTIAL' }), purpose: 'data' };
    const written = writtenOf([data(2), times, rows(2, [9, 8, 7, 6])]);
    expect(written.packed).toBe(false);
    expect(written.buffers).toHaveLength(1);
    expect(written.bufferViews).toHaveLength(2);
    expect(written.places[1]).toEqual({ bufferView: 0, byteOffset: 24 });
    expect([...new Float32Array(seen(written, 0, 24).slice().buffer)]).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25]);
    expect([...new Float32Array(seen(written, 1, 12).slice().buffer)]).toEqual([10, 10, 10]);
    expect([...seen(written, 2, 8)]).toEqual([9, 8, 7, 6, 9, 8, 7, 6]);
  });

  it('keeps views of different purposes and strides apart', () => {
    const written = writtenOf([floats(2, 'binds'), floats(2, 'data'), floats(2), rows(2, [1, 1, 1, 1])]);
    expect(new Set(written.places.map(({ bufferView }) => bufferView)).size).toBe(4);
    expect(written.bufferViews.map(({ byteStride }) => byteStride)).toEqual([undefined, undefined, 12, 4]);
  });

  it('lets arrays that repeat one row have the longest of them', () => {
    const shared = { sharesRows: true };
    const arrays = [
      rows(100, [255, 0, 0, 0], shared),
      rows(3, [7, 0, 0, 0], shared),
      rows(300, [255, 0, 0, 0], shared),
      { ...rows(2, [0, 0, 0, 0], shared), bytes: Uint8Array.of(255, 0, 0, 0, 254, 1, 0, 0) },
    ];
    const written = writtenOf(arrays);
    expect(written.places[0]).toEqual(written.places[2]);
    expect(written.buffers[1].byteLength).toBe(1200 + 12 + 8);
    arrays.forEach(({ bytes }, k) => {
      expect(seen(written, k, bytes.length)).toEqual(bytes);
    });
    // Colours may be painted: each part has its own.
    const apart = writtenOf([rows(1000, [255, 0, 0, 0]), rows(2000, [255, 0, 0, 0])]);
    expect(apart.buffers[1].byteLength).toBe(12000);
  });

  it('has no bytes for zeros', () => {
    const written = writtenOf([floats(200), { ...floats(50), isZero: true }]);
    expect(written.places[1]).toEqual({});
    expect(written.buffers[1].byteLength).toBe(2400);
  });

  it('puts images first, and everything as it is without a codec', () => {
    const views = new PackedViews(undefined);
    views.add(rows(1, [1, 2, 3, 4]));
    expect(views.addBytes(Uint8Array.of(1, 2, 3))).toBe(0);
    const { bufferViews, binary, places } = views.write();
    expect(places).toEqual([{ bufferView: 1 }]);
    expect(bufferViews).toEqual([
      { buffer: 0, byteLength: 3 },
      { buffer: 0, byteOffset: 4, byteLength: 4, byteStride: 4, target: 34962 },
    ]);
    expect([...binary]).toEqual([1, 2, 3, 0, 1, 2, 3, 4]);
  });
});
