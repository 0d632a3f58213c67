import { describe, expect, it } from 'vitest';
import { decodeScene as decode, encodeScene as encode } from '../../src/view/scene-bytes.ts';

describe('scene bytes', () => {
  it('gives back what went in, typed arrays as they were', () => {
    const value = {
      text: 'é',
      list: [1, { deep: Float32Array.of(1, 2, 3) }],
      bytes: Uint8Array.of(7),
      whole: new Float64Array([1, 2, 3]).subarray(1),
      empty: new Uint32Array(0),
    };
    expect(decode(encode(value).buffer)).toEqual(value);
  });

  it('names what it cannot send', () => {
    expect(() => encode({ big: new BigInt64Array(1) })).toThrow(/BigInt64Array/);
  });
});
