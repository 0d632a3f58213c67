import { integer, pointer } from '../arguments';

/**
 * What the weight solvers need of the bones, gathered over all frames: N = BᵀM and the Gram coefficients G.
 *
 * M is S × m × 12 (row-major 3 × 4), B is r × 3S with orthonormal rows, N is m × 4 × R, G is m × m × 10.
 */

/** N for the bones [begin, end). args: M, B, N, m, S, r, R */
export function projectBones(begin: i32, end: i32, args: usize, scratch: usize): void {
  const M = pointer(args, 0);
  const B = pointer(args, 1);
  const N = pointer(args, 2);
  const m = integer(args, 3);
  const S = integer(args, 4);
  const r = integer(args, 5);
  const R = integer(args, 6);
  const frame = <usize>m * 96;
  for (let j = begin; j < end; j++) {
    for (let k = 0; k < r; k++) {
      // Columns 0, 1 and 2, 3 of the bone go together.
      let s01 = f64x2.splat(0);
      let s23 = f64x2.splat(0);
      let at = M + <usize>j * 96;
      let basis = B + (<usize>(k * 3 * S) << 3);
      for (let t = 0; t < S; t++) {
        for (let d: usize = 0; d < 3; d++) {
          const b = v128.load64_splat(basis + (d << 3));
          s01 = f64x2.add(s01, f64x2.mul(b, v128.load(at + d * 32)));
          s23 = f64x2.add(s23, f64x2.mul(b, v128.load(at + d * 32 + 16)));
        }
        at += frame;
        basis += 24;
      }
      const out = N + (<usize>(j * 4 * R + k) << 3);
      const row = <usize>R << 3;
      store<f64>(out, f64x2.extract_lane(s01, 0));
      store<f64>(out + row, f64x2.extract_lane(s01, 1));
      store<f64>(out + 2 * row, f64x2.extract_lane(s23, 0));
      store<f64>(out + 3 * row, f64x2.extract_lane(s23, 1));
    }
  }
}

/** G_jk and G_kj for j in [begin, end) and k ≥ j. args: M, G, m, S */
export function gramOfBones(begin: i32, end: i32, args: usize, scratch: usize): void {
  const M = pointer(args, 0);
  const G = pointer(args, 1);
  const m = integer(args, 2);
  const S = integer(args, 3);
  const frame = <usize>m * 96;
  for (let j = begin; j < end; j++) {
    for (let k = j; k < m; k++) {
      // 4 × 4 sum Σ_t M_tjᵀM_tk as eight pairs of lanes.
      let a0 = f64x2.splat(0), b0 = f64x2.splat(0);
      let a1 = f64x2.splat(0), b1 = f64x2.splat(0);
      let a2 = f64x2.splat(0), b2 = f64x2.splat(0);
      let a3 = f64x2.splat(0), b3 = f64x2.splat(0);
      let left = M + <usize>j * 96;
      let right = M + <usize>k * 96;
      for (let t = 0; t < S; t++) {
        for (let d: usize = 0; d < 96; d += 32) {
          const r01 = v128.load(right + d);
          const r23 = v128.load(right + d + 16);
          const l0 = v128.load64_splat(left + d);
          const l1 = v128.load64_splat(left + d + 8);
          const l2 = v128.load64_splat(left + d + 16);
          const l3 = v128.load64_splat(left + d + 24);
          a0 = f64x2.add(a0, f64x2.mul(l0, r01));
          b0 = f64x2.add(b0, f64x2.mul(l0, r23));
          a1 = f64x2.add(a1, f64x2.mul(l1, r01));
          b1 = f64x2.add(b1, f64x2.mul(l1, r23));
          a2 = f64x2.add(a2, f64x2.mul(l2, r01));
          b2 = f64x2.add(b2, f64x2.mul(l2, r23));
          a3 = f64x2.add(a3, f64x2.mul(l3, r01));
          b3 = f64x2.add(b3, f64x2.mul(l3, r23));
        }
        left += frame;
        right += frame;
      }
      const g = G + <usize>(j * m + k) * 80;
      store<f64>(g, f64x2.extract_lane(a0, 0));
      store<f64>(g, 0.5 * (f64x2.extract_lane(a0, 1) + f64x2.extract_lane(a1, 0)), 8);
      store<f64>(g, 0.5 * (f64x2.extract_lane(b0, 0) + f64x2.extract_lane(a2, 0)), 16);
      store<f64>(g, 0.5 * (f64x2.extract_lane(b0, 1) + f64x2.extract_lane(a3, 0)), 24);
      store<f64>(g, f64x2.extract_lane(a1, 1), 32);
      store<f64>(g, 0.5 * (f64x2.extract_lane(b1, 0) + f64x2.extract_lane(a2, 1)), 40);
      store<f64>(g, 0.5 * (f64x2.extract_lane(b1, 1) + f64x2.extract_lane(a3, 1)), 48);
      store<f64>(g, f64x2.extract_lane(b2, 0), 56);
      store<f64>(g, 0.5 * (f64x2.extract_lane(b2, 1) + f64x2.extract_lane(b3, 0)), 64);
      store<f64>(g, f64x2.extract_lane(b3, 1), 72);
      memory.copy(G + <usize>(k * m + j) * 80, g, 80);
    }
  }
}
