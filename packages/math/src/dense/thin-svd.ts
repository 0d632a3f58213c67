/**
 * A = U diag(s) Vᵀ with r = min(m, n) singular triples, by one-sided Jacobi on the rows of the wide one of A and Aᵀ:
 * plane rotations make the rows orthogonal, their lengths are the singular values.
 *
 * The most accurate method there is: each singular value of a matrix that is well-conditioned but for the scale of its
 * rows gets full relative accuracy. For matrices of up to some hundred rows.
 *
 * References: Hestenes. Inversion of matrices by biorthogonalization and related results. 1958. Demmel, Veselić. Jacobi's
 * method is more accurate than QR. 1992.
 */
import { NumericError } from '../errors.ts';
import { completeRowsInPlace } from './orthonormal.ts';
import { scaleOf } from './scale.ts';

/** Cosine below which two rows count as orthogonal. */
const ORTHOGONAL = 2 ** -50;
/** Squared length below which a row is zero, so that no ratio of two rows overflows; the entries are about 1. */
const ZERO_ROW = 1e-250;
/** Six to ten are usual. */
const MAX_SWEEPS = 60;

export interface ThinSvd {
  /** m × r row-major, orthonormal columns */
  readonly u: Float64Array;
  /** r, descending, none negative */
  readonly values: Float64Array;
  /** n × r row-major, orthonormal columns */
  readonly v: Float64Array;
}

/**
 * The singular value decomposition A = U diag(s) Vᵀ with min(rows, columns) singular triples, values descending.
 *
 * @param a  rows × columns, row-major
 */
export function thinSvd(a: ArrayLike<number>, rows: number, columns: number): ThinSvd {
  if (a.length !== rows * columns) {
    throw new NumericError(`thinSvd: ${a.length} numbers are no ${rows} × ${columns} matrix`);
  }
  const scale = scaleOf('thinSvd', a);
  const wide = rows <= columns;
  // The rows of the wide one of A and Aᵀ.
  const size = wide ? rows : columns;
  const length = wide ? columns : rows;
  const scaled = new Float64Array(rows * columns);
  if (scale > 0) {
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) scaled[wide ? r * columns + c : c * rows + r] = a[r * columns + c] / scale;
    }
  }
  const { values, left, right } = svdOfRows(scaled, size, length);
  const short = columnsOf(left, size, size);
  const long = columnsOf(right, size, length);
  return { u: wide ? short : long, values: values.map((x) => x * scale), v: wide ? long : short };
}

interface SvdRows {
  /** rows, descending */
  readonly values: Float64Array;
  /** rows × rows: row k is lₖ */
  readonly left: Float64Array;
  /** rows × columns: row k is wₖ */
  readonly right: Float64Array;
}

/** @param a  rows × columns, row-major, rows ≤ columns, entries of about 1 */
function svdOfRows(a: ArrayLike<number>, rows: number, columns: number): SvdRows {
  const work = Float64Array.from(a);
  const turned = new Float64Array(rows * rows);
  for (let k = 0; k < rows; k++) turned[k * rows + k] = 1;
  let rotated = true;
  for (let sweep = 0; rotated; sweep++) {
    if (sweep === MAX_SWEEPS) throw new NumericError('SVD: Jacobi does not converge; is the matrix finite?');
    rotated = false;
    for (let p = 0; p < rows - 1; p++) {
      for (let q = p + 1; q < rows; q++) if (orthogonalize(work, columns, turned, rows, p, q)) rotated = true;
    }
  }
  const lengths = Float64Array.from({ length: rows }, (_, k) => {
    let squares = 0;
    for (let c = k * columns; c < (k + 1) * columns; c++) squares += work[c] * work[c];
    return squares < ZERO_ROW ? 0 : Math.sqrt(squares);
  });
  const order = [...lengths.keys()].sort((x, y) => lengths[y] - lengths[x] || x - y);
  const left = new Float64Array(rows * rows);
  const right = new Float64Array(rows * columns);
  let rank = 0;
  order.forEach((from, k) => {
    left.set(turned.subarray(from * rows, (from + 1) * rows), k * rows);
    if (lengths[from] === 0) return;
    rank = k + 1;
    const inverse = 1 / lengths[from];
    for (let c = 0; c < columns; c++) right[k * columns + c] = inverse * work[from * columns + c];
  });
  completeRowsInPlace(right, rows, rank, columns);
  return { values: Float64Array.from(order, (from) => lengths[from]), left, right };
}

/** Rotates rows p and q of both matrices so that those of the first become orthogonal, the longer one first. */
function orthogonalize(
  work: Float64Array,
  columns: number,
  turned: Float64Array,
  rows: number,
  p: number,
  q: number,
): boolean {
  let [alpha, beta, gamma] = [0, 0, 0];
  for (let i = p * columns, j = q * columns; i < (p + 1) * columns; i++, j++) {
    alpha += work[i] * work[i];
    beta += work[j] * work[j];
    gamma += work[i] * work[j];
  }
  if (alpha < ZERO_ROW || beta < ZERO_ROW) return false;
  if (Math.abs(gamma) <= ORTHOGONAL * Math.sqrt(alpha) * Math.sqrt(beta)) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = cosine * tangent;
  rotate(work, columns, p, q, cosine, sine);
  rotate(turned, rows, p, q, cosine, sine);
  return true;
}

function rotate(m: Float64Array, width: number, p: number, q: number, cosine: number, sine: number): void {
  for (let i = p * width, j = q * width; i < (p + 1) * width; i++, j++) {
    const x = m[i];
    const y = m[j];
    m[i] = cosine * x - sine * y;
    m[j] = sine * x + cosine * y;
  }
}

/** Rows to columns: (size × length) to (length × size). */
function columnsOf(rows: Float64Array, size: number, length: number): Float64Array {
  const out = new Float64Array(size * length);
  for (let k = 0; k < size; k++) for (let i = 0; i < length; i++) out[i * size + k] = rows[k * length + i];
  return out;
}
