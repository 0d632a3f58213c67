import {
  determinant3,
  linearPart,
  multiply3,
  multiplyTransposed3,
  quaternionFromRotation,
  rotationFromQuaternion,
  transposed3,
} from '@pelt/math';
import { inHemisphere } from './fit-trs.ts';
import type { Transform, Trs } from './transform.ts';

/**
 * Any affine transform as two nodes: A = U diag(s) Vᵀ, an outer node with translation, rotation U and scale s, and in it
 * a node with the rotation Vᵀ. Nothing is lost, shear and reflection included.
 *
 * A singular value decomposition is not unique: its columns may be exchanged and negated, and turn freely where scales
 * are equal. Players interpolate rotations and scales, so from frame to frame the choice must not jump. Here V is
 * carried along: the Jacobi rotations that diagonalise AᵀA start from the V of the last frame, where it is nearly
 * diagonal already, so that they are as small as they can be, and none is made where scales are equal. (Picking the
 * nearest signed permutation of a fresh decomposition does the same, except that it jumps at equal scales.)
 */
export interface AffinePair {
  readonly outer: Trs;
  /** unit quaternion of the inner node */
  readonly inner: Float64Array;
}

/** Off-diagonal share of AᵀA that counts as none: below it is what 32-bit floats make of equal scales. */
const DIAGONAL = 1e-7;
/** A scale below this share of the largest has no direction of its own. */
const FLAT = 1e-9;
const MAX_SWEEPS = 30;
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** 3 × 3, row-major */
type Matrix = Float64Array;

/** Takes a bone's frames in their order; the first is compared with the identity. */
export class AffinePairTracker {
  #outer = Float64Array.of(0, 0, 0, 1);
  #inner = Float64Array.of(0, 0, 0, 1);

  next(a: Transform): AffinePair {
    const v = transposed3(rotationOf(this.#inner));
    const [linear, gram, columns] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
    linearPart(a, 0, linear, 0);
    multiplyTransposed3(linear, 0, linear, 0, gram, 0);
    turnToDiagonal(gram, v);
    multiply3(linear, 0, v, 0, columns, 0);
    const u = orthonormalized(columns, rotationOf(this.#outer));
    const scale = Float64Array.from({ length: 3 }, (_, c) => columnDot(u, c, columns, c));
    this.#outer = inHemisphere(quaternionOf(u), this.#outer);
    this.#inner = inHemisphere(quaternionOf(transposed3(v)), this.#inner);
    return {
      outer: { translation: Float64Array.of(a[3], a[7], a[11]), rotation: this.#outer.slice(), scale },
      inner: this.#inner.slice(),
    };
  }
}

/** v ← v J with Jᵀ (vᵀ gram v) J diagonal; J a product of rotations by 45° at most. */
function turnToDiagonal(gram: Matrix, v: Matrix): void {
  const b = new Float64Array(9);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) b[3 * r + c] += v[3 * i + r] * gram[3 * i + j] * v[3 * j + c];
      }
    }
  }
  const negligible = (DIAGONAL * (b[0] + b[4] + b[8])) / 3;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let turned = false;
    for (const [p, q] of PAIRS) {
      const off = b[3 * p + q];
      if (Math.abs(off) <= negligible) continue;
      turned = true;
      const theta = (b[4 * q] - b[4 * p]) / (2 * off);
      const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(1, theta));
      const cosine = 1 / Math.hypot(1, tangent);
      rotateColumns(b, p, q, cosine, cosine * tangent);
      rotateRows(b, p, q, cosine, cosine * tangent);
      rotateColumns(v, p, q, cosine, cosine * tangent);
    }
    if (!turned) return;
  }
}

function rotateColumns(m: Matrix, p: number, q: number, cosine: number, sine: number): void {
  for (let k = 0; k < 9; k += 3) {
    const x = m[k + p];
    m[k + p] = cosine * x - sine * m[k + q];
    m[k + q] = sine * x + cosine * m[k + q];
  }
}

function rotateRows(m: Matrix, p: number, q: number, cosine: number, sine: number): void {
  for (let k = 0; k < 3; k++) {
    const x = m[3 * p + k];
    m[3 * p + k] = cosine * x - sine * m[3 * q + k];
    m[3 * q + k] = sine * x + cosine * m[3 * q + k];
  }
}

/**
 * The proper rotation with the directions of three orthogonal columns, longest first. A column without length takes the
 * direction it had in `last`; where the columns are left-handed, the one is turned about whose turn is nearest to it.
 */
function orthonormalized(columns: Matrix, last: Matrix): Matrix {
  const lengths = [0, 1, 2].map((c) => Math.sqrt(columnDot(columns, c, columns, c)));
  const order = [0, 1, 2].sort((a, b) => lengths[b] - lengths[a]);
  const u = new Float64Array(9);
  const isFlat = (c: number) => !(lengths[c] > FLAT * lengths[order[0]]);
  order.forEach((c, done) => {
    if (done === 2 && isFlat(c)) {
      setCross(u, order[0], order[1], c);
      return;
    }
    for (const candidate of [isFlat(c) ? last : columns, AXES, AXES_TURNED]) {
      const length = Math.sqrt(columnDot(candidate, c, candidate, c));
      for (let r = 0; r < 9; r += 3) u[r + c] = candidate[r + c] / length;
      for (const other of order.slice(0, done)) {
        const along = columnDot(u, c, u, other);
        for (let r = 0; r < 9; r += 3) u[r + c] -= along * u[r + other];
      }
      const left = Math.sqrt(columnDot(u, c, u, c));
      for (let r = 0; r < 9; r += 3) u[r + c] /= left;
      // Little is left of a direction that lay among the others: then another has to serve.
      if (left > 0.1) return;
    }
  });
  if (determinant3(u, 0) > 0) return u;
  if (isFlat(order[2])) return negated(u, order[2]);
  const closeness = [0, 1, 2].map((c) => -columnDot(u, c, last, c));
  return negated(u, closeness.indexOf(Math.max(...closeness)));
}

const AXES = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const AXES_TURNED = Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0);

/** Column c := column a × column b. */
function setCross(m: Matrix, a: number, b: number, c: number): void {
  for (let r = 0; r < 3; r++) {
    const [s, t] = [3 * ((r + 1) % 3), 3 * ((r + 2) % 3)];
    m[3 * r + c] = m[s + a] * m[t + b] - m[t + a] * m[s + b];
  }
}

function negated(m: Matrix, c: number): Matrix {
  return m.map((value, k) => (k % 3 === c ? -value : value));
}

function columnDot(a: Matrix, c: number, b: Matrix, d: number): number {
  return a[c] * b[d] + a[3 + c] * b[3 + d] + a[6 + c] * b[6 + d];
}

function rotationOf(q: Float64Array): Matrix {
  const r = new Float64Array(9);
  rotationFromQuaternion(q, 0, r, 0);
  return r;
}

function quaternionOf(r: Matrix): Float64Array<ArrayBuffer> {
  const q = new Float64Array(4);
  quaternionFromRotation(r, 0, q, 0);
  return q;
}
