import { beforeAll, describe, expect, it } from 'vitest';
import { NumericError, type Numerics, openNumerics, PaletteProduct, Random } from '../../src/index.ts';

let numerics: Numerics;

beforeAll(async () => {
  numerics = await openNumerics();
});

describe('palette product', () => {
  // An even and an odd width: rows are padded to pairs.
  it.each([1, 6, 13])('is the matrix times three columns, width %i', (width) => {
    const random = new Random(width);
    const P = 3;
    const matrix = Float64Array.from({ length: 4 * P * width }, () => random.uniform(-1, 1));
    const product = new PaletteProduct(numerics, matrix, width);
    const columns = Array.from({ length: 3 }, () => Array.from({ length: width }, () => random.uniform(-1, 1)));
    columns.forEach((column, c) => {
      product.columns.set(column, c * product.stride);
    });
    const transforms = product.multiply();
    for (let r = 0; r < 4 * P; r++) {
      columns.forEach((column, c) => {
        const expected = column.reduce((sum, value, k) => sum + value * matrix[r * width + k], 0);
        expect(transforms[12 * Math.floor(r / 4) + 4 * c + (r % 4)]).toBeCloseTo(expected, 12);
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
