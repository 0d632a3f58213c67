/**
 * Solves A X = B with a dense symmetric A, factored once: A = L D Lᵀ, L unit lower triangular, D diagonal, no pivoting.
 *
 * `DenseCholesky` is for positive definite matrices (D > 0; √D folded into L it is the Cholesky factor). `DenseLdl` lets
 * D have any sign: it is for quasi-definite matrices [[P, Bᵀ], [B, −Q]] with P and Q positive definite, which have such
 * a factor in every order; other indefinite matrices may break down or lose digits and belong to `BunchKaufman`.
 * A rank-one change of A changes the factor in O(n²).
 *
 * References: Golub, Van Loan. Matrix Computations. 4th ed. 2013 (§4.1, §4.2). Vanderbei. Symmetric quasidefinite
 * matrices. 1995. Gill, Golub, Murray, Saunders. Methods for modifying matrix factorizations. 1974 (method C1).
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';
import { ScopeOwner } from '../numerics/scope-owner.ts';

/** Columns that are factored at a time. */
const BLOCK = 64;
/** Groups of four rows that one thread takes at a time, in the panel and in the update. */
const PANEL_GROUPS = 8;
const UPDATE_GROUPS = 8;
/** Rows of a rank-one update that one thread takes at a time. */
const UPDATE_ROWS = 64;
/** A pivot below this fraction of its diagonal entry, times n, is rounding noise. */
const RELATIVE_PIVOT = 2 ** -52;

/** Parts of a solve, as assembly/dense/symmetric-solve.ts has them. */
const FORWARD = 1;
const DIAGONAL = 2;
const ROOT = 4;
const BACKWARD = 8;

abstract class SymmetricFactor extends ScopeOwner {
  /** Unknowns. */
  readonly size: number;
  protected abstract readonly name: string;
  protected abstract readonly positive: boolean;
  readonly #numerics: Numerics;
  readonly #factor: Block<Float64Array>;
  readonly #diagonal: Block<Float64Array>;
  readonly #packed: Block<Float64Array>;
  readonly #vectors: Block<Float64Array>;
  #ready = false;

  constructor(numerics: Numerics, size: number) {
    super(numerics);
    this.size = size;
    this.#numerics = numerics;
    this.#factor = this.scope.f64(size * size);
    this.#diagonal = this.scope.f64(size);
    // W and L of one step, both in groups of four rows.
    this.#packed = this.scope.f64(2 * 4 * Math.ceil(size / 4) * Math.min(BLOCK, size));
    this.#vectors = this.scope.f64(3 * size);
  }

  /** @param a  n × n, row-major; only the lower triangle is read */
  factor(a: ArrayLike<number>): this {
    const n = this.size;
    if (a.length !== n * n) throw new NumericError(`${this.name}: ${a.length} numbers are no ${n} × ${n} matrix`);
    this.#ready = false;
    this.#factor.view.set(a);
    const diagonal = this.#diagonal.view;
    for (let k = 0; k < n; k++) diagonal[k] = a[k * n + k];
    for (let first = 0; first < n; first += BLOCK) this.#step(first);
    this.#ready = true;
    return this;
  }

  /**
   * @param rhs  n × count, row-major; solved in place
   */
  solveInPlace(rhs: Float64Array, count = 1): void {
    this.#requireRightHandSides(rhs, count);
    if (count === 1) this.#solveOne(rhs);
    else this.solveParts(rhs, count, FORWARD + DIAGONAL + BACKWARD);
  }

  /** The solution of A X = B as a new array. */
  solve(rhs: ArrayLike<number>, count = 1): Float64Array {
    const x = Float64Array.from(rhs);
    this.solveInPlace(x, count);
    return x;
  }

