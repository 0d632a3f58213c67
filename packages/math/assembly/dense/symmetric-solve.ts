/**
 * Solves with a factor L D Lᵀ (row-major, L unit lower triangular below the diagonal, D on it): forward, diagonal,
 * backward. Right-hand sides are n × count, row-major, solved in place.
 *
 * Four right-hand sides go together through one pass over L; groups of four are independent and go to different
 * threads. A single one has a path of its own.
 */
import { FactorSolve } from '../generated/dense';

/**
 * Items are groups of four right-hand sides; scratch holds n × 4 f64.
 * Arguments: a, bytes between rows, n, b, count
 */
export function factorSolve(begin: i32, end: i32, args: FactorSolve, scratch: usize): void {
  const a = args.factor;
  const stride = args.stride;
  const n = args.n;
  const b = args.x;
  const count = args.count;
  for (let group = begin; group < end; group++) {
    const width = min(4, count - 4 * group);
    const first = b + (<usize>group << 5);
    copyColumns(first, <usize>count << 3, width, n, scratch, false);
    forwardFour(a, stride, n, scratch);
    divideFour(a, stride, n, scratch);
    backwardFour(a, stride, n, scratch);
    copyColumns(first, <usize>count << 3, width, n, scratch, true);
  }
}

function copyColumns(b: usize, stride: usize, width: i32, n: i32, panel: usize, back: bool): void {
  for (let r = 0; r < n; r++) {
    const row = b + <usize>r * stride;
    const target = panel + (<usize>r << 5);
    for (let k = 0; k < 4; k++) {
      const lane = <usize>k << 3;
      if (!back) store<f64>(target + lane, k < width ? load<f64>(row + lane) : 0);
      else if (k < width) store<f64>(row + lane, load<f64>(target + lane));
    }
  }
}

function forwardFour(a: usize, stride: usize, n: i32, x: usize): void {
  for (let r = 0; r < n; r++) {
    const row = a + <usize>r * stride;
    const at = x + (<usize>r << 5);
    let low = v128.load(at);
    let high = v128.load(at, 16);
    for (let k = 0; k < r; k++) {
      const l = v128.load64_splat(row + (<usize>k << 3));
      const known = x + (<usize>k << 5);
      low = f64x2.sub(low, f64x2.mul(l, v128.load(known)));
      high = f64x2.sub(high, f64x2.mul(l, v128.load(known, 16)));
    }
    v128.store(at, low);
    v128.store(at, high, 16);
  }
}

function divideFour(a: usize, stride: usize, n: i32, x: usize): void {
  for (let r = 0; r < n; r++) {
    const pivot = v128.load64_splat(a + <usize>r * stride + (<usize>r << 3));
    const at = x + (<usize>r << 5);
    v128.store(at, f64x2.div(v128.load(at), pivot));
    v128.store(at, f64x2.div(v128.load(at, 16), pivot), 16);
  }
}

function backwardFour(a: usize, stride: usize, n: i32, x: usize): void {
  for (let r = n - 1; r > 0; r--) {
    const row = a + <usize>r * stride;
    const low = v128.load(x + (<usize>r << 5));
    const high = v128.load(x + (<usize>r << 5), 16);
    for (let k = 0; k < r; k++) {
      const l = v128.load64_splat(row + (<usize>k << 3));
      const at = x + (<usize>k << 5);
      v128.store(at, f64x2.sub(v128.load(at), f64x2.mul(l, low)));
      v128.store(at, f64x2.sub(v128.load(at, 16), f64x2.mul(l, high)), 16);
    }
  }
}

/** x := L⁻¹ x, one right-hand side. */
export function forwardSolve(a: usize, stride: usize, n: i32, x: usize): void {
  for (let r = 0; r < n; r++) {
    const row = a + <usize>r * stride;
    let s0 = f64x2.splat(0), s1 = s0;
    let k: usize = 0;
    const whole = <usize>(r & ~3) << 3;
    for (; k < whole; k += 32) {
      s0 = f64x2.add(s0, f64x2.mul(v128.load(row + k), v128.load(x + k)));
      s1 = f64x2.add(s1, f64x2.mul(v128.load(row + k, 16), v128.load(x + k, 16)));
    }
    s0 = f64x2.add(s0, s1);
    let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
    for (; k < <usize>r << 3; k += 8) sum += load<f64>(row + k) * load<f64>(x + k);
    const at = x + (<usize>r << 3);
    store<f64>(at, load<f64>(at) - sum);
  }
}

/** x := L⁻ᵀ D⁻¹ x, one right-hand side. */
export function backwardSolve(a: usize, stride: usize, n: i32, x: usize): void {
  for (let r = 0; r < n; r++) {
    const at = x + (<usize>r << 3);
    store<f64>(at, load<f64>(at) / load<f64>(a + <usize>r * stride + (<usize>r << 3)));
  }
  for (let r = n - 1; r > 0; r--) {
    const row = a + <usize>r * stride;
    const value = f64x2.splat(load<f64>(x + (<usize>r << 3)));
    let k: usize = 0;
    const whole = <usize>(r & ~1) << 3;
    for (; k < whole; k += 16) {
      v128.store(x + k, f64x2.sub(v128.load(x + k), f64x2.mul(value, v128.load(row + k))));
    }
    if (r & 1) store<f64>(x + k, load<f64>(x + k) - f64x2.extract_lane(value, 0) * load<f64>(row + k));
  }
}
