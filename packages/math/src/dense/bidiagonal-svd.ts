/**
 * All singular triples of an upper bidiagonal matrix by divide and conquer. Row m, taken out, leaves two smaller ones,
 *
 *   B = [B₁ 0; α e_lastᵀ, β e_firstᵀ; 0 B₂],
 *
 * B₁ with one column more than rows. In their singular vectors B is zero but for the row z and the diagonal d (d₀ = 0
 * for the row itself), and its singular values solve 1 + Σ zᵢ²/(dᵢ² − σ²) = 0. Deflated first: a small zᵢ leaves its
 * triple as it is, a small dᵢ is rotated into d₀, two close dᵢ so that one of their z vanishes.
 *
 * Reference: Gu, Eisenstat. A divide-and-conquer algorithm for the bidiagonal SVD. 1995.
 */
import { exponentOf } from '../elementary/exponential.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { ascendingOrder, combineRows, type DividedRows, LEFT, placeRows, RIGHT, rotateRows } from './divided-rows.ts';
import { completeRowsInPlace } from './orthonormal.ts';
import { scaleOf } from './scale.ts';
import { solveSecular } from './secular.ts';
import { plainSvdRows } from './thin-svd-plain.ts';

/** Largest block that Jacobi solves. */
const LEAF = 24;
/** What is smaller than this, relative to the norm of the block, is zero. */
const NEGLIGIBLE = 8 * 2 ** -52;

export interface BidiagonalSvd {
  /** n, ascending */
  readonly values: Float64Array;
  /** n × n each: row k is the singular vector of value k */
  readonly left: Block<Float64Array>;
  readonly right: Block<Float64Array>;
}

/**
 * @param scope          owns the vectors
 * @param diagonal       n
 * @param superdiagonal  n, in its first n − 1 places
 */
export function bidiagonalSvd(
  numerics: Numerics,
  scope: Scope,
  diagonal: Float64Array,
  superdiagonal: Float64Array,
): BidiagonalSvd {
  const n = diagonal.length;
  const values = new Float64Array(n);
  const [left, right] = [scope.f64(n * n), scope.f64(n * n)];
  new Division(numerics, diagonal, superdiagonal, values, left, right).solve(0, n, 0);
  return { values, left, right };
}

class Division {
  readonly #numerics: Numerics;
  readonly #d: Float64Array;
  readonly #e: Float64Array;
  readonly #values: Float64Array;
  readonly #left: Block<Float64Array>;
  readonly #right: Block<Float64Array>;

  constructor(
    numerics: Numerics,
    d: Float64Array,
    e: Float64Array,
    values: Float64Array,
    left: Block<Float64Array>,
    right: Block<Float64Array>,
  ) {
    this.#numerics = numerics;
    this.#d = d;
    this.#e = e;
    this.#values = values;
    this.#left = left;
    this.#right = right;
  }

  /**
   * The block of rows [begin, end) and columns [begin, end + extra). Left vectors go to the rows [begin, end), right ones
   * as well, and the right vector that belongs to no singular value, where there is an extra column, to row `end`.
   */
  solve(begin: number, end: number, extra: 0 | 1): void {
    if (end - begin <= LEAF) {
      this.#solveLeaf(begin, end, extra);
      return;
    }
    const middle = (begin + end) >> 1;
    this.solve(begin, middle, 1);
    this.solve(middle + 1, end, extra);
    this.#merge(begin, middle, end, extra);
  }

  #solveLeaf(begin: number, end: number, extra: 0 | 1): void {
    const n = this.#d.length;
    const rows = end - begin;
    const columns = rows + extra;
    const block = new Float64Array(rows * columns);
    for (let k = 0; k < rows; k++) {
      block[k * columns + k] = this.#d[begin + k];
      if (k + 1 < columns) block[k * columns + k + 1] = this.#e[begin + k];
    }
    // A block of a singular matrix can be tiny as a whole.
    const scale = scaleOf('SVD', block) || 1;
    const svd = plainSvdRows(
      block.map((x) => x / scale),
      rows,
      columns,
    );
    const right = new Float64Array(columns * columns);
    right.set(svd.right);
    completeRowsInPlace(right, columns, rows, columns);
    const [leftView, rightView] = [this.#left.view, this.#right.view];
    for (let k = 0; k < rows; k++) {
      const from = rows - 1 - k;
      this.#values[begin + k] = scale * svd.values[from];
      leftView.set(svd.left.subarray(from * rows, (from + 1) * rows), (begin + k) * n + begin);
      rightView.set(right.subarray(from * columns, (from + 1) * columns), (begin + k) * n + begin);
    }
    if (extra) rightView.set(right.subarray(rows * columns), end * n + begin);
  }

