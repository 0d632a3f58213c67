import { CorrectRest, MeasureScratch } from '../generated/skinning';
import { boneTimesVertex } from './contract';

/**
 * The rest position that the weights and bones would like best: min over p of Σ_t‖A_t p + a_t − v_t‖² + λ‖p − p₀‖²,
 * [A_t | a_t] = Σ_j w_j M_tj. Its 3 × 3 normal matrix and right-hand side come from G and N, so no frame is touched.
 *
 * Arguments: P (n × 3, in and out), C (n × R), N (m × 4 × R), G (m × m × 10), m, R, K, bones, weights,
 * P₀ (n × 3), λ
 */
export function correctRest(begin: i32, end: i32, args: CorrectRest, scratch: usize): void {
  const P = args.rest;
  const C = args.coefficients;
  const N = args.projected;
  const G = args.gram;
  const m = args.m;
  const R = args.R;
  const K = args.K;
  const bones = args.bones;
  const weights = args.weights;
  const original = args.original;
  const lambda = args.stiffness;
  const stride = (<usize>R << 3) * 4;
  const products = MeasureScratch.products(scratch);
  for (let i = begin; i < end; i++) {
    const c = C + (<usize>(i * R) << 3);
    const p = P + <usize>i * 24;
    const p0 = original + <usize>i * 24;
    let xx = lambda, xy: f64 = 0, xz: f64 = 0, yy = lambda, yz: f64 = 0, zz = lambda;
    let bx = lambda * load<f64>(p0), by = lambda * load<f64>(p0, 8), bz = lambda * load<f64>(p0, 16);
    for (let s = 0; s < K; s++) {
      const w = load<f64>(weights + (<usize>(i * K + s) << 3));
      if (w == 0) continue;
      const j = load<i32>(bones + (<usize>(i * K + s) << 2));
      boneTimesVertex(N + <usize>j * stride, R, c, products);
      bx += w * load<f64>(products);
      by += w * load<f64>(products, 8);
      bz += w * load<f64>(products, 16);
      for (let r = 0; r < K; r++) {
        const ww = w * load<f64>(weights + (<usize>(i * K + r) << 3));
        if (ww == 0) continue;
        const g = G + <usize>(j * m + load<i32>(bones + (<usize>(i * K + r) << 2))) * 80;
        xx += ww * load<f64>(g);
        xy += ww * load<f64>(g, 8);
        xz += ww * load<f64>(g, 16);
        bx -= ww * load<f64>(g, 24);
        yy += ww * load<f64>(g, 32);
        yz += ww * load<f64>(g, 40);
        by -= ww * load<f64>(g, 48);
        zz += ww * load<f64>(g, 56);
        bz -= ww * load<f64>(g, 64);
      }
    }
    // LDLᵀ of the 3 × 3; λ > 0 keeps its pivots away from 0.
    const lxy = xy / xx;
    const lxz = xz / xx;
    const dy = yy - lxy * xy;
    const lyz = (yz - lxy * xz) / dy;
    const dz = zz - lxz * xz - lyz * lyz * dy;
    if (!(xx > 0) || !(dy > 0) || !(dz > 0)) continue;
    const fy = by - lxy * bx;
    const fz = bz - lxz * bx - lyz * fy;
    const z = fz / dz;
    const y = fy / dy - lyz * z;
    store<f64>(p, bx / xx - lxy * y - lxz * z);
    store<f64>(p, y, 8);
    store<f64>(p, z, 16);
  }
}
