/** Babylon's matrices as pelt's transforms: 16 numbers, transposed, against row-major 3 × 4. */
import { TRANSFORM_SIZE } from '@pelt/model';

/** Numbers of a matrix of Babylon. */
export const MATRIX_SIZE = 16;

/**
 * @param matrix  16 numbers from `from` on, as Babylon has them: rows of the transposed matrix
 * @param out     12 numbers from `at` on; overwritten
 */
export function readTransform(matrix: ArrayLike<number>, from: number, out: Float64Array, at: number): void {
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) out[at + 4 * r + c] = matrix[from + 4 * c + r];
}

/** The inverse of `readTransform`, with the last row of an affine matrix. */
export function writeTransform(transforms: Float64Array, from: number, out: number[]): number[] {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) out[4 * c + r] = transforms[from + 4 * r + c];
    out[4 * c + 3] = c === 3 ? 1 : 0;
  }
  return out;
}

/** a b of 12 numbers each, from `at` on in all three; `out` may be `a`. */
export function multiplyTransforms(a: Float64Array, b: Float64Array, at: number, out: Float64Array): void {
  for (let r = 0; r < 3; r++) {
    const row = at + 4 * r;
    const [x, y, z, w] = [a[row], a[row + 1], a[row + 2], a[row + 3]];
    for (let c = 0; c < 4; c++) {
      out[row + c] = x * b[at + c] + y * b[at + 4 + c] + z * b[at + 8 + c] + (c === 3 ? w : 0);
    }
  }
}

/** Of m matrices in one array. */
export function readTransforms(matrices: ArrayLike<number>, count: number, out: Float64Array): Float64Array {
  for (let j = 0; j < count; j++) readTransform(matrices, MATRIX_SIZE * j, out, TRANSFORM_SIZE * j);
  return out;
}
