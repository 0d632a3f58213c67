/**
 * Forces of regions that turn: each region has rows of three runs of `width` numbers (x, y and z of every example, the
 * first of each run zero), which are blended, turned by the region's rotation R and added to the rows of a matrix.
 *
 * starts (regions + 1 i32), rows (i32: where each row is added), forces (3 · width f64 each), beta (width f64), turns
 * (9 f64 each, row-major)
 */
import { alongBlend } from './along-blend';

/** out += R Σ β_e f_e for every row; out has rows of `stride` numbers, x, y, z first. */
export function poseTurnedForces(
  regions: i32, starts: usize, rows: usize, forces: usize, width: i32, beta: usize, turns: usize, out: usize, stride: i32,
): void {
  const run = <usize>width << 3;
  for (let c = 0; c < regions; c++, turns += 72) {
    const last = load<i32>(starts + (<usize>c << 2), 4);
    for (let k = load<i32>(starts + (<usize>c << 2)); k < last; k++) {
      const at = forces + <usize>k * 3 * run;
      const x = alongBlend(at, beta, run);
      const y = alongBlend(at + run, beta, run);
      const z = alongBlend(at + 2 * run, beta, run);
      const to = out + ((<usize>load<i32>(rows + (<usize>k << 2)) * <usize>stride) << 3);
      store<f64>(to, load<f64>(to) + turned(turns, x, y, z));
      store<f64>(to, load<f64>(to, 8) + turned(turns + 24, x, y, z), 8);
      store<f64>(to, load<f64>(to, 16) + turned(turns + 48, x, y, z), 16);
    }
  }
}

/**
 * out += the derivatives of the above by each β_e: a_e × (R Σ β f) + R f_e, where a_e is the axis that example e turns the
 * region about; axes (3 · width f64 each: runs of x, y and z). Rows of out are three runs of `width`, `stride` apart.
 */
export function poseTurnedDerivatives(
  regions: i32, starts: usize, rows: usize, forces: usize, width: i32, beta: usize, turns: usize, axes: usize, out: usize,
  stride: i32,
): void {
  const run = <usize>width << 3;
  for (let c = 0; c < regions; c++, turns += 72, axes += 3 * run) {
    const r0 = v128.load64_splat(turns), r1 = v128.load64_splat(turns, 8), r2 = v128.load64_splat(turns, 16);
    const r3 = v128.load64_splat(turns, 24), r4 = v128.load64_splat(turns, 32), r5 = v128.load64_splat(turns, 40);
    const r6 = v128.load64_splat(turns, 48), r7 = v128.load64_splat(turns, 56), r8 = v128.load64_splat(turns, 64);
    const last = load<i32>(starts + (<usize>c << 2), 4);
    for (let k = load<i32>(starts + (<usize>c << 2)); k < last; k++) {
      const at = forces + <usize>k * 3 * run;
      const x = alongBlend(at, beta, run);
      const y = alongBlend(at + run, beta, run);
      const z = alongBlend(at + 2 * run, beta, run);
      const fx = f64x2.splat(turned(turns, x, y, z));
      const fy = f64x2.splat(turned(turns + 24, x, y, z));
      const fz = f64x2.splat(turned(turns + 48, x, y, z));
      const to = out + ((<usize>load<i32>(rows + (<usize>k << 2)) * <usize>stride) << 3);
      for (let e: usize = 0; e < run; e += 16) {
        const f0 = v128.load(at + e), f1 = v128.load(at + run + e), f2 = v128.load(at + 2 * run + e);
        const ax = v128.load(axes + e), ay = v128.load(axes + run + e), az = v128.load(axes + 2 * run + e);
        addTo(to + e, cross(ay, fz, az, fy), sum(r0, f0, r1, f1, r2, f2));
        addTo(to + run + e, cross(az, fx, ax, fz), sum(r3, f0, r4, f1, r5, f2));
        addTo(to + 2 * run + e, cross(ax, fy, ay, fx), sum(r6, f0, r7, f1, r8, f2));
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function turned(row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z;
}

// @ts-ignore: decorator
@inline
function cross(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d));
}

// @ts-ignore: decorator
@inline
function sum(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 {
  return f64x2.add(f64x2.mul(a, x), f64x2.add(f64x2.mul(b, y), f64x2.mul(c, z)));
}

// @ts-ignore: decorator
@inline
function addTo(to: usize, first: v128, second: v128): void {
  v128.store(to, f64x2.add(v128.load(to), f64x2.add(first, second)));
}
