import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/crc32.ts';
import { zipStored } from '../../src/usd/zip-stored.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('zipStored', () => {
  it('has the check sum of RFC 1952', () => {
    expect(crc32(bytes('123456789'))).toBe(0xcbf43926);
  });

  it.each([0, 1, 2, 3, 30, 33, 34, 35, 63, 64, 65, 200])('is read back, and every file begins at 64 (%d)', (length) => {
    const entries = [
      { name: 'scene.usda', bytes: bytes('x'.repeat(length)) },
      { name: `${'t'.repeat(length % 70)}.png`, bytes: Uint8Array.from({ length }, (_, k) => k) },
      { name: 'last.jpg', bytes: new Uint8Array(0) },
    ];
    const zip = zipStored(entries);
    const found = unzipSync(zip);
    expect(Object.keys(found)).toEqual(entries.map(({ name }) => name));
    for (const entry of entries) expect(found[entry.name]).toEqual(entry.bytes);
    const view = new DataView(zip.buffer);
    for (let at = 0; view.getUint32(at, true) === 0x04034b50; ) {
      const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
      expect(start % 64).toBe(0);
      at = start + view.getUint32(at + 18, true);
    }
  });
});
