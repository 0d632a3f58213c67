/**
 * Sparse Cholesky factorisation P A Pᵀ = L Lᵀ of a symmetric positive definite matrix: factor once, solve often.
 *
 * The order P keeps L sparse; where L has non-zeros is found once; its numbers come from a multifrontal factorisation
 * over supernodes, and a solve reads them once up and once down the tree for all right-hand sides together.
 *
 * Reference: Davis, Rajamanickam, Sid-Lakhdar. A survey of direct methods for sparse linear systems. Acta Numerica,
 * 2016 (§4 to §6, §9, §11).
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block } from '../numerics/scope.ts';
import { ScopeOwner } from '../numerics/scope-owner.ts';
import { layOutFactor } from './factor-layout.ts';
import { graphOf } from './graph.ts';
import { Multifrontal } from './multifrontal.ts';
import { chooseOrder, factorNonZeros, type Ordering } from './ordering.ts';
import { MOST_SIDES, Substitution } from './substitution.ts';
import { findSupernodes } from './supernodes.ts';
import { type SparseSymmetric, validateSparseSymmetric } from './symmetric.ts';

export interface SparseCholeskyOptions {
  /** Order of elimination. */
  readonly ordering: Ordering;
}

export const SPARSE_CHOLESKY_DEFAULTS: SparseCholeskyOptions = { ordering: 'auto' };

/**
 * A pivot must exceed this times √n times its column's diagonal entry; what is smaller is rounding. Of a singular matrix,
 * such as a Laplacian without a fixed vertex, the last pivot is the sum of n rounding errors, of either sign.
 */
const PIVOT_FLOOR = 8 * Number.EPSILON;

/**
 * Sparse Cholesky factorisation P A Pᵀ = L Lᵀ of a symmetric positive definite matrix: factor once, solve often.
 * @example
 * {@includeCode ../../examples/sparse.ts}
 */
export class SparseCholesky extends ScopeOwner {
  /** n, rows and columns */
  readonly size: number;
  /** Non-zeros in L, diagonal included. */
  readonly nonZeros: number;
  /** Vertices in the order of elimination. */
  readonly #order: Int32Array;
  /** Entry of the matrix on each column's diagonal, −1 where there is none. */
  readonly #diagonal: Int32Array;
  readonly #entryCount: number;
  readonly #multifrontal: Multifrontal;
  readonly #substitution: Substitution;
  readonly #floors: Float64Array;
  #factored = false;

  /**
   * Analyses the pattern and factors. Throws `NumericError` where the matrix is not positive definite.
   *
   * @param matrix  lower triangle; only its values are read again, through `refactor`
   */
  constructor(numerics: Numerics, matrix: SparseSymmetric, options: Partial<SparseCholeskyOptions> = {}) {
    super(numerics);
    const { ordering = SPARSE_CHOLESKY_DEFAULTS.ordering, ...unknown } = options;
    for (const key of Object.keys(unknown)) {
      throw new NumericError(`sparse Cholesky: unknown option '${key}'; it takes ordering`);
    }
    validateSparseSymmetric(matrix);
    const graph = graphOf(matrix);
    const tree = chooseOrder(graph, ordering);
    const supernodes = findSupernodes(graph, tree);
    const layout = layOutFactor(graph, supernodes);
    this.size = matrix.size;
    this.nonZeros = factorNonZeros(tree);
    this.#order = supernodes.order;
    this.#diagonal = graph.diagonal;
    this.#entryCount = matrix.rows.length;
    this.#floors = new Float64Array(matrix.size);
    try {
      this.#multifrontal = new Multifrontal(numerics, this.scope, layout, supernodes, matrix.rows.length);
      this.#substitution = new Substitution(numerics, this.scope, layout, this.#order, this.#multifrontal.values);
      this.refactor(matrix.values);
    } catch (error) {
      this.scope.dispose();
      throw error;
    }
  }

  /**
   * Factors a matrix with the same pattern and other values.
   *
   * @param values  one for each entry of the matrix that the object was made with, in its order
   */
  refactor(values: Float64Array): void {
    if (values.length !== this.#entryCount) {
      throw new NumericError(`sparse Cholesky: ${values.length} values for a pattern of ${this.#entryCount} entries`);
    }
    this.#factored = false;
    const floor = PIVOT_FLOOR * Math.sqrt(this.size);
    for (let j = 0; j < this.size; j++) {
      const entry = this.#diagonal[this.#order[j]];
      this.#floors[j] = entry < 0 ? 0 : Math.max(0, floor * values[entry]);
    }
    const failed = this.#multifrontal.factor(values, this.#floors);
    if (failed >= 0) {
      const column = this.#order[failed];
      throw new NumericError(
        `sparse Cholesky: the matrix is not positive definite, found at column ${column}; ` +
          `fix a value in its connected part or add to the diagonal`,
      );
    }
    this.#substitution.factorChanged();
    this.#factored = true;
  }

  /**
   * Solves A x = b for k right-hand sides at once.
   *
   * @param rhs  n × k, row-major
   * @param k    1 to 4
   * @param out  n × k; overwritten; may be `rhs`
   */
  solve(rhs: Float64Array, k: number, out: Float64Array): Float64Array {
    this.#checkSides(rhs.length, k, out.length);
    this.#substitution.solve(rhs, k, out);
    return out;
  }

  /** The same in wasm memory, without a copy; what a block has beyond n × k numbers is left alone. */
  solveBlock(rhs: Block<Float64Array>, k: number, out: Block<Float64Array>): void {
    this.#checkBlocks(rhs, k, out);
    this.#substitution.solveAt(rhs.pointer, k, out.pointer);
  }

  /**
   * x := x + A⁻¹ b in wasm memory, without copies and with a factor of single precision: half of the bytes, half of the
   * time. What it adds is right to a few digits, so b should be what x still misses: repeated, the digits add up.
   *
   * @param rhs  n × k numbers, or more
   * @param x    n × k numbers, or more; changed
   */
  correct(rhs: Block<Float64Array>, k: number, x: Block<Float64Array>): void {
    this.#checkBlocks(rhs, k, x);
    this.#substitution.correctAt(rhs.pointer, k, x.pointer);
  }

  #checkBlocks(rhs: Block<Float64Array>, k: number, x: Block<Float64Array>): void {
    this.#checkSides(Math.min(rhs.length, k * this.size), k, Math.min(x.length, k * this.size));
  }

  #checkSides(given: number, k: number, found: number): void {
    if (!this.#factored) throw new NumericError('sparse Cholesky: there is no factor; refactor first');
    if (!Number.isInteger(k) || k < 1 || k > MOST_SIDES) {
      throw new NumericError(`sparse Cholesky: ${k} right-hand sides; a solve takes 1 to ${MOST_SIDES}`);
    }
    if (given !== this.size * k || found !== this.size * k) {
      throw new NumericError(
        `sparse Cholesky: lengths ${given} and ${found} of right-hand side and solution, ` +
          `expected ${this.size} × ${k}`,
      );
    }
  }

  /** Frees the factor; the object must not be used any more. */
  override dispose(): void {
    this.#factored = false;
    super.dispose();
  }
}
