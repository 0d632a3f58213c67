/**
 * Solves A X = B with a dense positive definite A, factored once: A = L D Lᵀ, L unit lower triangular, D diagonal and
 * positive; L√D is the Cholesky factor. Indefinite matrices belong to `BunchKaufman`.
 *
 * Reference: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§4.1, §4.2).
 */
import { NumericError } from '../errors.ts';
import * as kernels from '../generated/calls.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';
import { ScopeOwner } from '../numerics/scope-owner.ts';

/** Columns that are factored at a time. */
const BLOCK = 64;
/** Groups of four rows that one thread takes at a time, in the panel and in the update. */
const PANEL_GROUPS = 8;
const UPDATE_GROUPS = 8;
/** A pivot below this fraction of its diagonal entry, times n, is rounding noise. */
const RELATIVE_PIVOT = 2 ** -52;

/**
 * Solves A X = B with a dense symmetric positive definite A, factored once.
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export class DenseCholesky extends ScopeOwner {
  /** Unknowns. */
  readonly size: number;
  readonly #numerics: Numerics;
  readonly #factor: Block<Float64Array>;
  readonly #diagonal: Block<Float64Array>;
  readonly #packed: Block<Float64Array>;
  readonly #vector: Block<Float64Array>;
  #ready = false;

  constructor(numerics: Numerics, size: number) {
    super(numerics);
    this.size = size;
    this.#numerics = numerics;
    this.#factor = this.scope.f64(size * size);
    this.#diagonal = this.scope.f64(size);
    // W and L of one step, both in groups of four rows.
    this.#packed = this.scope.f64(2 * 4 * Math.ceil(size / 4) * Math.min(BLOCK, size));
    this.#vector = this.scope.f64(size);
  }

  /** @param a  n × n, row-major; only the lower triangle is read */
  factor(a: ArrayLike<number>): this {
    const n = this.size;
    if (a.length !== n * n) throw new NumericError(`dense Cholesky: ${a.length} numbers are no ${n} × ${n} matrix`);
    this.#ready = false;
    this.#factor.view.set(a);
    const diagonal = this.#diagonal.view;
    for (let k = 0; k < n; k++) diagonal[k] = a[k * n + k];
    for (let first = 0; first < n; first += BLOCK) this.#step(first);
    this.#ready = true;
    return this;
  }

  /** @param rhs  n × count, row-major; solved in place */
  solveInPlace(rhs: Float64Array, count = 1): void {
    if (!this.#ready) throw new NumericError('dense Cholesky: nothing to solve yet; call factor first');
    if (rhs.length !== this.size * count) {
      throw new NumericError(`dense Cholesky: ${rhs.length} numbers are not ${count} right-hand sides of ${this.size}`);
    }
    if (count === 1) this.#solveOne(rhs);
    else this.#solveMany(rhs, count);
  }

  /** The solution of A X = B as a new array. */
  solve(rhs: ArrayLike<number>, count = 1): Float64Array {
    const x = Float64Array.from(rhs);
    this.solveInPlace(x, count);
    return x;
  }

  override dispose(): void {
    this.#ready = false;
    super.dispose();
  }

  #solveOne(rhs: Float64Array): void {
    const n = this.size;
    const x = this.#vector;
    x.view.set(rhs);
    const system = { a: this.#factor.pointer, stride: 8 * n, n, x: x.pointer };
    kernels.forwardSolve(this.#numerics)(system);
    kernels.backwardSolve(this.#numerics)(system);
    rhs.set(x.view);
  }

  #solveMany(rhs: Float64Array, count: number): void {
    const n = this.size;
    const scope = this.#numerics.scope();
    try {
      const x = scope.f64From(rhs);
      const system = { factor: this.#factor, stride: 8 * n, n, x, count };
      kernels.factorSolve(this.#numerics, Math.ceil(count / 4), 1, system);
      rhs.set(x.view);
    } finally {
      scope.dispose();
    }
  }

  #step(first: number): void {
    const n = this.size;
    const numerics = this.#numerics;
    const width = Math.min(BLOCK, n - first);
    const below = n - first - width;
    const at = (row: number, column: number) => this.#factor.pointer + 8 * (row * n + column);
    const block = at(first, first);
    const diagonal = this.#diagonal.pointer + 8 * first;
    const stride = 8 * n;
    const pivots = { a: block, stride, size: width, diagonal, tolerance: RELATIVE_PIVOT * n };
    const failed = kernels.factorDiagonal(numerics)(pivots);
    if (failed >= 0) this.#fail(first + failed);
    if (below === 0) return;
    const groups = Math.ceil(below / 4);
    const packedW = this.#packed.pointer;
    const packedL = packedW + 32 * groups * width;
    const next = first + width;
    const rows = { stride, rows: below, size: width, packedW, packedL };
    kernels.factorPanel(numerics, groups, PANEL_GROUPS, { ...rows, a: at(next, first), block });
    kernels.factorUpdate(numerics, groups, UPDATE_GROUPS, { ...rows, a: at(next, next) });
  }

  #fail(column: number): never {
    const pivot = this.#factor.view[column * this.size + column];
    throw new NumericError(
      `dense Cholesky: column ${column} is not positive definite (pivot ${pivot.toExponential(2)}); ` +
        'regularise the diagonal',
    );
  }
}
