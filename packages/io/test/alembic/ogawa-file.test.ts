import { InputError, UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { OgawaFile } from '../../src/alembic/ogawa-file.ts';
import { EMPTY_DATA, EMPTY_GROUP, OgawaWriter } from '../../src/alembic/ogawa-writer.ts';
import type { ByteSource } from '../../src/byte-source.ts';
import { sourceOfBytes } from '../../src/byte-source.ts';
import { bytesOf } from '../meshes.ts';

const open = (bytes: Uint8Array) => new OgawaFile(sourceOfBytes(bytes), 'a.abc');

function sample(): Uint8Array<ArrayBuffer> {
  const writer = new OgawaWriter();
  const data = writer.data(Uint8Array.of(1, 2), Uint8Array.of(3));
  const inner = writer.group([data, EMPTY_GROUP]);
  return writer.finish(writer.group([inner, data, EMPTY_DATA]));
}

/** A file of 8 GiB with its root group behind the first 6. */
function hugeSource(): ByteSource {
  const far = 6 * 2 ** 30;
  const head = sample().slice(0, 16);
  new DataView(head.buffer).setBigUint64(8, BigInt(far), true);
  const tail = new DataView(new ArrayBuffer(64));
  tail.setBigUint64(0, 1n, true);
  tail.setBigUint64(8, BigInt(far + 16) | (1n << 63n), true);
  tail.setBigUint64(16, 3n, true);
  tail.setUint8(24, 7);
  const parts = [
    { at: 0, bytes: head },
    { at: far, bytes: new Uint8Array(tail.buffer) },
  ];
  return {
    size: 8 * 2 ** 30,
    read: (from, count) => {
      const out = new Uint8Array(count);
      for (const { at, bytes } of parts) {
        for (let k = 0; k < count; k++)
          if (from + k >= at && from + k < at + bytes.length) out[k] = bytes[from + k - at];
      }
      return out;
    },
  };
}

describe('OgawaFile', () => {
  it('reads groups and data back', () => {
    const file = open(sample());
    expect(file.root.count).toBe(3);
    const inner = file.group(file.root, 0, 'inner');
    expect([...file.readStructure(file.data(inner, 0, 'data'))]).toEqual([1, 2, 3]);
    expect(file.data(file.root, 1, 'data')).toEqual(file.data(inner, 0, 'data'));
    expect(file.group(inner, 1, 'empty').count).toBe(0);
    expect(file.data(file.root, 2, 'empty').count).toBe(0);
  });

  it('reads beyond 4 GiB', () => {
    const file = new OgawaFile(hugeSource(), 'huge.abc');
    const range = file.data(file.root, 0, 'data');
    expect(range).toEqual({ from: 6 * 2 ** 30 + 24, count: 3 });
    expect([...file.readStructure(range)]).toEqual([7, 0, 0]);
  });

  it.each([
    ['nothing', new Uint8Array(0), InputError, '0 bytes are too short for an archive'],
    ['a few bytes', bytesOf('Ogawa'), InputError, '5 bytes are too short'],
    ['another file', bytesOf('POINTCACHE2 and more'), InputError, 'does not begin with Ogawa'],
    [
      'HDF5',
      Uint8Array.from('\x89HDF and more than that', (char) => char.charCodeAt(0)),
      UnsupportedError,
      "Alembic 'a.abc': an HDF5 file, the form of Alembic before version 1.5; convert it to Ogawa (abcconvert -toOgawa)",
    ],
    [
      'a Git LFS pointer',
      bytesOf('version https://git-lfs.github.com/spec/v1\n'),
      InputError,
      "'a.abc' is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'",
    ],
  ])('refuses %s', (_, bytes, kind, message) => {
    expect(() => open(bytes)).toThrow(kind);
    expect(() => open(bytes)).toThrow("'a.abc'");
    expect(() => open(bytes)).toThrow(message);
  });

  it.each([
    [
      'an unfinished archive',
      5,
      0,
      InputError,
      'the archive is unfinished: its writer was interrupted or is still running',
    ],
    ['another version', 7, 2, UnsupportedError, 'Ogawa version 2, only 1 is known'],
    ['a root behind the end', 9, 200, InputError, "'children of the archive' is at byte"],
    ['a root in the header', 8, 3, InputError, "'children of the archive' is at byte 3"],
    ['a root beyond 2⁵³', 15, 255, InputError, "'children of the archive' is at byte"],
  ])('refuses %s', (_, at, value, kind, message) => {
    const bytes = sample();
    if (at === 8) bytes.fill(0, 8, 16);
    bytes[at] = value;
    expect(() => open(bytes)).toThrow(kind);
    expect(() => open(bytes)).toThrow(message);
  });

  it('refuses counts and sizes that do not fit', () => {
    const bytes = sample();
    const view = new DataView(bytes.buffer);
    const root = Number(view.getBigUint64(8, true));
    view.setBigUint64(root, 2n ** 61n, true);
    expect(() => open(bytes)).toThrow(`'children of the archive' is ${2 ** 61}`);
    view.setBigUint64(root, 3n, true);
    view.setBigUint64(16, 1000n, true);
    const file = open(bytes);
    expect(() => file.data(file.root, 1, 'it')).toThrow("'size of it' is 1000, which needs 1000 bytes");
  });

  it('refuses children that are missing or of the other kind', () => {
    const file = open(sample());
    expect(() => file.group(file.root, 3, 'it')).toThrow('it is missing; the file is damaged');
    expect(() => file.group(file.root, 1, 'it')).toThrow('it is a data block');
    expect(() => file.data(file.root, 0, 'it')).toThrow('it is a group');
  });

  it('refuses groups that are read more often than they can be there', () => {
    const file = open(sample());
    expect(() => {
      for (let k = 0; k < 1000; k++) file.group(file.root, 0, 'inner');
    }).toThrow('its groups overlap or form a cycle');
  });
});
