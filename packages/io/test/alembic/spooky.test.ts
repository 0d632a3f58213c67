import { describe, expect, it } from 'vitest';
import { combineHashes, hashBytes, hashOfBytes, spookyHash } from '../../src/alembic/spooky.ts';

const message = Uint8Array.from({ length: 512 }, (_, k) => k + 128);
const low = (length: number) => (spookyHash(message.subarray(0, length))[0] & 0xffffffffn).toString(16);

describe('spookyHash', () => {
  it('gives the values that its author published for the first lengths', () => {
    expect([0, 1, 2, 3, 4, 5].map(low)).toEqual([
      '6bf50919',
      '70de1d26',
      'a2b37298',
      '35bc5fbf',
      '8223b279',
      '5bcb315e',
    ]);
  });

  it('changes with every length, through both ways of hashing', () => {
    expect(new Set(Array.from({ length: 400 }, (_, k) => low(k))).size).toBe(400);
  });

  it('turns into bytes and back', () => {
    const hash = spookyHash(message);
    expect(hashOfBytes(hashBytes(hash))).toEqual(hash);
  });

  it('combines hashes in their order', () => {
    const [a, b] = [spookyHash(message), spookyHash(message.subarray(1))];
    expect(combineHashes(a, b)).toEqual(combineHashes(a, b));
    expect(combineHashes(a, b)).not.toEqual(combineHashes(b, a));
  });
});
