import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { byteSource } from '../../src/files/byte-source.ts';
import { MemoryFiles } from '../../src/files/memory-files.ts';

const SIZE = 700_000;
const bytes = Uint8Array.from({ length: SIZE }, (_, k) => (k * 31) % 251);

/** Counts what is read of the file. */
class CountedFiles extends MemoryFiles {
  ranges = 0;

  override readRange(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
    this.ranges++;
    return super.readRange(path, start, end);
  }
}

describe('byteSource', () => {
  it.each([
    [0, 16],
    [123, 4567],
    [0, SIZE],
    [SIZE - 5, 5],
    [SIZE, 0],
    [300_000, 300_000],
  ])('gives bytes from %d, %d of them', (from, count) => {
    const source = byteSource(new MemoryFiles({ a: bytes }), 'a');
    expect(source.size).toBe(SIZE);
    for (const at of [from, 0, from]) {
      const part = source.read(at, count > SIZE - at ? 0 : count);
      expect(Buffer.compare(part, bytes.subarray(at, at + part.length))).toBe(0);
    }
  });

  it('reads ahead, so that small reads do not each go to the file', () => {
    const files = new CountedFiles({ a: bytes });
    const source = byteSource(files, 'a');
    const wrong = Array.from({ length: 12_500 }, (_, k) => 8 * k).filter((at) => source.read(at, 8)[0] !== bytes[at]);
    expect(wrong).toEqual([]);
    expect(files.ranges).toBe(1);
  });

  it('says that a file became shorter', () => {
    const files = new MemoryFiles({ a: bytes });
    const source = byteSource(files, 'a');
    files.set('a', bytes.slice(0, 10));
    expect(() => source.read(100, 20)).toThrow(InputError);
    expect(() => source.read(100, 20)).toThrow("cannot read 'a': it became shorter while it was read");
  });
});
