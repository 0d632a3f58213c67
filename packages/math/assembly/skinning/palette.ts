import { integer, pointer } from '../arguments';

/**
 * Transforms as a constant matrix times three columns, one each for x, y and z: rows 4j … 4j + 3 give the columns of
 * transform j, which is stored row-major 3 × 4. Two rows at a time share what they read.
 *
 * args: 0 matrix (4P × w f64), 1 columns (3 × w f64), 2 w (even), 3 out (P × 12 f64)
 */
export function paletteProduct(begin: i32, end: i32, args: usize, scratch: usize): void {
  const width = <usize>integer(args, 2) << 3;
  const x = pointer(args, 1);
  const y = x + width;
  const z = y + width;
  const out = pointer(args, 3);
  let row = pointer(args, 0) + <usize>begin * 4 * width;
  for (let j = begin; j < end; j++) {
    for (let k = 0; k < 4; k += 2) {
      const next = row + width;
      let ax = f64x2.splat(0);
      let ay = f64x2.splat(0);
      let az = f64x2.splat(0);
      let bx = f64x2.splat(0);
      let by = f64x2.splat(0);
      let bz = f64x2.splat(0);
      for (let at: usize = 0; at < width; at += 16) {
        const a = v128.load(row + at);
        const b = v128.load(next + at);
        const vx = v128.load(x + at);
        const vy = v128.load(y + at);
        const vz = v128.load(z + at);
        ax = f64x2.add(ax, f64x2.mul(a, vx));
        ay = f64x2.add(ay, f64x2.mul(a, vy));
        az = f64x2.add(az, f64x2.mul(a, vz));
        bx = f64x2.add(bx, f64x2.mul(b, vx));
        by = f64x2.add(by, f64x2.mul(b, vy));
        bz = f64x2.add(bz, f64x2.mul(b, vz));
      }
      const to = out + (<usize>(12 * j + k) << 3);
      v128.store(to, pairOfSums(ax, bx));
      v128.store(to, pairOfSums(ay, by), 32);
      v128.store(to, pairOfSums(az, bz), 64);
      row = next + width;
    }
  }
}

// @ts-ignore: decorator
@inline
function pairOfSums(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}
