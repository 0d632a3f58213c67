/**
 * Solves the small dense systems of a projection in memory that is allocated once: A = L Lᵀ for the rows and columns
 * that are free at the moment, then forward and back substitution.
 */
import { NumericError } from '@pelt/model';

export class CholeskySolver {
  readonly #factor: Float64Array;
  readonly #stride: number;
  #size = 0;

  /** @param capacity  largest number of unknowns */
  constructor(capacity: number) {
    this.#stride = capacity;
    this.#factor = new Float64Array(capacity * capacity);
  }

  /**
   * Factors the chosen rows and columns.
   *
   * @param matrix  n × n, symmetric positive definite
   * @param chosen  its first `size` entries: the rows
   */
  factor(matrix: Float64Array, n: number, chosen: Int32Array, size: number): void {
    const L = this.#factor;
    const stride = this.#stride;
    for (let r = 0; r < size; r++) {
      const row = chosen[r] * n;
      for (let c = 0; c <= r; c++) {
        let sum = matrix[row + chosen[c]];
        for (let k = 0; k < c; k++) sum -= L[r * stride + k] * L[c * stride + k];
        if (r !== c) L[r * stride + c] = sum / L[c * stride + c];
        else if (sum > 0) L[r * stride + r] = Math.sqrt(sum);
        else throw new NumericError('projection: the examples are too much alike; raise the ridge');
      }
    }
    this.#size = size;
  }

  /** Overwrites the first `size` entries of x with A⁻¹ x. */
  solveInPlace(x: Float64Array): void {
    const L = this.#factor;
    const stride = this.#stride;
    const size = this.#size;
    for (let r = 0; r < size; r++) {
      let sum = x[r];
      for (let k = 0; k < r; k++) sum -= L[r * stride + k] * x[k];
      x[r] = sum / L[r * stride + r];
    }
    for (let r = size - 1; r >= 0; r--) {
      let sum = x[r];
      for (let k = r + 1; k < size; k++) sum -= L[k * stride + r] * x[k];
      x[r] = sum / L[r * stride + r];
    }
  }
}
