import { describe, expect, it } from 'vitest';
import { decodeFloat32, decodeFloat64, decodeInt32, littleEndianBytes, POD, podBytes } from '../../src/alembic/pod.ts';

describe('plain types', () => {
  it.each([
    ['bool', [0, 2], [0, 1]],
    ['uint8', [255], [255]],
    ['int8', [255], [-1]],
    ['uint16', [1, 255], [0xff01]],
    ['int16', [0xfe, 255], [-2]],
    ['uint32', [0, 0, 0, 0x80], [2 ** 31]],
    ['int32', [0, 0, 0, 0x80], [-(2 ** 31)]],
    ['uint64', [0, 0, 0, 0, 1, 0, 0, 0], [2 ** 32]],
    ['int64', [255, 255, 255, 255, 255, 255, 255, 255], [-1]],
    ['float32', [0, 0, 0x20, 0xc0], [-2.5]],
    ['float64', [0, 0, 0, 0, 0, 0, 4, 0x40], [2.5]],
  ] as const)('reads %s', (name, bytes, values) => {
    expect([...decodeFloat64(Uint8Array.from(bytes), POD[name])]).toEqual(values);
    expect(bytes.length).toBe(values.length * podBytes(POD[name]));
  });

  it.each([
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x0001, 2 ** -24],
    [0x7bff, 65504],
    [0xfc00, Number.NEGATIVE_INFINITY],
    [0x7e00, Number.NaN],
    [0x8000, -0],
  ])('reads the half %d', (bits, value) => {
    const out = new Float32Array(1);
    decodeFloat32(Uint8Array.of(bits & 255, bits >> 8), POD.float16, out);
    expect(out[0]).toBe(value);
  });

  it('reads integers of any size as int32', () => {
    expect([...decodeInt32(Uint8Array.of(1, 255), POD.int8)]).toEqual([1, -1]);
    expect([...decodeInt32(Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0), POD.uint64)]).toEqual([7]);
    expect([...decodeInt32(Uint8Array.of(7, 0, 0, 0), POD.int32)]).toEqual([7]);
  });

  it('writes what it reads', () => {
    const numbers = Float64Array.of(1.5, -2e300);
    expect([...decodeFloat64(littleEndianBytes(numbers), POD.float64)]).toEqual([...numbers]);
  });
});
