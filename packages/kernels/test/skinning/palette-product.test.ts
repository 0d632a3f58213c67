import { NumericError, type Numerics, openNumerics, Random } from '@pelt/math';
import { beforeAll, describe, expect, it } from 'vitest';
import { PaletteProduct } from '../../src/index.ts';

let numerics: Numerics;

beforeAll(async () => {
  numerics = await openNumerics();
});

describe('palette product', () => {
  // Places are taken in pairs: even and odd numbers of them, with and without zeros between.
  it.each([
    [1, 0],
    [6, 0],
    [13, 0],
    [13, 0.6],
    [6, 1],
  ])('is the matrix times three columns, width %i, a share of %f zero', (width, zeros) => {
    const random = new Random(width);
    const P = 3;
    const dense = Float64Array.from({ length: 4 * P * width }, () => random.uniform(-1, 1));
    const left = Array.from({ length: P * width }, () => random.uniform(0, 1) >= zeros);
    const matrix = dense.map((value, k) => (left[Math.floor(k / (4 * width)) * width + (k % width)] ? value : 0));
    const product = new PaletteProduct(numerics, matrix, width);
    const columns = Array.from({ length: 3 }, () => Array.from({ length: width }, () => random.uniform(-1, 1)));
    columns.forEach((column, c) => {
      column.forEach((value, k) => {
        product.numbers[4 * k + c] = value;
      });
    });
    const transforms = product.multiply();
    for (let r = 0; r < 4 * P; r++) {
      columns.forEach((column, c) => {
        const expected = column.reduce((sum, value, k) => sum + value * matrix[r * width + k], 0);
        expect(transforms[12 * Math.floor(r / 4) + 4 * c + (r % 4)]).toBeCloseTo(expected, 5);
      });
    }
    product.dispose();
  });

  it('has no transforms where the matrix has no rows, and refuses rows of half a transform', () => {
    const none = new PaletteProduct(numerics, new Float64Array(0), 5);
    expect(none.multiply()).toHaveLength(0);
    none.dispose();
    expect(() => new PaletteProduct(numerics, new Float64Array(10), 5)).toThrow(NumericError);
  });
});
