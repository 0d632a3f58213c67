/**
 * The 4 × 4 tile that all blocked kernels end in: C += α Σₖ aₖ bₖᵀ on packed panels.
 *
 * A packed panel holds four rows (of A) or four columns (of B) interleaved: for each k four consecutive doubles. The
 * sixteen sums live in eight SIMD registers; each step of k needs six loads for sixteen multiplications. Every entry is
 * summed over k in ascending order, so that the result does not depend on how the matrix was cut into tiles.
 */

/** Rows and columns of a tile. */
export const TILE: i32 = 4;
/** log₂ of the bytes that one step of k takes in a panel. */
export const STEP_SHIFT: usize = 5;

/** C (4 × 4, row stride in bytes) += alpha · A Bᵀ over `count` steps of the packed panels `a` and `b`. */
export function addTile(count: i32, alpha: f64, a: usize, b: usize, c: usize, stride: usize): void {
  let c00 = f64x2.splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  const end = a + (<usize>count << STEP_SHIFT);
  while (a < end) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let row = v128.load64_splat(a);
    c00 = f64x2.add(c00, f64x2.mul(row, b0));
    c01 = f64x2.add(c01, f64x2.mul(row, b1));
    row = v128.load64_splat(a, 8);
    c10 = f64x2.add(c10, f64x2.mul(row, b0));
    c11 = f64x2.add(c11, f64x2.mul(row, b1));
    row = v128.load64_splat(a, 16);
    c20 = f64x2.add(c20, f64x2.mul(row, b0));
    c21 = f64x2.add(c21, f64x2.mul(row, b1));
    row = v128.load64_splat(a, 24);
    c30 = f64x2.add(c30, f64x2.mul(row, b0));
    c31 = f64x2.add(c31, f64x2.mul(row, b1));
    a += 32;
    b += 32;
  }
  const factor = f64x2.splat(alpha);
  addPair(c, c00, factor);
  addPair(c + 16, c01, factor);
  c += stride;
  addPair(c, c10, factor);
  addPair(c + 16, c11, factor);
  c += stride;
  addPair(c, c20, factor);
  addPair(c + 16, c21, factor);
  c += stride;
  addPair(c, c30, factor);
  addPair(c + 16, c31, factor);
}

// @ts-ignore: decorator
@inline
function addPair(c: usize, sum: v128, factor: v128): void {
  v128.store(c, f64x2.add(v128.load(c), f64x2.mul(factor, sum)));
}

/** The same where only the first `rows` × `columns` entries of the tile exist; `spare` is 128 bytes of scratch. */
export function addTilePart(
  count: i32, alpha: f64, a: usize, b: usize, c: usize, stride: usize, rows: i32, columns: i32, spare: usize,
): void {
  memory.fill(spare, 0, 128);
  addTile(count, alpha, a, b, spare, 32);
  for (let r = 0; r < rows; r++) {
    for (let k: usize = 0; k < <usize>columns << 3; k += 8) {
      const at = c + <usize>r * stride + k;
      store<f64>(at, load<f64>(at) + load<f64>(spare + (<usize>r << 5) + k));
    }
  }
}

/**
 * Packs `count` steps of up to four rows into a panel; rows that do not exist become zeros.
 *
 * @param source  first entry; `rowStride` bytes to the next row, `stepStride` bytes to the next step
 */
export function packPanel(
  source: usize, rowStride: usize, stepStride: usize, rows: i32, count: i32, target: usize,
): void {
  const end = target + (<usize>count << STEP_SHIFT);
  if (rows >= TILE) {
    const s1 = rowStride, s2 = 2 * rowStride, s3 = 3 * rowStride;
    while (target < end) {
      store<f64>(target, load<f64>(source));
      store<f64>(target, load<f64>(source + s1), 8);
      store<f64>(target, load<f64>(source + s2), 16);
      store<f64>(target, load<f64>(source + s3), 24);
      source += stepStride;
      target += 32;
    }
    return;
  }
  while (target < end) {
    for (let r = 0; r < TILE; r++) {
      store<f64>(target + (<usize>r << 3), r < rows ? load<f64>(source + <usize>r * rowStride) : 0);
    }
    source += stepStride;
    target += 32;
  }
}
