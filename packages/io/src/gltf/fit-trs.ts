import { determinant3, linearPart, polarDecomposition, quaternionFromRotation } from '@pelt/math';
import type { Transform, Trs } from './transform.ts';

/**
 * The translation, rotation and scale nearest to an affine transform: minimise ‖A − R diag(s)‖ over proper rotations R
 * and signed scales s. Alternately R is the polar factor of A diag(s) and s the diagonal of RᵀA, each exact for the
 * other; one round is enough where A does not shear, and then nothing is lost. Reflections come out as a negative scale
 * along the axis that keeps the rotation nearest to `last`.
 *
 * Reference: Shoemake, Duff. Matrix animation and polar decomposition. 1992.
 */
const MAX_ROUNDS = 50;
/** Change of the scales, against the largest, at which they are done. */
const SETTLED = 1e-13;

/**
 * @param last  rotation of the frame before, 4 numbers: the result is in its hemisphere
 */
export function fitTrs(a: Transform, last: Float64Array): Trs {
  const matrix = new Float64Array(9);
  linearPart(a, 0, matrix, 0);
  const { rotation, scale } = determinant3(matrix, 0) < 0 ? fitMirror(matrix, last) : fitProper(matrix, last);
  return { translation: Float64Array.of(a[3], a[7], a[11]), rotation, scale };
}

function fitProper(matrix: Float64Array, last: Float64Array): Pick<Trs, 'rotation' | 'scale'> {
  const r = new Float64Array(9);
  const stretch = new Float64Array(9);
  polarDecomposition(matrix, 0, r, 0, stretch, 0);
  const scale = Float64Array.of(stretch[0], stretch[4], stretch[8]);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const scaled = matrix.map((value, k) => value * scale[k % 3]);
    polarDecomposition(scaled, 0, r, 0, stretch, 0);
    let change = 0;
    let largest = 0;
    for (let c = 0; c < 3; c++) {
      const next = r[c] * matrix[c] + r[3 + c] * matrix[3 + c] + r[6 + c] * matrix[6 + c];
      change = Math.max(change, Math.abs(next - scale[c]));
      largest = Math.max(largest, Math.abs(next));
      scale[c] = next;
    }
    if (change <= SETTLED * largest) break;
  }
  const rotation = new Float64Array(4);
  quaternionFromRotation(r, 0, rotation, 0);
  return { rotation: inHemisphere(rotation, last), scale };
}

function fitMirror(matrix: Float64Array, last: Float64Array): Pick<Trs, 'rotation' | 'scale'> {
  const candidates = [0, 1, 2].map((axis) => {
    const { rotation, scale } = fitProper(
      matrix.map((value, k) => (k % 3 === axis ? -value : value)),
      last,
    );
    scale[axis] = -scale[axis];
    return { rotation, scale };
  });
  return candidates.reduce((best, next) => (dot(next.rotation, last) > dot(best.rotation, last) ? next : best));
}

/** Of q and −q, which are one rotation, the one nearer to `last`; in place. */
export function inHemisphere<T extends Float64Array>(q: T, last: Float64Array): T {
  if (dot(q, last) < 0) for (let k = 0; k < 4; k++) q[k] = -q[k];
  return q;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/** How far the linear part is from a rotation times one scale: 0 for none, of the order of 1 for a strong stretch. */
export function deviationFromSimilarity(a: Transform): number {
  const columns = [0, 1, 2].map((c) => [a[c], a[4 + c], a[8 + c]]);
  const products = columns.map((u) => columns.map((v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2]));
  const mean = (products[0][0] + products[1][1] + products[2][2]) / 3;
  if (!(mean > 0)) return 1;
  let most = 0;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(products[r][c] / mean - (r === c ? 1 : 0)));
  }
  return most;
}

/** The rotation times one positive scale nearest to a frame, at its origin: what a tree of nodes can hand down. */
export function nearestSimilarity(a: Transform): Transform {
  const matrix = new Float64Array(9);
  linearPart(a, 0, matrix, 0);
  const r = new Float64Array(9);
  const stretch = new Float64Array(9);
  polarDecomposition(matrix, 0, r, 0, stretch, 0);
  const mean = (stretch[0] + stretch[4] + stretch[8]) / 3;
  const scale = mean > 0 ? mean : 1;
  return Float64Array.from(a, (value, k) => (k % 4 === 3 ? value : scale * r[3 * (k >> 2) + (k % 4)]));
}
