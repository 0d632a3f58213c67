/** Sums of squares below this are zero: they have no digits. */
const ZERO: f64 = 1e-290;

/**
 * Householder QR of a few columns of a tall matrix, in place: R on and above the diagonal, the vectors below it without
 * their leading ones. Row-major, so both sums over rows run along the short rows. The matrix is expected to be scaled to
 * entries of about 1.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§5.2.1).
 *
 * @param a       first entry; `stride` bytes between rows
 * @param width   columns, at most the number of rows
 * @param tau     f64 × width; overwritten
 * @param sums    f64 × width of scratch
 */
export function qrPanel(a: usize, stride: usize, rows: i32, width: i32, tau: usize, sums: usize): void {
  for (let j = 0; j < width; j++) {
    const diagonal = a + <usize>j * stride + (<usize>j << 3);
    let squares: f64 = 0;
    let below = diagonal + stride;
    for (let r = j + 1; r < rows; r++, below += stride) squares += load<f64>(below) * load<f64>(below);
    const alpha = load<f64>(diagonal);
    if (squares < ZERO) {
      store<f64>(tau + (<usize>j << 3), 0);
      continue;
    }
    const norm = sqrt(squares + alpha * alpha);
    const beta = alpha >= 0 ? -norm : norm;
    const factor = 1 / (alpha - beta);
    const t = (beta - alpha) / beta;
    store<f64>(tau + (<usize>j << 3), t);
    store<f64>(diagonal, beta);
    const rest = width - j - 1;
    // sums = vᵀA over the columns on the right; v has its one in row j.
    memory.copy(sums, diagonal + 8, <usize>rest << 3);
    let row = diagonal + stride;
    for (let r = j + 1; r < rows; r++, row += stride) {
      const v = load<f64>(row) * factor;
      store<f64>(row, v);
      addScaled(row + 8, rest, v, sums);
    }
    row = diagonal;
    for (let r = j; r < rows; r++, row += stride) {
      const v = r == j ? 1 : load<f64>(row);
      addScaled(sums, rest, -t * v, row + 8);
    }
  }
}

/** target += factor · source */
function addScaled(source: usize, count: i32, factor: f64, target: usize): void {
  const ff = f64x2.splat(factor);
  let k: usize = 0;
  const stop = <usize>count << 3;
  for (; k + 16 <= stop; k += 16) {
    v128.store(target + k, f64x2.add(v128.load(target + k), f64x2.mul(ff, v128.load(source + k))));
  }
  if (k < stop) store<f64>(target + k, load<f64>(target + k) + factor * load<f64>(source + k));
}
