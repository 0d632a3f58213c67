import type { SparseSymmetric } from '../../src/index.ts';

/** A x for k vectors at once; `x` and the result are n × k, row-major. */
export function multiplySymmetric({ size, columnStarts, rows, values }: SparseSymmetric, x: Float64Array, k: number) {
  const out = new Float64Array(size * k);
  for (let j = 0; j < size; j++) {
    for (let p = columnStarts[j]; p < columnStarts[j + 1]; p++) {
      const i = rows[p];
      for (let c = 0; c < k; c++) {
        out[i * k + c] += values[p] * x[j * k + c];
        if (i !== j) out[j * k + c] += values[p] * x[i * k + c];
      }
    }
  }
  return out;
}
