/**
 * U_k = Σ_i r_i c_ikᵀ, the moments of a frame's residuals r_i = v_i − T − Σ_k R_k c_ik, for all bones side by side
 * (3 × 3m, rows `stride` bytes apart): U = Y − Σ_l R_l C_l. With them the objective, less Σ‖v_i‖², is
 * −Σ_k ⟨R_k, Y_k + U_k⟩.
 */

/** U = Y − Σ_l R_l C_l */
export function residualMoments(R: usize, C: usize, Y: usize, m: i32, stride: usize, U: usize): void {
  memory.copy(U, Y, 3 * stride);
  for (let l = 0; l < m; l++) subtractRows(U, R + <usize>l * 72, C + <usize>(3 * l) * stride, stride);
}

/** U ← U − A·rows for a 3 × 3 A and three rows of the moments */
export function subtractRows(U: usize, A: usize, rows: usize, stride: usize): void {
  for (let d: usize = 0; d < 3; d++) {
    const a0 = v128.load64_splat(A + d * 24);
    const a1 = v128.load64_splat(A + d * 24, 8);
    const a2 = v128.load64_splat(A + d * 24, 16);
    const out = U + d * stride;
    for (let k: usize = 0; k < stride; k += 16) {
      let sum = f64x2.mul(a0, v128.load(rows + k));
      sum = f64x2.add(sum, f64x2.mul(a1, v128.load(rows + stride + k)));
      sum = f64x2.add(sum, f64x2.mul(a2, v128.load(rows + 2 * stride + k)));
      v128.store(out + k, f64x2.sub(v128.load(out + k), sum));
    }
  }
}

/** −Σ_k ⟨R_k, Y_k + U_k⟩ */
export function objective(R: usize, Y: usize, U: usize, m: i32, stride: usize): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < m; k++) {
    for (let d: usize = 0; d < 3; d++) {
      const at = d * stride + (<usize>(3 * k) << 3);
      for (let e: usize = 0; e < 24; e += 8) {
        sum += load<f64>(R + <usize>k * 72 + d * 24 + e) * (load<f64>(Y + at + e) + load<f64>(U + at + e));
      }
    }
  }
  return -sum;
}
