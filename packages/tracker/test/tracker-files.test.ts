import { describe, expect, it } from 'vitest';
import { writeFlatBuffer } from '../scripts/flat-buffer.mjs';
import { withMetadata } from '../scripts/model-metadata.mjs';
import { storedZip } from '../scripts/stored-zip.mjs';
import { trackerFiles } from '../scripts/tracker-files.mjs';
import { TRACKER_FILES, trackerFolder } from '../src/index.ts';

/** Reads a FlatBuffer as its specification says, with no knowledge of how it was written. */
class Reader {
  readonly view: DataView;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get root(): number {
    return this.target(0);
  }

  target(at: number): number {
    return at + this.view.getUint32(at, true);
  }

  /** Position of a field of a table; 0 where it is absent. */
  field(table: number, k: number): number {
    const vtable = table - this.view.getInt32(table, true);
    const offset = 4 + 2 * k < this.view.getUint16(vtable, true) ? this.view.getUint16(vtable + 4 + 2 * k, true) : 0;
    return offset && table + offset;
  }

  entries(vector: number): number[] {
    return Array.from({ length: this.view.getUint32(vector, true) }, (_, k) => vector + 4 + 4 * k);
  }

  bytesAt(vector: number): Uint8Array {
    return this.#bytes.subarray(vector + 4, vector + 4 + this.view.getUint32(vector, true));
  }

  text(vector: number): string {
    return new TextDecoder().decode(this.bytesAt(vector));
  }
}

/** As much of a model as is looked at: a version, buffers with data, a note about metadata. */
const weights = Uint8Array.from({ length: 37 }, (_, k) => 3 * k);
const model = writeFlatBuffer(
  {
    table: [
      { word: 3 },
      { refs: [] },
      { refs: [] },
      { text: 'a model' },
      { refs: [{ table: [undefined] }, { table: [{ bytes: weights }] }] },
      undefined,
      { refs: [{ table: [{ text: 'min_runtime_version' }, { word: 0 }] }] },
    ],
  },
  'TFL3',
);

describe('metadata of a model', () => {
  const made = withMetadata(model, { mean: 127.5, deviation: 64 });
  const reader = new Reader(made);
  const { root } = reader;

  it('leaves what was there', () => {
    expect(new TextDecoder().decode(made.subarray(4, 8))).toBe('TFL3');
    expect(reader.view.getUint32(reader.field(root, 0), true)).toBe(3);
    expect(reader.text(reader.target(reader.field(root, 3)))).toBe('a model');
    const [, second] = reader.entries(reader.target(reader.field(root, 4))).map((at) => reader.target(at));
    const data = reader.target(reader.field(second, 0));
    expect(reader.bytesAt(data)).toEqual(weights);
    expect((data + 4) % 16).toBe(0);
  });

  it('adds a buffer that says how pixels become input', () => {
    const buffers = reader.entries(reader.target(reader.field(root, 4))).map((at) => reader.target(at));
    const entries = reader.entries(reader.target(reader.field(root, 6))).map((at) => reader.target(at));
    expect(entries.map((entry) => reader.text(reader.target(reader.field(entry, 0))))).toEqual([
      'min_runtime_version',
      'TFLITE_METADATA',
    ]);
    const index = reader.view.getUint32(reader.field(entries[1], 1), true);
    expect(index).toBe(2);
    const inner = new Reader(reader.bytesAt(reader.target(reader.field(buffers[index], 0))).slice());
    const vector = (table: number, k: number) => inner.entries(inner.target(inner.field(table, k)));
    const subgraph = inner.target(vector(inner.root, 3)[0]);
    const input = inner.target(vector(subgraph, 2)[0]);
    const unit = inner.target(vector(input, 4)[0]);
    const options = inner.target(inner.field(unit, 1));
    const numbers = [0, 1].map((k) => inner.view.getFloat32(vector(options, k)[0], true));
    expect(numbers).toEqual([127.5, 64]);
  });

  it('refuses what is no model', () => {
    expect(() => withMetadata(new Uint8Array(64), { mean: 0, deviation: 1 })).toThrow('TensorFlow Lite');
  });
});

describe('an archive', () => {
  it('stores files as they are, aligned, where its directory says', () => {
    const files = [
      ['a.bin', Uint8Array.of(1, 2, 3)],
      ['longer name.bin', weights],
    ] as const;
    const zip = storedZip(files);
    const end = zip.length - 22;
    expect(zip.readUInt32LE(end)).toBe(0x06054b50);
    let at = zip.readUInt32LE(end + 16);
    for (const [name, content] of files) {
      expect(zip.readUInt32LE(at)).toBe(0x02014b50);
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      expect(start % 16).toBe(0);
      expect(zip.subarray(at + 46, at + 46 + name.length).toString()).toBe(name);
      expect(new Uint8Array(zip.subarray(start, start + content.length))).toEqual(content);
      at += 46 + name.length;
    }
  });
});

describe('the files of the package', () => {
  it('are those that it names, with the licence of each in full', () => {
    const files = trackerFiles();
    expect([...files.keys()].sort()).toEqual(['LICENSES.txt', ...TRACKER_FILES].sort());
    const licences = String(files.get('LICENSES.txt'));
    for (const name of ['@mediapipe/pose', '@mediapipe/hands', '@mediapipe/tasks-vision'])
      expect(licences).toContain(`${name} `);
    expect(licences.match(/Apache License\s+Version 2.0, January 2004/g)).toHaveLength(3);
    // Palms come out of an archive of the older package, between other files.
    const hands = Buffer.from(files.get('hands.task') as Uint8Array).toString('latin1');
    expect(hands.match(/hand_\w+\.tflite/g)).toHaveLength(4);
    expect(hands).not.toContain('Left\nRight');
    expect(trackerFolder().pathname).toMatch(/\/packages\/tracker\/files\/$/);
  });
});
