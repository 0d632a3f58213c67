/**
 * Joint diagonalisation: the rotation A that makes a set of symmetric 3 × 3 matrices as diagonal as possible, maximising
 * Σ_t Σ_k (Aᵀ S_t A)_kk² by plane rotations with closed-form angles. For a bone that stretches, A is the frame in which
 * its stretches are closest to scales.
 *
 * Reference: Cardoso, Souloumiac. Jacobi angles for simultaneous diagonalization. 1996.
 */
import { atan2, cos, sin } from '@pelt/math';

const MOST_SWEEPS = 50;
/** Largest angle of a sweep, in radians, at convergence. */
const SETTLED = 1e-10;

/**
 * @param matrices  T × 9, row-major, symmetric
 * @returns 9 numbers, row-major, a proper rotation whose columns are the axes
 */
export function jointDiagonaliser(matrices: Float64Array): Float64Array {
  const s = matrices.slice();
  const a = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let largest = 0;
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const angle = bestAngle(s, p, q);
      largest = Math.max(largest, Math.abs(angle));
      if (angle === 0) continue;
      const [cosine, sine] = [cos(angle), sin(angle)];
      for (let at = 0; at < s.length; at += 9) {
        rotateColumns(s, at, p, q, cosine, sine);
        rotateRows(s, at, p, q, cosine, sine);
      }
      rotateColumns(a, 0, p, q, cosine, sine);
    }
    if (largest < SETTLED) break;
  }
  return a;
}

function bestAngle(s: Float64Array, p: number, q: number): number {
  let equal = 0;
  let cross = 0;
  for (let at = 0; at < s.length; at += 9) {
    const difference = s[at + 4 * p] - s[at + 4 * q];
    const off = 2 * s[at + 3 * p + q];
    equal += difference * difference - off * off;
    cross += 2 * difference * off;
  }
  return cross === 0 && equal >= 0 ? 0 : 0.5 * atan2(cross, equal + Math.hypot(equal, cross));
}

/** S ← S·J: rotates column p towards column q. */
function rotateColumns(s: Float64Array, at: number, p: number, q: number, cosine: number, sine: number): void {
  for (let row = 0; row < 3; row++) {
    const [x, y] = [s[at + 3 * row + p], s[at + 3 * row + q]];
    s[at + 3 * row + p] = cosine * x + sine * y;
    s[at + 3 * row + q] = cosine * y - sine * x;
  }
}

function rotateRows(s: Float64Array, at: number, p: number, q: number, cosine: number, sine: number): void {
  for (let column = 0; column < 3; column++) {
    const [x, y] = [s[at + 3 * p + column], s[at + 3 * q + column]];
    s[at + 3 * p + column] = cosine * x + sine * y;
    s[at + 3 * q + column] = cosine * y - sine * x;
  }
}
