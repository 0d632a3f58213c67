/**
 * The passes over the matrix of its reduction to tridiagonal form. Each step changes the whole rest of
 * the matrix by a rank-two update and then multiplies it with a vector; both happen here in one pass over memory, which
 * is what bounds the speed. Sums over rows are kept per chunk and added in the order of the chunks.
 *
 * Reference: Howell, Demmel, Fulton, Hammarling, Marmol. Cache efficient bidiagonalization using BLAS 2.5 operators. 2008.
 */
import { TridiagonalPass } from '../generated/dense';

/**
 * Symmetric, lower triangle, rows [begin, end) of the leading block: row −= v_r w + w_r v, then y += A x over the
 * entries of these rows, which stand for those above the diagonal as well.
 * Arguments: a, bytes between rows, v, w (0: no update), x, sums (f64, `size` for each chunk), size, grain
 */
export function tridiagonalPass(begin: i32, end: i32, args: TridiagonalPass, scratch: usize): void {
  const a = args.a;
  const stride = args.stride;
  const v = args.v;
  const w = args.w;
  const x = args.x;
  const size = args.size;
  const y = args.sums + (<usize>(begin / args.grain) * size << 3);
  memory.fill(y, 0, <usize>size << 3);
  for (let r = begin; r < end; r++) {
    const row = a + <usize>r * stride;
    const at = <usize>r << 3;
    if (w != 0) rankTwo(row, r + 1, load<f64>(v + at), w, load<f64>(w + at), v);
    const xr = load<f64>(x + at);
    const sum = dotAndAdd(row, r, x, xr, y);
    store<f64>(y + at, load<f64>(y + at) + sum + load<f64>(row + at) * xr);
  }
}

/** row −= p·first + q·second, `count` entries. */
function rankTwo(row: usize, count: i32, p: f64, first: usize, q: f64, second: usize): void {
  const pp = f64x2.splat(p), qq = f64x2.splat(q);
  let k: usize = 0;
  const stop = <usize>count << 3;
  for (; k + 16 <= stop; k += 16) {
    const change = f64x2.add(f64x2.mul(pp, v128.load(first + k)), f64x2.mul(qq, v128.load(second + k)));
    v128.store(row + k, f64x2.sub(v128.load(row + k), change));
  }
  if (k < stop) store<f64>(row + k, load<f64>(row + k) - (p * load<f64>(first + k) + q * load<f64>(second + k)));
}

/** y += factor · row, and the dot product of row and x; `count` entries. */
function dotAndAdd(row: usize, count: i32, x: usize, factor: f64, y: usize): f64 {
  const ff = f64x2.splat(factor);
  let s0 = f64x2.splat(0), s1 = s0;
  let k: usize = 0;
  const stop = <usize>count << 3;
  for (; k + 32 <= stop; k += 32) {
    const r0 = v128.load(row + k), r1 = v128.load(row + k, 16);
    s0 = f64x2.add(s0, f64x2.mul(r0, v128.load(x + k)));
    s1 = f64x2.add(s1, f64x2.mul(r1, v128.load(x + k, 16)));
    v128.store(y + k, f64x2.add(v128.load(y + k), f64x2.mul(ff, r0)));
    v128.store(y + k, f64x2.add(v128.load(y + k, 16), f64x2.mul(ff, r1)), 16);
  }
  s0 = f64x2.add(s0, s1);
  let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  for (; k < stop; k += 8) {
    const value = load<f64>(row + k);
    sum += value * load<f64>(x + k);
    store<f64>(y + k, load<f64>(y + k) + factor * value);
  }
  return sum;
}
