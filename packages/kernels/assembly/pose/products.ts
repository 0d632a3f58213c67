/**
 * The products of one Gauss–Newton iteration of posing, on short wide matrices whose rows are shapes: for each of x, y, z
 * a run of `width` numbers, one for each example. Rows are a multiple of two doubles apart.
 */

/**
 * out = GᵀW X, where G is sparse with blocks of 4 × 3 numbers.
 *
 * starts (p + 1 i32), controls (i32), blocks (12 f64 each), weights (p f64), x (3p rows), out (4m rows; overwritten)
 */
export function poseTransposed(
  p: i32, starts: usize, controls: usize, blocks: usize, weights: usize, x: usize, stride: i32, out: usize, rows: i32,
): void {
  const row = <usize>stride << 3;
  memory.fill(out, 0, <usize>rows * row);
  for (let k = 0; k < p; k++) {
    const w = load<f64>(weights + (<usize>k << 3));
    const last = load<i32>(starts + (<usize>k << 2), 4);
    const from = x + 3 * <usize>k * row;
    for (let b = load<i32>(starts + (<usize>k << 2)); b < last; b++) {
      const block = blocks + <usize>b * 96;
      const a0 = f64x2.splat(w * load<f64>(block)), a1 = f64x2.splat(w * load<f64>(block, 8));
      const a2 = f64x2.splat(w * load<f64>(block, 16)), b0 = f64x2.splat(w * load<f64>(block, 24));
      const b1 = f64x2.splat(w * load<f64>(block, 32)), b2 = f64x2.splat(w * load<f64>(block, 40));
      const c0 = f64x2.splat(w * load<f64>(block, 48)), c1 = f64x2.splat(w * load<f64>(block, 56));
      const c2 = f64x2.splat(w * load<f64>(block, 64)), d0 = f64x2.splat(w * load<f64>(block, 72));
      const d1 = f64x2.splat(w * load<f64>(block, 80)), d2 = f64x2.splat(w * load<f64>(block, 88));
      let to = out + 4 * <usize>load<i32>(controls + (<usize>b << 2)) * row;
      const end = from + row;
      for (let at = from; at < end; at += 16, to += 16) {
        const x0 = v128.load(at);
        const x1 = v128.load(at + row);
        const x2 = v128.load(at + 2 * row);
        addThree(to, a0, x0, a1, x1, a2, x2);
        addThree(to + row, b0, x0, b1, x1, b2, x2);
        addThree(to + 2 * row, c0, x0, c1, x1, c2, x2);
        addThree(to + 3 * row, d0, x0, d1, x1, d2, x2);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function addThree(to: usize, a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): void {
  const sum = f64x2.add(f64x2.mul(a, x), f64x2.add(f64x2.mul(b, y), f64x2.mul(c, z)));
  v128.store(to, f64x2.add(v128.load(to), sum));
}

/**
 * out += factor · Σ over rows of w (aₓᵀbₓ + a_yᵀb_y + a_zᵀb_z): products of every example with those up to itself. What is
 * above the diagonal is not meant to be read.
 *
 * weights (rows f64, or 0 for ones), a and b (rows of `stride`), out (width × width)
 */
export function poseGram(
  rows: i32, weights: usize, factor: f64, a: usize, b: usize, stride: i32, width: i32, out: usize,
): void {
  const row = <usize>stride << 3;
  const run = <usize>width << 3;
  for (let k = 0; k < rows; k++) {
    const w = weights === 0 ? factor : factor * load<f64>(weights + (<usize>k << 3));
    for (let e: usize = 0; e < run; e += 8) {
      const s0 = f64x2.splat(w * load<f64>(a + e));
      const s1 = f64x2.splat(w * load<f64>(a + run + e));
      const s2 = f64x2.splat(w * load<f64>(a + 2 * run + e));
      const to = out + e * <usize>width;
      for (let f: usize = 0; f <= e; f += 16) {
        addThree(to + f, s0, v128.load(b + f), s1, v128.load(b + run + f), s2, v128.load(b + 2 * run + f));
      }
    }
    a += row;
    b += row;
  }
}

/** out = A X: A (n × n, n a multiple of 4), x and out (n rows of `stride`). Sums go over k in ascending order. */
export function poseSquare(n: i32, a: usize, x: usize, stride: i32, out: usize): void {
  const row = <usize>stride << 3;
  const side = <usize>n << 3;
  for (let i = 0; i < n; i += 4, a += 4 * side, out += 4 * row) {
    let c: usize = 0;
    for (; c + 16 < row; c += 32) {
      let p0 = f64x2.splat(0), p1 = p0, q0 = p0, q1 = p0, r0 = p0, r1 = p0, s0 = p0, s1 = p0;
      let from = x + c;
      for (let k: usize = 0; k < side; k += 8, from += row) {
        const x0 = v128.load(from);
        const x1 = v128.load(from, 16);
        let f = v128.load64_splat(a + k);
        p0 = f64x2.add(p0, f64x2.mul(f, x0));
        p1 = f64x2.add(p1, f64x2.mul(f, x1));
        f = v128.load64_splat(a + side + k);
        q0 = f64x2.add(q0, f64x2.mul(f, x0));
        q1 = f64x2.add(q1, f64x2.mul(f, x1));
        f = v128.load64_splat(a + 2 * side + k);
        r0 = f64x2.add(r0, f64x2.mul(f, x0));
        r1 = f64x2.add(r1, f64x2.mul(f, x1));
        f = v128.load64_splat(a + 3 * side + k);
        s0 = f64x2.add(s0, f64x2.mul(f, x0));
        s1 = f64x2.add(s1, f64x2.mul(f, x1));
      }
      storeTwo(out + c, p0, p1);
      storeTwo(out + row + c, q0, q1);
      storeTwo(out + 2 * row + c, r0, r1);
      storeTwo(out + 3 * row + c, s0, s1);
    }
    if (c === row) continue;
    let p0 = f64x2.splat(0), q0 = p0, r0 = p0, s0 = p0;
    let from = x + c;
    for (let k: usize = 0; k < side; k += 8, from += row) {
      const x0 = v128.load(from);
      p0 = f64x2.add(p0, f64x2.mul(v128.load64_splat(a + k), x0));
      q0 = f64x2.add(q0, f64x2.mul(v128.load64_splat(a + side + k), x0));
      r0 = f64x2.add(r0, f64x2.mul(v128.load64_splat(a + 2 * side + k), x0));
      s0 = f64x2.add(s0, f64x2.mul(v128.load64_splat(a + 3 * side + k), x0));
    }
    v128.store(out + c, p0);
    v128.store(out + row + c, q0);
    v128.store(out + 2 * row + c, r0);
    v128.store(out + 3 * row + c, s0);
  }
}

/**
 * out = A X for a lower triangular A, of which what lies above the blocks of four rows on the diagonal is not read: half
 * the products of `poseSquare`. A (n × n, n a multiple of 4, zero above the diagonal), x and out (n rows of `stride`).
 */
export function poseLower(n: i32, a: usize, x: usize, stride: i32, out: usize): void {
  const row = <usize>stride << 3;
  const side = <usize>n << 3;
  for (let i = 0; i < n; i += 4, a += 4 * side, out += 4 * row) {
    const last = <usize>(i + 4) << 3;
    for (let c: usize = 0; c < row; c += 16) {
      let p = f64x2.splat(0), q = p, r = p, s = p;
      let from = x + c;
      for (let k: usize = 0; k < last; k += 8, from += row) {
        const x0 = v128.load(from);
        p = f64x2.add(p, f64x2.mul(v128.load64_splat(a + k), x0));
        q = f64x2.add(q, f64x2.mul(v128.load64_splat(a + side + k), x0));
        r = f64x2.add(r, f64x2.mul(v128.load64_splat(a + 2 * side + k), x0));
        s = f64x2.add(s, f64x2.mul(v128.load64_splat(a + 3 * side + k), x0));
      }
      v128.store(out + c, p);
      v128.store(out + row + c, q);
      v128.store(out + 2 * row + c, r);
      v128.store(out + 3 * row + c, s);
    }
  }
}

/** out = Σ_e weights_e · rows_e of each group: groups × count rows of `width` numbers (even); out (groups × width). */
export function poseWeightedRows(groups: i32, count: i32, width: i32, weights: usize, rows: usize, out: usize): void {
  const row = <usize>width << 3;
  for (let g = 0; g < groups; g++, out += row) {
    memory.fill(out, 0, row);
    for (let e = 0; e < count; e++, rows += row) {
      const w = v128.load64_splat(weights + (<usize>e << 3));
      for (let c: usize = 0; c < row; c += 16) {
        v128.store(out + c, f64x2.add(v128.load(out + c), f64x2.mul(w, v128.load(rows + c))));
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function storeTwo(to: usize, first: v128, second: v128): void {
  v128.store(to, first);
  v128.store(to, second, 16);
}
