import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onOneLine, TextWriter } from '../src/text-writer.ts';

const textOf = (writer: TextWriter) => new TextDecoder().decode(writer.toBytes());
const float = (value: number) => textOf(new TextWriter().float32(Math.fround(value)));

describe('TextWriter', () => {
  it.each([
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-2.5, '-2.5'],
    [0.1, '0.1'],
    [0.001953125, '0.001953125'],
    [0.022730967, '0.022730967'],
    [123456.7, '123456.7'],
    [16777216, '16777216'],
    [999999.94, '999999.94'],
    [999999936, '999999936'],
    [1e-7, '1e-7'],
    [3.4028234663852886e38, '3.4028235e+38'],
    [1.401298464324817e-45, '1.4013e-45'],
  ])('writes %d as %s', (value, text) => {
    expect(float(value)).toBe(text);
  });

  it('writes every float32 so that it reads back, with nine digits at most', () => {
    const any = fc.float({ noNaN: true, noDefaultInfinity: true });
    const usual = fc.float({ min: -1000, max: 1000, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(any, usual), (value) => {
        const text = float(value);
        expect(Math.fround(Number(text))).toBe(value);
        const digits = text.replace(/e.*$/, '').replace(/[-.]/g, '').replace(/^0+/, '');
        if (!/e/.test(text)) expect(digits.replace(/0+$/, '').length).toBeLessThanOrEqual(9);
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps short decimals short', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999999, max: 999999 }), fc.integer({ min: 0, max: 5 }), (whole, decimals) => {
        const value = whole / 10 ** decimals;
        expect(Number(float(value))).toBe(value);
      }),
    );
  });

  it('writes indices and text of any length', () => {
    const writer = new TextWriter();
    for (let k = 0; k < 20000; k++) writer.index(4294967295).byte(32);
    writer.text('ünïcode');
    expect(textOf(writer)).toBe(`${'4294967295 '.repeat(20000)}ünïcode`);
  });

  it('keeps names on their line', () => {
    expect(onOneLine('left\narm\r\0\\')).toBe('left_arm___');
    expect(onOneLine('a\\b')).toBe('a\\b');
  });
});
