import { PolarBatch } from '../generated/numerics';
import { properRotation } from './rotation';

/** Fᵢ = Rᵢ Sᵢ with Rᵢ proper and Sᵢ symmetric. Arguments: f (f64 n × 9), r (n × 9), s (n × 9); f may not be one of them. */
export function polarBatch(begin: i32, end: i32, args: PolarBatch, scratch: usize): void {
  const fs = args.f;
  const rs = args.rotations;
  const ss = args.stretches;
  for (let i = begin; i < end; i++) {
    const f = fs + <usize>i * 72;
    const r = rs + <usize>i * 72;
    const s = ss + <usize>i * 72;
    for (let row: usize = 0; row < 3; row++) {
      for (let column: usize = 0; column < 3; column++) {
        store<f64>(r + (3 * row + column << 3), load<f64>(f + (3 * column + row << 3)));
      }
    }
    properRotation(r, r);
    for (let row: usize = 0; row < 3; row++) {
      for (let column: usize = 0; column < 3; column++) {
        let sum: f64 = 0;
        for (let k: usize = 0; k < 3; k++) {
          sum += load<f64>(r + (3 * k + row << 3)) * load<f64>(f + (3 * k + column << 3));
        }
        store<f64>(s + (3 * row + column << 3), sum);
      }
    }
    for (let row: usize = 0; row < 3; row++) {
      for (let column: usize = 0; column < row; column++) {
        const lower = s + (3 * row + column << 3);
        const upper = s + (3 * column + row << 3);
        const mean = 0.5 * (load<f64>(lower) + load<f64>(upper));
        store<f64>(lower, mean);
        store<f64>(upper, mean);
      }
    }
  }
}
