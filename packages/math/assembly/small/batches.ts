import { pointer } from '../arguments';
import { properRotation } from './rotation';
import { svd3 } from './singular-values';

/** Rᵢ = the best rotation for Hᵢ. args: h (f64 n × 9), out (f64 n × 9); they may be the same. */
export function properRotationBatch(begin: i32, end: i32, args: usize, scratch: usize): void {
  const h = pointer(args, 0);
  const out = pointer(args, 1);
  for (let i = begin; i < end; i++) properRotation(h + <usize>i * 72, out + <usize>i * 72);
}

/** Aᵢ = Uᵢ diag(sᵢ) Vᵢᵀ. args: a (f64 n × 9), u (n × 9), s (n × 3), v (n × 9). */
export function svd3Batch(begin: i32, end: i32, args: usize, scratch: usize): void {
  const a = pointer(args, 0);
  const u = pointer(args, 1);
  const s = pointer(args, 2);
  const v = pointer(args, 3);
  for (let i = begin; i < end; i++) {
    const at = <usize>i * 72;
    svd3(a + at, u + at, s + <usize>i * 24, v + at);
  }
}
