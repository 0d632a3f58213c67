/**
 * Dense kernels on tiles of 4 × 4 numbers (the four of a column adjacent) and on blocks of four rows (the four numbers
 * of a column adjacent, columns following each other), two numbers an instruction. Sixteen accumulated numbers and their
 * operands fit the sixteen vector registers of x64.
 */

/**
 * C = D − A Bᵀ for tiles C and D, which may be the same, and the row blocks A and B of so many columns.
 *
 * @param accumulate  without it D counts as zero; a constant at each call
 */
// @ts-ignore: decorator
@inline
export function updateTile(c: usize, d: usize, a: usize, b: usize, columns: i32, accumulate: bool): void {
  let c00 = accumulate ? v128.load(d, 0) : f64x2.splat(0);
  let c01 = accumulate ? v128.load(d, 16) : f64x2.splat(0);
  let c10 = accumulate ? v128.load(d, 32) : f64x2.splat(0);
  let c11 = accumulate ? v128.load(d, 48) : f64x2.splat(0);
  let c20 = accumulate ? v128.load(d, 64) : f64x2.splat(0);
  let c21 = accumulate ? v128.load(d, 80) : f64x2.splat(0);
  let c30 = accumulate ? v128.load(d, 96) : f64x2.splat(0);
  let c31 = accumulate ? v128.load(d, 112) : f64x2.splat(0);
  const end = a + (<usize>columns << 5);
  while (a < end) {
    const a0 = v128.load(a);
    const a1 = v128.load(a, 16);
    let s = v128.load64_splat(b);
    c00 = f64x2.sub(c00, f64x2.mul(a0, s));
    c01 = f64x2.sub(c01, f64x2.mul(a1, s));
    s = v128.load64_splat(b, 8);
    c10 = f64x2.sub(c10, f64x2.mul(a0, s));
    c11 = f64x2.sub(c11, f64x2.mul(a1, s));
    s = v128.load64_splat(b, 16);
    c20 = f64x2.sub(c20, f64x2.mul(a0, s));
    c21 = f64x2.sub(c21, f64x2.mul(a1, s));
    s = v128.load64_splat(b, 24);
    c30 = f64x2.sub(c30, f64x2.mul(a0, s));
    c31 = f64x2.sub(c31, f64x2.mul(a1, s));
    a += 32;
    b += 32;
  }
  v128.store(c, c00, 0);
  v128.store(c, c01, 16);
  v128.store(c, c10, 32);
  v128.store(c, c11, 48);
  v128.store(c, c20, 64);
  v128.store(c, c21, 80);
  v128.store(c, c30, 96);
  v128.store(c, c31, 112);
}

/**
 * One tile of a row block by substitution: X = (C − A Bᵀ) L⁻ᵀ, where A is what the row block holds already, B the row
 * block of the diagonal with its first `columns` columns, followed by the triangle L with reciprocal diagonal.
 *
 * @param c      tile, only read
 * @param a      row block; its columns [columns, columns + count) are written
 * @param count  1 to 4
 */
