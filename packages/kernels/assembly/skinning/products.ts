import { BoneProducts, MeasureScratch } from '../generated/skinning';
import { allProducts } from './contract';

/**
 * Aᵀb of the weight problem for all vertices and bones: b_ij = Σ_t (M_tj p̂_i)·v_ti.
 *
 * Arguments: P (n × 3), C (n × R), N (m × 4 × R), m, R, out (n × m)
 */
export function boneProducts(begin: i32, end: i32, args: BoneProducts, scratch: usize): void {
  const P = args.rest;
  const C = args.coefficients;
  const N = args.projected;
  const m = args.m;
  const R = args.R;
  const out = args.out;
  const products = MeasureScratch.products(scratch);
  for (let i = begin; i < end; i += 2) {
    const p = P + <usize>i * 24;
    const c = C + (<usize>(i * R) << 3);
    const b = out + (<usize>(i * m) << 3);
    const pair = i + 1 < end;
    allProducts(N, m, R, c, p, b, pair ? c + (<usize>R << 3) : 0, p + 24, b + (<usize>m << 3), products);
  }
}
