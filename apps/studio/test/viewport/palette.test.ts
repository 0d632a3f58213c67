import { describe, expect, it } from 'vitest';
import { boneColours, cssColour, HEAT_TABLE, heatRow, heatStops } from '../../src/viewport/palette.ts';

const luminance = (row: number) =>
  0.2126 * HEAT_TABLE[row] + 0.7152 * HEAT_TABLE[row + 1] + 0.0722 * HEAT_TABLE[row + 2];

describe('palette', () => {
  it('clamps the heat map at both ends', () => {
    expect(heatRow(-1)).toBe(0);
    expect(heatRow(0)).toBe(0);
    expect(heatRow(1)).toBe(HEAT_TABLE.length - 3);
    expect(heatRow(Number.POSITIVE_INFINITY)).toBe(HEAT_TABLE.length - 3);
  });

  it('gets darker with the error all the way, so that the order survives in grey', () => {
    for (let row = 3; row < HEAT_TABLE.length; row += 3) expect(luminance(row)).toBeLessThan(luminance(row - 3) + 1e-6);
    expect(heatStops(5)).toHaveLength(5);
  });

  it('gives bones colours that differ, the same ones however many are asked for', () => {
    const many = boneColours(20);
    expect(new Set(many.map((colour) => colour.join())).size).toBe(20);
    expect(boneColours(5)).toEqual(many.slice(0, 5));
    expect(boneColours(0)).toEqual([]);
    expect(boneColours(200)).toHaveLength(200);
  });

  it('writes white and black as CSS', () => {
    expect(cssColour([1, 1, 1])).toBe('rgb(255 255 255)');
    expect(cssColour([0, 0, 0])).toBe('rgb(0 0 0)');
  });
});