export function substituteTile(c: usize, a: usize, b: usize, columns: i32, count: i32): void {
  let c00 = v128.load(c, 0);
  let c01 = v128.load(c, 16);
  let c10 = v128.load(c, 32);
  let c11 = v128.load(c, 48);
  let c20 = v128.load(c, 64);
  let c21 = v128.load(c, 80);
  let c30 = v128.load(c, 96);
  let c31 = v128.load(c, 112);
  const end = a + (<usize>columns << 5);
  while (a < end) {
    const a0 = v128.load(a);
    const a1 = v128.load(a, 16);
    let s = v128.load64_splat(b);
    c00 = f64x2.sub(c00, f64x2.mul(a0, s));
    c01 = f64x2.sub(c01, f64x2.mul(a1, s));
    s = v128.load64_splat(b, 8);
    c10 = f64x2.sub(c10, f64x2.mul(a0, s));
    c11 = f64x2.sub(c11, f64x2.mul(a1, s));
    s = v128.load64_splat(b, 16);
    c20 = f64x2.sub(c20, f64x2.mul(a0, s));
    c21 = f64x2.sub(c21, f64x2.mul(a1, s));
    s = v128.load64_splat(b, 24);
    c30 = f64x2.sub(c30, f64x2.mul(a0, s));
    c31 = f64x2.sub(c31, f64x2.mul(a1, s));
    a += 32;
    b += 32;
  }
  // b is at the triangle: column k at 32 k, row r at 8 r.
  let s = v128.load64_splat(b, 0);
  c00 = f64x2.mul(c00, s);
  c01 = f64x2.mul(c01, s);
  v128.store(a, c00, 0);
  v128.store(a, c01, 16);
  if (count == 1) return;
  s = v128.load64_splat(b, 8);
  c10 = f64x2.sub(c10, f64x2.mul(c00, s));
  c11 = f64x2.sub(c11, f64x2.mul(c01, s));
  s = v128.load64_splat(b, 40);
  c10 = f64x2.mul(c10, s);
  c11 = f64x2.mul(c11, s);
  v128.store(a, c10, 32);
  v128.store(a, c11, 48);
  if (count == 2) return;
  s = v128.load64_splat(b, 16);
  c20 = f64x2.sub(c20, f64x2.mul(c00, s));
  c21 = f64x2.sub(c21, f64x2.mul(c01, s));
  s = v128.load64_splat(b, 48);
  c20 = f64x2.sub(c20, f64x2.mul(c10, s));
  c21 = f64x2.sub(c21, f64x2.mul(c11, s));
  s = v128.load64_splat(b, 80);
  c20 = f64x2.mul(c20, s);
  c21 = f64x2.mul(c21, s);
  v128.store(a, c20, 64);
  v128.store(a, c21, 80);
  if (count == 3) return;
  s = v128.load64_splat(b, 24);
  c30 = f64x2.sub(c30, f64x2.mul(c00, s));
  c31 = f64x2.sub(c31, f64x2.mul(c01, s));
  s = v128.load64_splat(b, 56);
  c30 = f64x2.sub(c30, f64x2.mul(c10, s));
  c31 = f64x2.sub(c31, f64x2.mul(c11, s));
  s = v128.load64_splat(b, 88);
  c30 = f64x2.sub(c30, f64x2.mul(c20, s));
  c31 = f64x2.sub(c31, f64x2.mul(c21, s));
  s = v128.load64_splat(b, 120);
  c30 = f64x2.mul(c30, s);
  c31 = f64x2.mul(c31, s);
  v128.store(a, c30, 96);
  v128.store(a, c31, 112);
}

/**
 * Cholesky factor of the lower triangle of a tile, in place, with the reciprocals of the diagonal on the diagonal.
 * Columns from `count` on are padding and become those of the identity.
 *
 * @param floors  for each column the value that its pivot must exceed
 * @returns the column whose pivot does not, or −1
 */
export function factorTile(tile: usize, count: i32, floors: usize): i32 {
  for (let k = 0; k < count; k++) {
    const column = tile + (<usize>k << 5);
    const pivot = load<f64>(column + (<usize>k << 3));
    // The comparison is false for a pivot that is not a number, too.
    if (!(pivot > load<f64>(floors + (<usize>k << 3)) && pivot < Infinity)) return k;
    const reciprocal = 1.0 / sqrt<f64>(pivot);
    store<f64>(column + (<usize>k << 3), reciprocal);
    for (let r = k + 1; r < count; r++) {
      const at = column + (<usize>r << 3);
      store<f64>(at, load<f64>(at) * reciprocal);
    }
    for (let j = k + 1; j < count; j++) {
      const factor = load<f64>(column + (<usize>j << 3));
      for (let r = j; r < count; r++) {
        const at = tile + (<usize>j << 5) + (<usize>r << 3);
        store<f64>(at, load<f64>(at) - load<f64>(column + (<usize>r << 3)) * factor);
      }
    }
  }
  for (let k = count; k < 4; k++) {
    for (let j = 0; j < k; j++) store<f64>(tile + (<usize>j << 5) + (<usize>k << 3), 0);
    for (let r = k; r < 4; r++) store<f64>(tile + (<usize>k << 5) + (<usize>r << 3), r == k ? 1 : 0);
  }
  return -1;
}
