import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { ByteCursor, requireFit } from '../src/cursor.ts';

const EIGHT = Uint8Array.of(1, 2, 3, 4, 0, 0, 0x80, 0x3f);

describe('ByteCursor', () => {
  it('reads both orders of bytes', () => {
    const little = new ByteCursor(EIGHT, 'PC2', 'a.pc2', true);
    expect(little.u32('a')).toBe(0x04030201);
    expect(little.f32('b')).toBe(1);
    const big = new ByteCursor(EIGHT, 'MDD', 'a.mdd', false);
    expect(big.i32('a')).toBe(0x01020304);
    expect(big.u8('b')).toBe(0);
    expect(big.position).toBe(5);
    expect(big.remaining).toBe(3);
  });

  it('reads arrays of both orders from any alignment', () => {
    const values = [1.5, -2.25, 3e30];
    for (const littleEndian of [true, false]) {
      const bytes = new Uint8Array(1 + values.length * 4);
      const view = new DataView(bytes.buffer);
      values.forEach((value, k) => {
        view.setFloat32(1 + k * 4, value, littleEndian);
      });
      const cursor = new ByteCursor(bytes, 'PC2', '', littleEndian);
      cursor.take(1, 'padding');
      expect([...cursor.f32Array(3, 'values')]).toEqual(values.map(Math.fround));
      expect(cursor.remaining).toBe(0);
    }
  });

  it('respects the limits of a view into a larger buffer', () => {
    const cursor = new ByteCursor(EIGHT.subarray(4), 'PC2', '', true);
    expect(cursor.f32('one')).toBe(1);
    expect(() => cursor.u8('more')).toThrow(InputError);
  });

  it('names file, field and bytes when the file ends', () => {
    const cursor = new ByteCursor(EIGHT, 'PC2', 'clip.pc2', true);
    cursor.u32('a');
    cursor.u8('b');
    expect(() => cursor.i32('samples')).toThrow(
      "PC2 'clip.pc2': 'samples' needs 4 bytes at byte 5, but 3 are left; the file is cut short, export it again",
    );
    // A failed read leaves the cursor where it was.
    expect(cursor.remaining).toBe(3);
  });

  it.each([2 ** 31, 2 ** 32 - 1, 2 ** 53, Number.POSITIVE_INFINITY])('never allocates for a count of %d', (count) => {
    const cursor = new ByteCursor(EIGHT, 'MDD', 'a.mdd', false);
    expect(() => cursor.f32Array(count, 'positions')).toThrow(InputError);
  });

  it('refuses counts that are not counts', () => {
    for (const count of [-1, 0.5, Number.NaN]) {
      expect(() => requireFit('PLY', 'vertex', count, 1, 100)).toThrow(`'vertex' is ${count}, not a count`);
    }
    expect(requireFit('PLY', 'vertex', 0, 12, 0)).toBe(0);
    expect(requireFit('PLY', 'vertex', 2, 12, 24)).toBe(2);
    expect(() => requireFit('PLY', 'vertex', 3, 12, 35)).toThrow(
      "PLY: 'vertex' is 3, which needs 36 bytes, but 35 are left; the file is cut short or damaged, export it again",
    );
  });
});
