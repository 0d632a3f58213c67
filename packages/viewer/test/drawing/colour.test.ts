import { describe, expect, it } from 'vitest';
import { distinctColours, mapColour, toHex } from '../../src/drawing/colour.ts';

describe('colours', () => {
  const luminance = ([r, g, b]: number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

  it('get darker all along the heat map', () => {
    const values = Array.from({ length: 101 }, (_, k) => luminance(mapColour('heat', k / 100)));
    for (let k = 1; k < values.length; k++) expect(values[k]).toBeLessThan(values[k - 1]);
  });

  it('clamp outside the range and mark what is not a number', () => {
    expect(mapColour('heat', -3)).toEqual(mapColour('heat', 0));
    expect(mapColour('heat', 7)).toEqual(mapColour('heat', 1));
    expect(mapColour('diverging', Number.NaN)).toEqual([0, 0, 0]);
  });

  it('for clusters differ, stay the same when more are asked for, and repeat only beyond the lattice', () => {
    const few = distinctColours(8).map(toHex);
    expect(distinctColours(40).map(toHex).slice(0, 8)).toEqual(few);
    expect(new Set(distinctColours(60).map(toHex)).size).toBe(60);
    expect(distinctColours(200)).toHaveLength(200);
    expect(distinctColours(0)).toEqual([]);
  });

  it('are written as the web writes them', () => {
    expect([toHex([0, 0, 0]), toHex([1, 1, 1]), toHex([1, 0.2140411, 0])]).toEqual(['#000000', '#ffffff', '#ff7f00']);
  });
});
