import type { GradientRows } from '../runtime/weight-gradients.ts';

/**
 * D = I + Σ blocksᵀ · unknowns for every proxy.
 *
 * @param unknowns  4m × 3 controls, relative to the rest pose
 * @param out       p × 9, row-major; overwritten
 */
export function proxyGradients(rows: GradientRows, unknowns: Float64Array, out: Float64Array): void {
  for (let p = 0; p + 1 < rows.starts.length; p++) {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = r === c ? 1 : 0;
        for (let b = rows.starts[p]; b < rows.starts[p + 1]; b++) {
          for (let k = 0; k < 4; k++)
            sum += rows.blocks[12 * b + 3 * k + c] * unknowns[12 * rows.controls[b] + 3 * k + r];
        }
        out[9 * p + 3 * r + c] = sum;
      }
    }
  }
}