  /**
   * The factor of A + αvvᵀ. Where that matrix has no such factor it throws, and the factor stays as it was.
   *
   * @param v      n
   * @param alpha  1 adds vvᵀ, −1 takes it away
   */
  update(v: ArrayLike<number>, alpha: number): void {
    this.#requireFactor('update');
    const n = this.size;
    if (v.length !== n) throw new NumericError(`${this.name}: a vector of ${v.length} cannot update ${n} unknowns`);
    const numerics = this.#numerics;
    const [vAt, pAt, betaAt] = [0, 1, 2].map((k) => this.#vectors.pointer + 8 * n * k);
    const vectors = this.#vectors.view;
    vectors.set(v);
    vectors.set(v, n);
    numerics.call('forwardSolve', this.#factor.pointer, 8 * n, n, pAt);
    const p = vectors.subarray(n, 2 * n);
    const beta = vectors.subarray(2 * n);
    const pivots = this.#updatedPivots(p, alpha, beta);
    numerics.run('updateRows', n, UPDATE_ROWS, [this.#factor.pointer, 8 * n, vAt, pAt, betaAt]);
    const factor = this.#factor.view;
    const diagonal = this.#diagonal.view;
    for (let k = 0; k < n; k++) {
      factor[k * n + k] = pivots[k];
      diagonal[k] += alpha * v[k] * v[k];
    }
  }

  /** The diagonal of D; the product is the determinant, the signs are the inertia. */
  pivots(): Float64Array {
    this.#requireFactor('read');
    const factor = this.#factor.view;
    return Float64Array.from({ length: this.size }, (_, k) => factor[k * this.size + k]);
  }

  /** L, n × n row-major, with its ones on the diagonal and zeros above. */
  unitLower(): Float64Array {
    this.#requireFactor('read');
    const n = this.size;
    const out = new Float64Array(n * n);
    for (let r = 0; r < n; r++) {
      out.set(this.#factor.view.subarray(r * n, r * n + r), r * n);
      out[r * n + r] = 1;
    }
    return out;
  }

  override dispose(): void {
    this.#ready = false;
    super.dispose();
  }

  /** Some of L⁻¹, D⁻¹ or D^−½, L⁻ᵀ, in that order. */
  protected solveParts(rhs: Float64Array, count: number, parts: number): void {
    this.#requireRightHandSides(rhs, count);
    const n = this.size;
    const scope = this.#numerics.scope();
    try {
      const x = scope.f64From(rhs);
      const args = [this.#factor.pointer, 8 * n, n, x.pointer, count, parts];
      this.#numerics.run('factorSolve', Math.ceil(count / 4), 1, args, 32 * n);
      rhs.set(x.view);
    } finally {
      scope.dispose();
    }
  }

  #solveOne(rhs: Float64Array): void {
    const n = this.size;
    const x = this.#vectors;
    x.view.set(rhs);
    this.#numerics.call('forwardSolve', this.#factor.pointer, 8 * n, n, x.pointer);
    this.#numerics.call('backwardSolve', this.#factor.pointer, 8 * n, n, x.pointer);
    rhs.set(x.view.subarray(0, n));
  }

  #step(first: number): void {
    const n = this.size;
    const numerics = this.#numerics;
    const width = Math.min(BLOCK, n - first);
    const below = n - first - width;
    const at = (row: number, column: number) => this.#factor.pointer + 8 * (row * n + column);
    const block = at(first, first);
    const diagonal = this.#diagonal.pointer + 8 * first;
    const tolerance = RELATIVE_PIVOT * n;
    const failed = numerics.call('factorDiagonal', block, 8 * n, width, diagonal, tolerance, this.positive ? 1 : 0);
    if (failed >= 0) this.#fail(first + failed);
    if (below === 0) return;
    const groups = Math.ceil(below / 4);
    const packedW = this.#packed.pointer;
    const packedL = packedW + 32 * groups * width;
    const next = first + width;
    numerics.run('factorPanel', groups, PANEL_GROUPS, [at(next, first), 8 * n, below, block, width, packedW, packedL]);
    numerics.run('factorUpdate', groups, UPDATE_GROUPS, [at(next, next), 8 * n, below, width, packedW, packedL], 128);
  }

  /** D' and β; throws before anything is changed. */
  #updatedPivots(p: Float64Array, alpha: number, beta: Float64Array): Float64Array {
    const n = this.size;
    const factor = this.#factor.view;
    const pivots = new Float64Array(n);
    let rest = alpha;
    for (let k = 0; k < n; k++) {
      const old = factor[k * n + k];
      const pivot = old + rest * p[k] * p[k];
      const least = RELATIVE_PIVOT * n * Math.abs(old);
      if (this.positive ? !(pivot > least) : !(Math.abs(pivot) > least)) {
        throw new NumericError(`${this.name}: the update makes column ${k} ${this.#flaw()}; factor the new matrix`);
      }
      pivots[k] = pivot;
      beta[k] = (rest * p[k]) / pivot;
      rest *= old / pivot;
    }
    return pivots;
  }

  #fail(column: number): never {
    const pivot = this.#factor.view[column * this.size + column];
    throw new NumericError(
      `${this.name}: column ${column} is ${this.#flaw()} (pivot ${pivot.toExponential(2)}); regularise the diagonal`,
    );
  }

  #flaw(): string {
    return this.positive ? 'not positive definite' : 'singular';
  }

  #requireRightHandSides(rhs: Float64Array, count: number): void {
    this.#requireFactor('solve');
    if (rhs.length !== this.size * count) {
      throw new NumericError(`${this.name}: ${rhs.length} numbers are not ${count} right-hand sides of ${this.size}`);
    }
  }

  #requireFactor(verb: string): void {
    if (!this.#ready) throw new NumericError(`${this.name}: nothing to ${verb} yet; call factor first`);
  }
}

/** A = L D Lᵀ with D > 0; C = L√D is the Cholesky factor, A = CCᵀ. */
export class DenseCholesky extends SymmetricFactor {
  protected readonly name = 'dense Cholesky';
  protected readonly positive = true;

  /** C⁻¹ B: the triangular solve that turns the metric of A into the ordinary one. `rhs` is n × count, row-major. */
  solveLower(rhs: ArrayLike<number>, count = 1): Float64Array {
    const x = Float64Array.from(rhs);
    this.solveParts(x, count, FORWARD + ROOT);
    return x;
  }

  /** C⁻ᵀ B. `rhs` is n × count, row-major. */
  solveUpper(rhs: ArrayLike<number>, count = 1): Float64Array {
    const x = Float64Array.from(rhs);
    this.solveParts(x, count, ROOT + BACKWARD);
    return x;
  }
}

/** A = L D Lᵀ with D of any sign, for quasi-definite matrices. */
export class DenseLdl extends SymmetricFactor {
  protected readonly name = 'dense LDLᵀ';
  protected readonly positive = false;
}
