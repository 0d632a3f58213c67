import { GatherMoments, SumMoments } from '../generated/skinning';

/**
 * What the bone solvers need of the vertices, gathered once a round:
 *
 *   P_jk = Σ_i w_ij w_ik p̂_i p̂_iᵀ   (m × m × 10, symmetric in j, k and as a 4 × 4),
 *   Q_j  = Σ_i w_ij c_i p̂_iᵀ        (m × 4 × R, the trajectories in their basis).
 *
 * Each chunk of vertices sums into its own part, so the order of sums does not depend on the threads.
 *
 * Arguments: rest (n × 3), C (n × R), m, R, K, bones (n × K i32), weights (n × K f64),
 * P parts (chunks × m × m × 10), Q parts (chunks × m × 4 × R), grain
 */
export function gatherMoments(begin: i32, end: i32, args: GatherMoments, scratch: usize): void {
  const rest = args.rest;
  const C = args.coefficients;
  const m = args.m;
  const R = args.R;
  const K = args.K;
  const bones = args.bones;
  const weights = args.weights;
  const chunk = begin / args.grain;
  const sizeP = <usize>(m * m) * 80;
  const sizeQ = <usize>(m * 4 * R) << 3;
  const P = args.momentParts + <usize>chunk * sizeP;
  const Q = args.trajectoryParts + <usize>chunk * sizeQ;
  memory.fill(P, 0, sizeP);
  memory.fill(Q, 0, sizeQ);
  const row = <usize>R << 3;

  for (let i = begin; i < end; i++) {
    const x = load<f64>(rest + <usize>i * 24);
    const y = load<f64>(rest + <usize>i * 24, 8);
    const z = load<f64>(rest + <usize>i * 24, 16);
    const c = C + <usize>i * row;
    const f01 = f64x2.replace_lane(f64x2.splat(x * x), 1, x * y);
    const f23 = f64x2.replace_lane(f64x2.splat(x * z), 1, x);
    const f45 = f64x2.replace_lane(f64x2.splat(y * y), 1, y * z);
    const f67 = f64x2.replace_lane(f64x2.splat(y), 1, z * z);
    const f89 = f64x2.replace_lane(f64x2.splat(z), 1, 1);
    for (let s = 0; s < K; s++) {
      const w = load<f64>(weights + (<usize>(i * K + s) << 3));
      if (w == 0) continue;
      const j = load<i32>(bones + (<usize>(i * K + s) << 2));
      for (let r = 0; r < K; r++) {
        const k = load<i32>(bones + (<usize>(i * K + r) << 2));
        const ww = w * load<f64>(weights + (<usize>(i * K + r) << 3));
        // The half with k ≥ j; the other is its mirror.
        if (ww == 0 || k < j) continue;
        const at = P + <usize>(j * m + k) * 80;
        const factor = f64x2.splat(ww);
        v128.store(at, f64x2.add(v128.load(at), f64x2.mul(factor, f01)));
        v128.store(at, f64x2.add(v128.load(at, 16), f64x2.mul(factor, f23)), 16);
        v128.store(at, f64x2.add(v128.load(at, 32), f64x2.mul(factor, f45)), 32);
        v128.store(at, f64x2.add(v128.load(at, 48), f64x2.mul(factor, f67)), 48);
        v128.store(at, f64x2.add(v128.load(at, 64), f64x2.mul(factor, f89)), 64);
      }
      const wx = f64x2.splat(w * x);
      const wy = f64x2.splat(w * y);
      const wz = f64x2.splat(w * z);
      const w1 = f64x2.splat(w);
      const q = Q + <usize>(j * 4) * row;
      for (let k: usize = 0; k < row; k += 16) {
        const v = v128.load(c + k);
        const at = q + k;
        v128.store(at, f64x2.add(v128.load(at), f64x2.mul(wx, v)));
        v128.store(at + row, f64x2.add(v128.load(at + row), f64x2.mul(wy, v)));
        v128.store(at + 2 * row, f64x2.add(v128.load(at + 2 * row), f64x2.mul(wz, v)));
        v128.store(at + 3 * row, f64x2.add(v128.load(at + 3 * row), f64x2.mul(w1, v)));
      }
    }
  }
}

/** Adds the parts of all chunks in their order, and mirrors P. Arguments as above, chunks, P, Q. One item. */
export function sumMoments(begin: i32, end: i32, args: SumMoments, scratch: usize): void {
  const m = args.m;
  const R = args.R;
  const chunks = args.chunks;
  const P = args.moments;
  const Q = args.trajectoryMoments;
  addParts(P, args.momentParts, <usize>(m * m) * 80, chunks);
  addParts(Q, args.trajectoryParts, <usize>(m * 4 * R) << 3, chunks);
  for (let j = 0; j < m; j++) {
    for (let k = j + 1; k < m; k++) memory.copy(P + <usize>(k * m + j) * 80, P + <usize>(j * m + k) * 80, 80);
  }
}

function addParts(out: usize, parts: usize, bytes: usize, chunks: i32): void {
  memory.copy(out, parts, bytes);
  for (let chunk = 1; chunk < chunks; chunk++) {
    const part = parts + <usize>chunk * bytes;
    for (let k: usize = 0; k < bytes; k += 16) {
      v128.store(out + k, f64x2.add(v128.load(out + k), v128.load(part + k)));
    }
  }
}
