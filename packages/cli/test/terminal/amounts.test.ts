import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatNumber, formatSeconds } from '../../src/terminal/amounts.ts';

describe('amounts', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 KB'],
    [9949, '9.9 KB'],
    [9950, '10 KB'],
    [410_000, '410 KB'],
    [999_600, '1.0 MB'],
    [3_700_000, '3.7 MB'],
    [24_376_928, '24 MB'],
    [5e15, '5000 TB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0, '0.0 s'],
    [6.24, '6.2 s'],
    [9.96, '10 s'],
    [59.96, '1 min 0 s'],
    [125, '2 min 5 s'],
    [7260, '2 h 1 min'],
  ])('%d seconds are %s', (seconds, text) => expect(formatSeconds(seconds)).toBe(text));

  it('groups digits and rounds numbers', () => {
    expect([7, 999, 1000, 42321, 1234567].map(formatCount)).toEqual(['7', '999', '1 000', '42 321', '1 234 567']);
    expect([0, 2.13456, -0.00123, 123456, 1e-7, 4e8].map(formatNumber)).toEqual([
      '0',
      '2.13',
      '-0.00123',
      '123000',
      '1.00e-7',
      '4.00e+8',
    ]);
  });
});
