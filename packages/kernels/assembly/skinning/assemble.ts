import { GramOfBones, ProjectBones } from '../generated/skinning';

/**
 * What the weight solvers need of the bones, gathered over all frames: N = BᵀM and the Gram coefficients G.
 *
 * M is S × m × 12 (row-major 3 × 4), B is r × 3S with orthonormal rows, N is m × 4 × R, G is m × m × 10.
 */

/** N for the bones [begin, end). Arguments: M, B, N, m, S, r, R */
export function projectBones(begin: i32, end: i32, args: ProjectBones, scratch: usize): void {
  const M = args.transforms;
  const B = args.basis;
  const N = args.projected;
  const m = args.m;
  const S = args.S;
  const r = args.r;
  const R = args.R;
  for (let j = begin; j < end; j++) {
    const bone = M + <usize>j * 96;
    const out = N + (<usize>(j * 4 * R) << 3);
    let k = 0;
    // Four rows of the basis at a time, so that the bone is loaded once for all.
    for (; k + 4 <= r; k += 4) projectOnRows(bone, m, S, B + (<usize>(k * 3 * S) << 3), out + (<usize>k << 3), R);
    for (; k < r; k++) projectOnRow(bone, m, S, B + (<usize>(k * 3 * S) << 3), out + (<usize>k << 3), R);
  }
}

/** One bone on one row of the basis: the four columns of its transforms, R f64 apart. */
function projectOnRow(bone: usize, m: i32, S: i32, basis: usize, out: usize, R: i32): void {
  const frame = <usize>m * 96;
  // Columns 0, 1 and 2, 3 of the bone go together.
  let s01 = f64x2.splat(0);
  let s23 = f64x2.splat(0);
  let at = bone;
  let row = basis;
  for (let t = 0; t < S; t++) {
    for (let d: usize = 0; d < 3; d++) {
      const b = v128.load64_splat(row + (d << 3));
      s01 = f64x2.add(s01, f64x2.mul(b, v128.load(at + d * 32)));
      s23 = f64x2.add(s23, f64x2.mul(b, v128.load(at + d * 32 + 16)));
    }
    at += frame;
    row += 24;
  }
  storeColumns(out, R, s01, s23);
}

/** The same for four consecutive rows of the basis; every sum has the order of `projectOnRow`. */
function projectOnRows(bone: usize, m: i32, S: i32, basis: usize, out: usize, R: i32): void {
  const frame = <usize>m * 96;
  const next = <usize>(3 * S) << 3;
  let a01 = f64x2.splat(0), a23 = f64x2.splat(0);
  let b01 = f64x2.splat(0), b23 = f64x2.splat(0);
  let c01 = f64x2.splat(0), c23 = f64x2.splat(0);
  let d01 = f64x2.splat(0), d23 = f64x2.splat(0);
  let at = bone;
  let row = basis;
  for (let t = 0; t < S; t++) {
    for (let d: usize = 0; d < 96; d += 32) {
      const m01 = v128.load(at + d);
      const m23 = v128.load(at + d, 16);
      const a = v128.load64_splat(row);
      a01 = f64x2.add(a01, f64x2.mul(a, m01));
      a23 = f64x2.add(a23, f64x2.mul(a, m23));
      const b = v128.load64_splat(row + next);
      b01 = f64x2.add(b01, f64x2.mul(b, m01));
      b23 = f64x2.add(b23, f64x2.mul(b, m23));
      const c = v128.load64_splat(row + 2 * next);
      c01 = f64x2.add(c01, f64x2.mul(c, m01));
      c23 = f64x2.add(c23, f64x2.mul(c, m23));
      const e = v128.load64_splat(row + 3 * next);
      d01 = f64x2.add(d01, f64x2.mul(e, m01));
      d23 = f64x2.add(d23, f64x2.mul(e, m23));
      row += 8;
    }
    at += frame;
  }
  storeColumns(out, R, a01, a23);
  storeColumns(out + 8, R, b01, b23);
  storeColumns(out + 16, R, c01, c23);
  storeColumns(out + 24, R, d01, d23);
}

// @ts-ignore: decorator
@inline
function storeColumns(out: usize, R: i32, s01: v128, s23: v128): void {
  const row = <usize>R << 3;
  store<f64>(out, f64x2.extract_lane(s01, 0));
  store<f64>(out + row, f64x2.extract_lane(s01, 1));
  store<f64>(out + 2 * row, f64x2.extract_lane(s23, 0));
  store<f64>(out + 3 * row, f64x2.extract_lane(s23, 1));
}

/** G_jk and G_kj for j in [begin, end) and k ≥ j. Arguments: M, G, m, S */
export function gramOfBones(begin: i32, end: i32, args: GramOfBones, scratch: usize): void {
  const M = args.transforms;
  const G = args.gram;
  const m = args.m;
  const S = args.S;
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
