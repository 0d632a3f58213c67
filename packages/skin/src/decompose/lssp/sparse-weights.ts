/**
 * Sparse weights of a vertex for fixed bones: minimise ½‖Σ_j w_j x_j − v‖² + λ Σ_j w_j subject to w ≥ 0, where x_j is the
 * trajectory of the vertex under bone j. The ℓ₁ term replaces a limit on the number of bones; the weights need not sum
 * to 1.
 *
 * Active-set method on the Gram form, warm-started from the current weights: add the bone of steepest descent, solve on
 * the support, and step back to the boundary if a weight would become negative.
 *
 * References: Hasler, Thormählen, Rosenhahn, Seidel. Learning skeletons for shape and pose. 2010. Bro, de Jong. A fast
 * non-negativity-constrained least squares algorithm. 1997.
 */

/** Tikhonov term relative to the mean diagonal of the Gram matrix, which is singular if bones move alike. */
const RIDGE = 1e-10;
/** Descent below this fraction of the largest product counts as zero. */
const NO_DESCENT = 1e-9;

export class SparseWeights {
  readonly #m: number;
  readonly #factor: Float64Array;
  readonly #target: Float64Array;
  readonly #support: Int32Array;

  /** @param bones  m */
  constructor(bones: number) {
    this.#m = bones;
    this.#factor = new Float64Array(bones * bones);
    this.#target = new Float64Array(bones);
    this.#support = new Int32Array(bones);
  }

  /**
   * @param gram     m × m, x_j·x_k
   * @param product  m, x_j·v
   * @param lambda   λ
   * @param weights  m, from index `at`; initial guess in, solution out
   * @returns the part of ‖v‖² that the weights explain, ‖v‖² − ‖Σ w_j x_j − v‖²
   */
  solve(gram: Float64Array, product: Float64Array, lambda: number, weights: Float64Array, at: number): number {
    const m = this.#m;
    const support = this.#support;
    let size = 0;
    let trace = 0;
    let largest = 0;
    for (let j = 0; j < m; j++) {
      trace += gram[j * m + j];
      largest = Math.max(largest, Math.abs(product[j]));
      if (weights[at + j] > 0) support[size++] = j;
    }
    const ridge = (RIDGE * trace) / m;
    if (!(ridge > 0)) return 0;
    size = this.#settle(gram, product, lambda, weights, at, size, ridge);
    // Each addition lowers the objective, so no support recurs; the bound guards against rounding.
    for (let turn = 0; turn < 4 * m; turn++) {
      let enter = -1;
      let steepest = NO_DESCENT * largest;
      for (let j = 0; j < m; j++) {
        if (weights[at + j] > 0) continue;
        let descent = product[j] - lambda;
        for (let s = 0; s < size; s++) descent -= gram[j * m + support[s]] * weights[at + support[s]];
        if (descent > steepest) {
          steepest = descent;
          enter = j;
        }
      }
      if (enter < 0) break;
      support[size++] = enter;
      size = this.#settle(gram, product, lambda, weights, at, size, ridge);
    }
    // On the support Aw = b − λ, hence 2bᵀw − wᵀAw = Σ w (b + λ).
    let explained = 0;
    for (let s = 0; s < size; s++) explained += weights[at + support[s]] * (product[support[s]] + lambda);
    return explained;
  }

  /** Solves on the support, dropping bones whose weights would become negative; returns the remaining size. */
  #settle(
    gram: Float64Array,
    product: Float64Array,
    lambda: number,
    weights: Float64Array,
    at: number,
    start: number,
    ridge: number,
  ): number {
    const support = this.#support;
    const target = this.#target;
    let size = start;
    while (size > 0) {
      this.#solveSupport(gram, product, lambda, size, ridge);
      let step = 1;
      let blocking = -1;
      for (let s = 0; s < size; s++) {
        if (target[s] > 0) continue;
        const now = weights[at + support[s]];
        const share = now > target[s] ? now / (now - target[s]) : 0;
        if (blocking < 0 || share < step) [step, blocking] = [share, s];
      }
      for (let s = 0; s < size; s++) {
        const now = weights[at + support[s]];
        weights[at + support[s]] = Math.max(now + step * (target[s] - now), 0);
      }
      if (blocking < 0) return size;
      weights[at + support[blocking]] = 0;
      support.copyWithin(blocking, blocking + 1, size);
      size--;
    }
    return 0;
  }

  /** target ← (A_PP + ridge)⁻¹ (b − λ)_P by Cholesky. */
  #solveSupport(gram: Float64Array, product: Float64Array, lambda: number, size: number, ridge: number): void {
    const m = this.#m;
    const [l, y, support] = [this.#factor, this.#target, this.#support];
    for (let r = 0; r < size; r++) {
      const row = support[r] * m;
      for (let s = 0; s <= r; s++) {
        let sum = gram[row + support[s]] + (r === s ? ridge : 0);
        for (let k = 0; k < s; k++) sum -= l[r * m + k] * l[s * m + k];
        l[r * m + s] = r === s ? Math.sqrt(Math.max(sum, ridge)) : sum / l[s * m + s];
      }
      let value = product[support[r]] - lambda;
      for (let k = 0; k < r; k++) value -= l[r * m + k] * y[k];
      y[r] = value / l[r * m + r];
    }
    for (let r = size - 1; r >= 0; r--) {
      let value = y[r];
      for (let k = r + 1; k < size; k++) value -= l[k * m + r] * y[k];
      y[r] = value / l[r * m + r];
    }
  }
}
