/**
 * The forces of the handles, given the unconstrained pose: over forces f maximise
 *
 *   rᵀf − ½ fᵀ(S + diag a) f   subject to ‖f_c‖ ≤ F_c for every handle,
 *
 * where r is the distance of each handle from its target, S the compliance of the handles and a their softness. It is
 * the dual of posing with a Huber penalty on each handle, quadratic up to the force F and linear beyond: a handle within
 * reach is met, one that is pulled too far bends the pose with the force F and no more. Contradictory handles end up
 * between their targets.
 *
 * At the solution a handle at its limit behaves like one whose softness is just so much larger that its force is F. This
 * effective softness is found by Newton's method on 1/‖f‖, which for one handle is linear in its softness, and where
 * that does not converge by a ← a(‖f‖/F)^γ (over-relaxed iteratively reweighted least squares). Nothing is allocated.
 */
import { factorSmall, solveSmall } from '@pelt/math';

/** Most rounds, and the most multiplications they may cost where there are many handles. */
const MOST_ROUNDS = 100;
const MOST_PRODUCTS = 4e6;
const LEAST_ROUNDS = 3;
/** Relative tolerance of a force at its limit. */
const SETTLED = 1e-9;
/** Exponent γ of the reweighting: it converges below 2, and fastest near 2. */
const RELAXATION = 1.9;
/** Rounds of reweighting after a Newton step that diverged. */
const CALM_ROUNDS = 6;

export class HandleForces {
  readonly #capacity: number;
  readonly #factor: Float64Array;
  readonly #inverse: Float64Array;
  readonly #newton: Float64Array;
  readonly #change: Float64Array;
  readonly #kept: Float64Array;
  /** ‖f‖ of each handle */
  readonly #sizes: Float64Array;
  /** capacity × 3 */
  readonly forces: Float64Array;
  /** Effective softness of each handle: a, or more where its force is at the limit. The next solve starts here. */
  readonly effective: Float64Array;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#factor = new Float64Array(capacity * capacity);
    this.#inverse = new Float64Array(capacity * capacity);
    this.#newton = new Float64Array(capacity * capacity);
    this.#change = new Float64Array(capacity);
    this.#kept = new Float64Array(capacity);
    this.#sizes = new Float64Array(capacity);
    this.forces = new Float64Array(3 * capacity);
    this.effective = new Float64Array(capacity);
  }

  /**
   * @param k         number of handles
   * @param s         k × k within rows of `capacity`
   * @param softness  k, above 0
   * @param limits    k force limits
   * @param gaps      k × 3 distances from the targets
   */
  solve(k: number, s: Float64Array, softness: Float64Array, limits: Float64Array, gaps: Float64Array): void {
    const { effective } = this;
    for (let c = 0; c < k; c++) effective[c] = Math.max(effective[c], softness[c]);
    const rounds = Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, MOST_PRODUCTS / (k * k * k)));
    let least = Number.POSITIVE_INFINITY;
    let calm = 0;
    for (let round = 0; round < rounds; round++) {
      this.#solveFree(k, s, gaps);
      const excess = this.#mostExcess(k, softness, limits);
      if (excess <= SETTLED) return;
      if (excess >= least && calm === 0) {
        // Newton's method diverged: return to the best iterate and reweight for some rounds.
        calm = CALM_ROUNDS;
        for (let c = 0; c < k; c++) effective[c] = Math.max(softness[c], this.#kept[c]);
        continue;
      }
      least = excess;
      for (let c = 0; c < k; c++) this.#kept[c] = effective[c] * (this.#sizes[c] / limits[c]) ** RELAXATION;
      if (calm === 0) this.#newtonStep(k, softness, limits);
      else {
        calm--;
        for (let c = 0; c < k; c++) effective[c] = Math.max(softness[c], this.#kept[c]);
      }
    }
    this.#solveFree(k, s, gaps);
  }

  /**
   * X ← (S + diag(effective))⁻¹ X, with the factor of the last solve.
   *
   * @param x  k × columns
   */
  applyInverse(k: number, x: Float64Array, columns: number): void {
    solveSmall(this.#factor, k, this.#capacity, x, columns);
  }

  /** Discards the effective softness, for other handles. */
  reset(): void {
    this.effective.fill(0);
  }

  /** Forces for the effective softness, regardless of their limits: (S + diag(effective)) f = r. */
  #solveFree(k: number, s: Float64Array, gaps: Float64Array): void {
    const factor = this.#factor;
    for (let c = 0; c < k; c++) {
      const row = c * this.#capacity;
      for (let d = 0; d <= c; d++) factor[row + d] = s[row + d];
      factor[row + c] += this.effective[c];
    }
    factorSmall(factor, k, this.#capacity);
    for (let c = 0; c < 3 * k; c++) this.forces[c] = gaps[c];
    const f = this.forces;
    solveSmall(factor, k, this.#capacity, f, 3);
    for (let c = 0; c < 3 * k; c += 3)
      this.#sizes[c / 3] = Math.sqrt(f[c] * f[c] + f[c + 1] * f[c + 1] + f[c + 2] * f[c + 2]);
  }

  /** The largest relative violation: a force above its limit, or below it although its handle is softened. */
  #mostExcess(k: number, softness: Float64Array, limits: Float64Array): number {
    let most = 0;
    for (let c = 0; c < k; c++) {
      const excess = this.#sizes[c] / limits[c] - 1;
      most = Math.max(most, this.effective[c] > softness[c] ? Math.abs(excess) : excess);
    }
    return most;
  }

  /** Σ_d B_cd (f_c·f_d) δ_d = ‖f_c‖² (‖f_c‖/F − 1) over the handles at their limits, B = (S + diag a)⁻¹. */
  #newtonStep(k: number, softness: Float64Array, limits: Float64Array): void {
    const inverse = this.#inverse;
    const newton = this.#newton;
    const change = this.#change;
    const f = this.forces;
    inverse.fill(0, 0, k * k);
    for (let c = 0; c < k; c++) inverse[c * k + c] = 1;
    solveSmall(this.#factor, k, this.#capacity, inverse, k);
    for (let c = 0; c < k; c++) {
      const force = this.#sizes[c];
      const limited = this.#isLimited(c, softness, limits);
      change[c] = limited ? force * force * (force / limits[c] - 1) : 0;
      for (let d = 0; d <= c; d++) {
        const dot = f[3 * c] * f[3 * d] + f[3 * c + 1] * f[3 * d + 1] + f[3 * c + 2] * f[3 * d + 2];
        const both = limited && this.#isLimited(d, softness, limits);
        newton[c * k + d] = both ? inverse[c * k + d] * dot : c === d ? 1 : 0;
      }
    }
    factorSmall(newton, k, k);
    solveSmall(newton, k, k, change, 1);
    for (let c = 0; c < k; c++) {
      if (change[c] !== 0) this.effective[c] = Math.max(softness[c], this.effective[c] + change[c]);
    }
  }

  #isLimited(c: number, softness: Float64Array, limits: Float64Array): boolean {
    return this.effective[c] > softness[c] || this.#sizes[c] > limits[c];
  }
}
