import { InputError, UnsupportedError } from '@pelt/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isGlb, readGlbContainer, writeGlbContainer } from '../../src/gltf/glb-container.ts';

const JSON_TEXT = new TextEncoder().encode('{"a":1}');

it('gives its chunks back, padded to four bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (binary) => {
      const glb = writeGlbContainer(JSON_TEXT, binary);
      expect(isGlb(glb)).toBe(true);
      expect(glb.length % 4).toBe(0);
      const chunks = readGlbContainer(glb);
      expect(new TextDecoder().decode(chunks.json)).toBe('{"a":1} ');
      expect([...(chunks.binary ?? [])]).toEqual([...binary, ...new Array((4 - (binary.length % 4)) % 4).fill(0)]);
    }),
  );
});

it('may have no binary chunk, or another one after it', () => {
  const glb = writeGlbContainer(JSON_TEXT, undefined);
  expect(readGlbContainer(glb).binary).toBeUndefined();
  // A chunk of an unknown type where the binary one would be.
  const other = writeGlbContainer(JSON_TEXT, Uint8Array.of(1, 2, 3, 4));
  other.set([88, 88, 88, 88], glb.length + 4);
  expect(readGlbContainer(other).binary).toBeUndefined();
});

it('is not what begins otherwise', () => {
  expect(isGlb(new Uint8Array(0))).toBe(false);
  expect(isGlb(JSON_TEXT)).toBe(false);
});

it('says what is wrong with it', () => {
  const glb = writeGlbContainer(JSON_TEXT, Uint8Array.of(1, 2, 3, 4));
  const withWord = (offset: number, word: number) => {
    const copy = glb.slice();
    new DataView(copy.buffer).setUint32(offset, word, true);
    return copy;
  };
  expect(() => readGlbContainer(withWord(4, 1))).toThrow(
    new UnsupportedError('it is a GLB of version 1; pelt reads version 2'),
  );
  expect(() => readGlbContainer(withWord(8, 1000))).toThrow('it says it has 1000 bytes');
  expect(() => readGlbContainer(withWord(8, 14))).toThrow(InputError);
  expect(() => readGlbContainer(withWord(12, 0xffffffff))).toThrow('the chunk at byte 12 has 4294967295 bytes');
  expect(() => readGlbContainer(withWord(16, 7))).toThrow('its first chunk is not JSON');
  expect(() => readGlbContainer(glb.subarray(0, 8))).toThrow('cut off after 8 bytes');
});
