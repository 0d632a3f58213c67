/**
 * Positive and L1 projection: minimise ½‖x − Σᵢ wᵢ xᵢ‖² + κ Σᵢ max(0, −wᵢ) subject to Σw = 1.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017. Equation 4.5 (w ≥ 0) is
 * κ = ∞. Equation 4.6, ‖x − Xw‖² + λ‖w‖₁, is κ = λ: with Σw = 1 the L1 norm is one plus twice the negative mass, so
 * that λ penalises negative weights only. The paper splits w into w⁺ − w⁻ and solves a quadratic programme of twice the
 * size; here an active set method operates on the signs (as in: Lee, Battle, Raina, Ng. Efficient sparse coding
 * algorithms. 2006, algorithm 1, with the sum as an equality constraint). The objective falls in every step; started
 * from the weights of the last pose, one or two steps suffice.
 */
import { solveSmallVector } from '@pelt/math';
import { type ExampleSpace, factorGram, type Projection } from './example-space.ts';

/** Tolerance of the optimality conditions, relative to their terms. */
const OPTIMALITY = 1e-9;

export class PenalisedProjection implements Projection {
  readonly #space: ExampleSpace;
  readonly #penalty: number;
  readonly #factor: Float64Array;
  /** 1, −1, or 0 for an inactive weight. */
  readonly #signs: Int8Array;
  readonly #weights: Float64Array;
  readonly #correlation: Float64Array;
  /** The active weights: `#free[0 … #freeCount)`. */
  readonly #free: Int32Array;
  #freeCount = 0;
  readonly #target: Float64Array;
  readonly #ones: Float64Array;
  /** In an array, since a changing number in a field may be boxed. */
  readonly #multiplier = new Float64Array(1);

  /** @param penalty  κ, from 0 on; `Infinity` for non-negative weights */
  constructor(space: ExampleSpace, penalty: number) {
    const N = space.count;
    this.#space = space;
    this.#penalty = penalty;
    this.#factor = new Float64Array(N * N);
    this.#signs = new Int8Array(N);
    this.#weights = new Float64Array(N);
    this.#correlation = new Float64Array(N);
    this.#free = new Int32Array(N);
    this.#target = new Float64Array(N);
    this.#ones = new Float64Array(N);
    this.reset();
  }

  reset(): void {
    this.#signs.fill(0);
    this.#weights.fill(0);
    this.#signs[0] = 1;
    this.#weights[0] = 1;
  }

  project(features: Float64Array, weights: Float64Array): void {
    const { count: N } = this.#space;
    this.#space.correlate(features, this.#correlation);

    let entered = -1;
    // Each sign pattern occurs at most once; the bound guards against rounding.
    for (let step = 0; step < 20 * N; step++) {
      this.#solveFree();
      const blocked = this.#moveToTarget();
      if (blocked >= 0) {
        this.#signs[blocked] = 0;
        this.#weights[blocked] = 0;
        // It was activated by rounding alone: the others are optimal.
        if (blocked === entered) break;
        continue;
      }
      entered = this.#enter();
      if (entered < 0) break;
    }
    for (let i = 0; i < N; i++) weights[i] = this.#weights[i];
  }

  /** The minimum over the active weights for given signs: G z + μ 1 = c + κ [sign < 0], Σz = 1. */
  #solveFree(): void {
    const { count: N, gram } = this.#space;
    const free = this.#free;
    let size = 0;
    for (let i = 0; i < N; i++) {
      if (this.#signs[i] === 0) continue;
      this.#target[size] = this.#correlation[i] + (this.#signs[i] < 0 ? this.#penalty : 0);
      this.#ones[size] = 1;
      free[size++] = i;
    }
    this.#freeCount = size;
    const factor = this.#factor;
    for (let r = 0; r < size; r++) for (let c = 0; c <= r; c++) factor[r * N + c] = gram[free[r] * N + free[c]];
    factorGram(factor, size, N);
    solveSmallVector(factor, size, N, this.#target);
    solveSmallVector(factor, size, N, this.#ones);
    let sum = 0;
    let total = 0;
    for (let k = 0; k < size; k++) {
      sum += this.#target[k];
      total += this.#ones[k];
    }
    const multiplier = (sum - 1) / total;
    for (let k = 0; k < size; k++) this.#target[k] -= multiplier * this.#ones[k];
    this.#multiplier[0] = multiplier;
  }

  /** Moves towards the minimum until a weight would change its sign; returns that weight, −1 for none. */
  #moveToTarget(): number {
    const w = this.#weights;
    const size = this.#freeCount;
    let length = 1;
    let blocked = -1;
    for (let k = 0; k < size; k++) {
      const i = this.#free[k];
      if (this.#signs[i] * this.#target[k] >= 0) continue;
      const reach = w[i] / (w[i] - this.#target[k]);
      if (reach < length) {
        length = reach;
        blocked = i;
      }
    }
    for (let k = 0; k < size; k++) {
      const i = this.#free[k];
      w[i] = blocked < 0 ? this.#target[k] : w[i] + length * (this.#target[k] - w[i]);
    }
    return blocked;
  }

  /** Activates the weight of the largest violation; returns −1 at the optimum. */
  #enter(): number {
    const { count: N, gram, scale } = this.#space;
    let largest = scale;
    for (let i = 0; i < N; i++) largest = Math.max(largest, Math.abs(this.#correlation[i]));
    let best = -1;
    let worst = OPTIMALITY * largest;
    let sign = 1;
    for (let i = 0; i < N; i++) {
      if (this.#signs[i] !== 0) continue;
      let slope = this.#multiplier[0] - this.#correlation[i];
      for (let k = 0; k < this.#freeCount; k++) slope += gram[i * N + this.#free[k]] * this.#target[k];
      // The derivative of the cost is `slope` for positive weights, and the penalty minus `slope` for negative ones.
      const upwards = -slope;
      const downwards = slope - this.#penalty;
      if (upwards > worst || downwards > worst) {
        worst = Math.max(upwards, downwards);
        sign = upwards > downwards ? 1 : -1;
        best = i;
      }
    }
    if (best >= 0) this.#signs[best] = sign;
    return best;
  }
}
