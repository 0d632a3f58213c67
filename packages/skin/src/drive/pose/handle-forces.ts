/**
 * With what force each handle pulls, given where the skin would go without: over forces f maximise
 *
 *   rᵀf − ½ fᵀ(S + diag a) f   subject to ‖f_c‖ ≤ F_c for every handle,
 *
 * where r is how far each handle is from its target, S how the handles yield to each other's forces and a their own
 * softness. It is the dual of posing with a penalty on each handle that is quadratic at first and linear beyond the
 * force F: a handle within reach is met, one that is pulled too far bends the pose as much as F can and no more.
 * Handles that contradict each other come to rest between their targets.
 *
 * At the solution a handle at its limit is one that is softer than it was made, by just so much that its force is F.
 * Those softnesses are found by Newton's iteration on 1/‖f‖, which for one handle is linear in its softness. No
 * allocation.
 */
import { factorSmall, solveSmall } from './small-cholesky.ts';

const MOST_ROUNDS = 60;
/** How near a force at its limit has to be to it, relative. */
const SETTLED = 1e-10;

export class HandleForces {
  readonly #capacity: number;
  readonly #factor: Float64Array;
  readonly #inverse: Float64Array;
  /** capacity × 3 */
  readonly forces: Float64Array;
  /** What each handle's softness is in effect: a, or more where its force is at the limit. Kept as a start. */
  readonly effective: Float64Array;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#factor = new Float64Array(capacity * capacity);
    this.#inverse = new Float64Array(capacity * capacity);
    this.forces = new Float64Array(3 * capacity);
    this.effective = new Float64Array(capacity);
  }

  /**
   * @param k         handles
   * @param s         k × k within rows of `capacity`
   * @param softness  k, above 0
   * @param limits    k largest forces
   * @param gaps      k × 3
   */
  solve(k: number, s: Float64Array, softness: Float64Array, limits: Float64Array, gaps: Float64Array): void {
    const { forces, effective } = this;
    const inverse = this.#inverse;
    for (let c = 0; c < k; c++) effective[c] = Math.max(effective[c], softness[c]);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.factor(k, s);
      for (let c = 0; c < 3 * k; c++) forces[c] = gaps[c];
      solveSmall(this.#factor, k, this.#capacity, forces, 3);
      if (!this.#breaksLimit(k, softness, limits)) return;
      inverse.fill(0, 0, k * k);
      for (let c = 0; c < k; c++) inverse[c * k + c] = 1;
      solveSmall(this.#factor, k, this.#capacity, inverse, k);
      for (let c = 0; c < k; c++) {
        const excess = this.#force(c) / limits[c] - 1;
        effective[c] = Math.max(softness[c], effective[c] + excess / inverse[c * k + c]);
      }
    }
  }

  /** Factors S + diag(effective), for `solve` and for `yield`. */
  factor(k: number, s: Float64Array): void {
    const factor = this.#factor;
    for (let c = 0; c < k; c++) {
      const row = c * this.#capacity;
      for (let d = 0; d <= c; d++) factor[row + d] = s[row + d];
      factor[row + c] += this.effective[c];
    }
    factorSmall(factor, k, this.#capacity);
  }

  /**
   * (S + diag(effective))⁻¹ X in place, with the factor of the last solve.
   *
   * @param x  k × columns
   */
  applyInverse(k: number, x: Float64Array, columns: number): void {
    solveSmall(this.#factor, k, this.#capacity, x, columns);
  }

  /** Forgets the softness found so far, where the handles are others. */
  reset(): void {
    this.effective.fill(0);
  }

  #force(c: number): number {
    const f = this.forces;
    return Math.sqrt(f[3 * c] * f[3 * c] + f[3 * c + 1] * f[3 * c + 1] + f[3 * c + 2] * f[3 * c + 2]);
  }

  /** Whether a force is above its limit, or below it although its handle is softened. */
  #breaksLimit(k: number, softness: Float64Array, limits: Float64Array): boolean {
    for (let c = 0; c < k; c++) {
      const excess = this.#force(c) / limits[c] - 1;
      if (excess > SETTLED || (this.effective[c] > softness[c] && excess < -SETTLED)) return true;
    }
    return false;
  }
}
