/**
 * The passes over the matrix of the reductions to tridiagonal and bidiagonal form. Each step changes the whole rest of
 * the matrix by a rank-two update and then multiplies it with a vector; both happen here in one pass over memory, which
 * is what bounds the speed. Sums over rows are kept per chunk and added in the order of the chunks.
 *
 * Reference: Howell, Demmel, Fulton, Hammarling, Marmol. Cache efficient bidiagonalization using BLAS 2.5 operators. 2008.
 */
import { integer, pointer } from '../arguments';

/**
 * Symmetric, lower triangle, rows [begin, end) of the leading block: row −= v_r w + w_r v, then y += A x over the
 * entries of these rows, which stand for those above the diagonal as well.
 * args: a, bytes between rows, v, w (0: no update), x, sums (f64, `size` for each chunk), size, grain
 */
export function tridiagonalPass(begin: i32, end: i32, args: usize, scratch: usize): void {
  const a = pointer(args, 0);
  const stride = pointer(args, 1);
  const v = pointer(args, 2);
  const w = pointer(args, 3);
  const x = pointer(args, 4);
  const size = integer(args, 6);
  const y = pointer(args, 5) + (<usize>(begin / integer(args, 7)) * size << 3);
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

/**
 * Rows [begin, end): row −= v_r y + x_r u (where there is an update), then z += t_r row.
 * args: a, bytes between rows, columns, v, y (0: no update), x, u, t, sums (f64, `columns` for each chunk), grain
 */
export function bidiagonalPass(begin: i32, end: i32, args: usize, scratch: usize): void {
  const a = pointer(args, 0);
  const stride = pointer(args, 1);
  const columns = integer(args, 2);
  const v = pointer(args, 3);
  const y = pointer(args, 4);
  const x = pointer(args, 5);
  const u = pointer(args, 6);
  const t = pointer(args, 7);
  const z = pointer(args, 8) + (<usize>(begin / integer(args, 9)) * columns << 3);
  memory.fill(z, 0, <usize>columns << 3);
  for (let r = begin; r < end; r++) {
    const row = a + <usize>r * stride;
    const at = <usize>r << 3;
    if (y != 0) rankTwo(row, columns, load<f64>(v + at), y, load<f64>(x + at), u);
    addRow(row, columns, load<f64>(t + at), z);
  }
}

function addRow(row: usize, count: i32, factor: f64, z: usize): void {
  const ff = f64x2.splat(factor);
  let k: usize = 0;
  const stop = <usize>count << 3;
  for (; k + 16 <= stop; k += 16) v128.store(z + k, f64x2.add(v128.load(z + k), f64x2.mul(ff, v128.load(row + k))));
  if (k < stop) store<f64>(z + k, load<f64>(z + k) + factor * load<f64>(row + k));
}

/** out_r = row · u for rows [begin, end). args: a, bytes between rows, columns, u, out */
export function rowProducts(begin: i32, end: i32, args: usize, scratch: usize): void {
  const a = pointer(args, 0);
  const stride = pointer(args, 1);
  const columns = integer(args, 2);
  const u = pointer(args, 3);
  const out = pointer(args, 4);
  for (let r = begin; r < end; r++) {
    const row = a + <usize>r * stride;
    let s0 = f64x2.splat(0), s1 = s0;
    let k: usize = 0;
    const stop = <usize>columns << 3;
    for (; k + 32 <= stop; k += 32) {
      s0 = f64x2.add(s0, f64x2.mul(v128.load(row + k), v128.load(u + k)));
      s1 = f64x2.add(s1, f64x2.mul(v128.load(row + k, 16), v128.load(u + k, 16)));
    }
    s0 = f64x2.add(s0, s1);
    let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
    for (; k < stop; k += 8) sum += load<f64>(row + k) * load<f64>(u + k);
    store<f64>(out + (<usize>r << 3), sum);
  }
}
