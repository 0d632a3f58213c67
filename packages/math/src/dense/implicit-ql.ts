/**
 * All eigenpairs of a symmetric tridiagonal matrix by the implicit QL iteration with Wilkinson's shift.
 *
 * Cubic convergence at the small end; a rotation touches two rows of the vectors, so vectors are kept as rows.
 *
 * Reference: Dubrulle, Martin, Wilkinson. The implicit QL algorithm. 1968. Parlett. The Symmetric Eigenvalue Problem.
 * 1980 (chapter 8).
 */
import { NumericError } from '../errors.ts';

const EPSILON = 2 ** -52;
/** Two are usual. */
const MAX_ITERATIONS = 60;
/**
 * Iterations after which a coupling is compared with the whole matrix in place of its neighbours: in the null space of a
 * matrix of low rank both are rounding, and need not differ enough.
 */
const PATIENCE = 30;

/**
 * @param d     n, the diagonal; becomes the eigenvalues, in no order
 * @param e     n, the subdiagonal in its first n − 1 places; destroyed
 * @param rows  n × width; row k and its likes are rotated together: the identity gives the eigenvectors as rows
 */
export function implicitQlInPlace(d: Float64Array, e: Float64Array, rows: Float64Array, width: number): void {
  const n = d.length;
  if (n > 0) e[n - 1] = 0;
  let norm = 0;
  for (let k = 0; k < n; k++) norm = Math.max(norm, Math.abs(d[k]) + Math.abs(e[k]));
  for (let l = 0; l < n; l++) {
    for (let turn = 0; ; turn++) {
      let m = l;
      const least = turn < PATIENCE ? 0 : EPSILON * norm;
      while (m < n - 1 && Math.abs(e[m]) > Math.max(EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1])), least)) m++;
      if (m === l) break;
      if (!(turn < MAX_ITERATIONS)) {
        throw new NumericError(
          `tridiagonal eigenproblem: eigenvalue ${l} of ${n} does not converge; is it all finite?`,
        );
      }
      chase(d, e, rows, width, l, m);
    }
  }
}

/** One sweep of rotations from row m up to row l, with the shift of the block's upper corner. */
function chase(d: Float64Array, e: Float64Array, rows: Float64Array, width: number, l: number, m: number): void {
  const ratio = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = Math.hypot(ratio, 1);
  let g = d[m] - d[l] + e[l] / (ratio + (ratio >= 0 ? root : -root));
  let [sine, cosine, shift] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = sine * e[i];
    const b = cosine * e[i];
    const length = Math.hypot(f, g);
    e[i + 1] = length;
    if (length === 0) {
      // The block falls apart here; the next search finds the parts.
      d[i + 1] -= shift;
      e[m] = 0;
      return;
    }
    sine = f / length;
    cosine = g / length;
    g = d[i + 1] - shift;
    const t = (d[i] - g) * sine + 2 * cosine * b;
    shift = sine * t;
    d[i + 1] = g + shift;
    g = cosine * t - b;
    rotateRows(rows, width, i, cosine, sine);
  }
  d[l] -= shift;
  e[l] = g;
  e[m] = 0;
}

function rotateRows(rows: Float64Array, width: number, i: number, cosine: number, sine: number): void {
  const end = (i + 1) * width;
  for (let k = i * width; k < end; k++) {
    const upper = rows[k];
    const lower = rows[k + width];
    rows[k + width] = sine * upper + cosine * lower;
    rows[k] = cosine * upper - sine * lower;
  }
}