  #merge(begin: number, middle: number, end: number, extra: 0 | 1): void {
    const stride = this.#d.length;
    const left: DividedRows = { rows: this.#left, stride, begin, split: middle + 1, end };
    const right: DividedRows = { rows: this.#right, stride, begin, split: middle + 1, end: end + extra };
    this.#left.view[middle * stride + middle] = 1;
    const { z, support } = this.#borderRow(right, middle, extra);
    const values = this.#values;
    values[middle] = 0;
    const norm = Math.max(Math.abs(this.#d[middle]), Math.abs(this.#e[middle]), ...values.subarray(begin, end));
    if (norm === 0) return;
    const { coupled, deflated } = deflate(values, z, NEGLIGIBLE * norm, middle, support, left, right);

    const scope = this.#numerics.scope();
    try {
      const k = coupled.length;
      // Squares of a block that is tiny as a whole would vanish; a power of two costs no digits.
      const unit = 2 ** exponentOf(norm);
      const poles = Float64Array.from(coupled, (i) => values[i] / unit);
      const secular = solveSecular(this.#numerics, scope, {
        poles,
        weights: Float64Array.from(coupled, (i) => z[i - begin] / unit),
        inverseRho: 1,
        squared: true,
      });
      const newValues = new Float64Array(end - begin);
      for (let j = 0; j < k; j++) {
        const pole = poles[secular.origins[j]];
        const shift = secular.shifts[j];
        newValues[j] = unit * (pole + shift / (pole + Math.sqrt(pole * pole + shift)));
      }
      deflated.forEach((i, place) => {
        newValues[k + place] = values[i];
      });
      const order = ascendingOrder(newValues);
      const places = order.map((_, p) => begin + p);
      for (const [side, kind, vectors] of [
        [left, support.left, secular.leftVectors!],
        [right, support.right, secular.vectors],
      ] as const) {
        const kinds = coupled.map((i) => kind[i - begin]);
        const combined = combineRows(this.#numerics, scope, side, coupled, kinds, vectors);
        placeRows(side, places, order, combined.view, deflated);
      }
      order.forEach((from, p) => {
        values[begin + p] = newValues[from];
      });
    } finally {
      scope.dispose();
    }
  }

  /** The middle row in the right singular vectors of both parts, and where those vectors live. */
  #borderRow(right: DividedRows, middle: number, extra: 0 | 1) {
    const { begin, stride } = right;
    const end = right.end - extra;
    const view = right.rows.view;
    const alpha = this.#d[middle];
    const beta = this.#e[middle];
    // Vectors of the first part are zero right of the middle, those of the second left of it.
    const entry = (row: number) => alpha * view[row * stride + middle] + beta * view[row * stride + middle + 1];
    const sides: number[] = Array.from({ length: end - begin }, (_, k) => (begin + k <= middle ? LEFT : RIGHT));
    const support = { left: sides, right: [...sides] };
    if (extra) {
      // Two vectors belong to no singular value: one of them takes all of the row, the other stays over.
      const length = Math.hypot(entry(middle), entry(end));
      if (length > 0) rotateRows(right, middle, end, entry(middle) / length, entry(end) / length);
      support.right[middle - begin] = LEFT | RIGHT;
    }
    const z = Float64Array.from({ length: end - begin }, (_, k) => entry(begin + k));
    return { z, support };
  }
}

/** Splits the triples into those that couple, ascending, the border row first, and the rest. Values and z change. */
function deflate(
  values: Float64Array,
  z: Float64Array,
  tolerance: number,
  middle: number,
  support: { readonly left: number[]; readonly right: number[] },
  left: DividedRows,
  right: DividedRows,
): { coupled: number[]; deflated: number[] } {
  const { begin, end } = left;
  const border = middle - begin;
  const deflated: number[] = [];
  if (Math.abs(z[border]) <= tolerance) z[border] = z[border] < 0 ? -tolerance : tolerance;
  const coupled = [middle];
  let previous = -1;
  for (const k of ascendingOrder(values.subarray(begin, end))) {
    if (k === border) continue;
    const j = begin + k;
    if (Math.abs(z[k]) <= tolerance) {
      deflated.push(j);
      continue;
    }
    if (values[j] <= tolerance) {
      const length = Math.hypot(z[border], z[k]);
      rotateRows(right, middle, j, z[border] / length, z[k] / length);
      support.right[border] |= support.right[k];
      z[border] = length;
      values[j] = 0;
      deflated.push(j);
      continue;
    }
    if (previous >= 0 && values[j] - values[previous] <= tolerance) {
      const p = previous - begin;
      const length = Math.hypot(z[k], z[p]);
      const [cosine, sine] = [z[k] / length, -z[p] / length];
      rotateRows(left, previous, j, cosine, sine);
      rotateRows(right, previous, j, cosine, sine);
      support.left[k] |= support.left[p];
      support.right[k] |= support.right[p];
      z[k] = length;
      deflated.push(previous);
    } else if (previous >= 0) coupled.push(previous);
    previous = j;
  }
  if (previous >= 0) coupled.push(previous);
  return { coupled, deflated };
}
