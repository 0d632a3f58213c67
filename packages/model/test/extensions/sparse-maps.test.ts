import { describe, expect, it } from 'vitest';
import { denseMaps, NO_PLACE, sparseMaps } from '../../src/extensions/sparse-maps.ts';

describe('sparseMaps', () => {
  it('keeps the blocks of columns that a proxy reads, for its four rows', () => {
    // Two proxies of four rows, three blocks of two columns; the first reads blocks 0 and 2, the second block 1.
    const matrix = new Float64Array(2 * 4 * 6);
    matrix[0] = 1;
    matrix[6 + 5] = 2;
    matrix[4 * 6 + 2] = 3;
    const { places, values } = sparseMaps(matrix, 2, 2);
    expect([...places]).toEqual([0, 2, 1, NO_PLACE]);
    expect([...values.subarray(0, 8)]).toEqual([1, 0, 0, 0, 0, 0, 0, 2]);
    expect(denseMaps('maps', { places, values }, { proxies: 2, blocks: 3 }, 2)).toEqual(matrix);
  });

  it('has no places where there are no proxies, or nothing to read', () => {
    expect(sparseMaps(new Float64Array(0), 0, 3).places.length).toBe(0);
    const { places, values } = sparseMaps(new Float64Array(24), 2, 3);
    expect(places.length + values.length).toBe(0);
    expect(denseMaps('maps', { places, values }, { proxies: 2, blocks: 1 }, 3)).toEqual(new Float64Array(24));
  });
});

describe('denseMaps', () => {
  it.each([
    ['maps: place 3 is out of range, there are 3', Uint16Array.of(3), new Float64Array(8), 1],
    ['maps', Uint16Array.of(0), new Float64Array(7), 1],
    ['maps: 3 places are not those of 2 proxies', Uint16Array.of(0, 1, 2), new Float64Array(24), 2],
  ])('refuses what does not fit: %s', (message, places, values, proxies) => {
    expect(() => denseMaps('maps', { places, values }, { proxies, blocks: 3 }, 2)).toThrow(message);
  });
});
