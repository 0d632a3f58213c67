/**
 * Rotations in the span of some trajectories: minimise Σ_t ‖R_tᵀR_t − I‖² over A, R = U A, subject to R_rest = I, by
 * Levenberg–Marquardt after a few alternating projections. See motion-subspace.ts.
 */
import { DenseCholesky, type Numerics, properRotation } from '@pelt/math';

/** Weight of the rest pose, in frames, relative to all frames. */
const REST_WEIGHT = 1;
const MOST_STEPS = 12;
/** Alternating projections before the first step. */
const PROJECTIONS = 4;
/** Relative decrease of the cost below which the steps have converged. */
const SETTLED = 1e-3;
const [FIRST_DAMPING, LESS, MORE, MOST_RETRIES] = [1e-3, 1 / 8, 6, 6];

/** Least eigenvalue of the normal equations, relative to their mean, of a minimum that is one by itself. */
const ISOLATED = 1e-6;
/** Inverse iterations for it. */
const ITERATIONS = 4;

export interface SolvedRotation {
  /** Root mean square of RᵀR − I per frame. */
  readonly residual: number;
  /** Whether the steps converged. */
  readonly settled: boolean;
  /** Whether no other rotation near this one is in the span. */
  readonly isolated: boolean;
  /** rank × 3, column by column */
  readonly coefficients: Float64Array;
}

/** Levenberg–Marquardt over the coefficients A (rank × 3, column by column). */
export class RotationSteps {
  readonly #U: Float64Array;
  readonly #r: number;
  readonly #frames: number;
  readonly #rest: number;
  readonly #cholesky: DenseCholesky;

  constructor(numerics: Numerics, basis: Float64Array, rank: number, frames: number) {
    this.#U = basis;
    this.#r = rank;
    this.#frames = frames;
    this.#rest = REST_WEIGHT * frames;
    this.#cholesky = new DenseCholesky(numerics, 3 * rank);
  }

  dispose(): void {
    this.#cholesky.dispose();
  }

  /** @param R  (S + 1) × 9, start and result */
  solve(R: Float64Array): SolvedRotation {
    const D = 3 * this.#r;
    let A = this.#projected(R);
    let Z = this.#times(A);
    for (let k = 0; k < PROJECTIONS; k++) {
      this.#nearestRotations(Z, R);
      A = this.#projected(R);
      Z = this.#times(A);
    }
    let cost = this.#cost(Z);
    let damping = FIRST_DAMPING;
    let settled = false;
    for (let step = 0; step < MOST_STEPS; step++) {
      const { H, g } = this.#normal(Z);
      let gain = 0;
      for (let retry = 0; retry < MOST_RETRIES && gain === 0; retry++) {
        const damped = H.slice();
        let trace = 0;
        for (let k = 0; k < D; k++) trace += H[k * D + k] / D;
        for (let k = 0; k < D; k++) damped[k * D + k] += (damping + 1e-12) * trace;
        const change = this.#cholesky.factor(damped).solve(g);
        const next = A.map((value, k) => value - change[k]);
        const moved = this.#times(next);
        const lower = this.#cost(moved);
        if (lower < cost) {
          gain = 1 - lower / cost;
          [A, Z, cost] = [next, moved, lower];
          damping *= LESS;
        } else damping *= MORE;
      }
      settled = !(gain > SETTLED);
      if (settled) break;
    }
    this.#nearestRotations(Z, R);
    return { residual: Math.sqrt(cost / this.#frames), settled, isolated: this.#isIsolated(Z), coefficients: A };
  }

  /**
   * Whether the least curvature of the cost is clearly positive. Where bones take only a few poses against each other, as the
   * folded wing of a bird, a whole family of rotations lies in the span, and a minimum is an arbitrary one of them.
   */
  #isIsolated(Z: Float64Array): boolean {
    const D = 3 * this.#r;
    const { H } = this.#normal(Z);
    let mean = 0;
    for (let k = 0; k < D; k++) mean += H[k * D + k] / D;
    for (let k = 0; k < D; k++) H[k * D + k] += 1e-10 * mean;
    const factor = this.#cholesky.factor(H);
    let x = Float64Array.from({ length: D }, (_, k) => 1 + ((k * 7) % 5));
    let inverse = 0;
    for (let k = 0; k < ITERATIONS; k++) {
      const next = Float64Array.from(factor.solve(x));
      const length = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
      inverse = length / Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
      x = next.map((value) => value / length);
    }
    return 1 / inverse > ISOLATED * mean;
  }

  #projected(R: Float64Array): Float64Array {
    const r = this.#r;
    const A = new Float64Array(3 * r);
    for (let row = 0; row < 3 * this.#frames; row++) {
      for (let e = 0; e < 3; e++) {
        const value = R[3 * row + e];
        for (let k = 0; k < r; k++) A[e * r + k] += this.#U[row * r + k] * value;
      }
    }
    return A;
  }

  #times(A: Float64Array): Float64Array {
    const r = this.#r;
    const U = this.#U;
    const Z = new Float64Array(9 * this.#frames);
    for (let row = 0; row < 3 * this.#frames; row++) {
      let [x, y, z] = [0, 0, 0];
      for (let k = 0; k < r; k++) {
        const u = U[row * r + k];
        x += u * A[k];
        y += u * A[r + k];
        z += u * A[2 * r + k];
      }
      Z[3 * row] = x;
      Z[3 * row + 1] = y;
      Z[3 * row + 2] = z;
    }
    return Z;
  }

  #nearestRotations(Z: Float64Array, R: Float64Array): void {
    const H = new Float64Array(9);
    for (let t = 0; t < 9 * this.#frames; t += 9) {
      for (let k = 0; k < 9; k++) H[k] = Z[t + 3 * (k % 3) + Math.floor(k / 3)];
      properRotation(H, 0, R, t);
    }
    R.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  }

  #cost(Z: Float64Array): number {
    let sum = 0;
    for (let t = 0; t < 9 * this.#frames; t += 9) {
      for (let a = 0; a < 3; a++) for (let b = a; b < 3; b++) sum += strain(Z, t, a, b) ** 2;
    }
    for (let k = 0; k < 9; k++) sum += this.#rest * (Z[k] - Number(k % 4 === 0)) ** 2;
    return sum;
  }

  /** Normal equations: the derivative of the strain (a, b) by A_ka is (UᵀZ_b)_k, by A_kb (UᵀZ_a)_k. */
  #normal(Z: Float64Array): { H: Float64Array; g: Float64Array } {
    const r = this.#r;
    const D = 3 * r;
    const U = this.#U;
    const H = new Float64Array(D * D);
    const g = new Float64Array(D);
    const B = new Float64Array(D);
    // Σ_t B_a B_bᵀ for a ≤ b
    const Q = Array.from({ length: 9 }, (_, k) => (k % 3 >= Math.floor(k / 3) ? new Float64Array(r * r) : undefined));
    for (let t = 0; t < this.#frames; t++) {
      for (let a = 0; a < 3; a++) {
        for (let k = 0; k < r; k++) {
          const at = 3 * t * r + k;
          B[a * r + k] = U[at] * Z[9 * t + a] + U[at + r] * Z[9 * t + 3 + a] + U[at + 2 * r] * Z[9 * t + 6 + a];
        }
      }
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          const s = (a === b ? 2 : 1) * strain(Z, 9 * t, a, b);
          for (let k = 0; k < r; k++) g[a * r + k] += s * B[b * r + k];
          const q = Q[3 * a + b];
          if (!q) continue;
          for (let k = 0; k < r; k++) {
            const value = B[a * r + k];
            for (let l = 0; l < r; l++) q[k * r + l] += value * B[b * r + l];
          }
        }
      }
    }
    const [xx, xy, xz, , yy, yz, , , zz] = Q as Float64Array[];
    const squares = [xx, yy, zz];
    const products = [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ];
    for (let k = 0; k < r; k++) {
      for (let l = 0; l < r; l++) {
        let rest = 0;
        for (let d = 0; d < 3; d++) rest += U[d * r + k] * U[d * r + l];
        const all = xx[k * r + l] + yy[k * r + l] + zz[k * r + l] + this.#rest * rest;
        for (let a = 0; a < 3; a++) {
          H[(a * r + k) * D + a * r + l] = all + 3 * squares[a][k * r + l];
          // Only the lower triangle is read: b < a, Σ_t B_b B_aᵀ.
          for (let b = 0; b < a; b++) H[(a * r + k) * D + b * r + l] = products[b][a][k * r + l];
        }
      }
    }
    for (let a = 0; a < 3; a++) {
      for (let d = 0; d < 3; d++) {
        const off = this.#rest * (Z[3 * d + a] - Number(a === d));
        for (let k = 0; k < r; k++) g[a * r + k] += off * U[d * r + k];
      }
    }
    return { H, g };
  }
}

/** Entry (a, b) of ZᵀZ − I of the frame at t. */
function strain(Z: Float64Array, t: number, a: number, b: number): number {
  return Z[t + a] * Z[t + b] + Z[t + 3 + a] * Z[t + 3 + b] + Z[t + 6 + a] * Z[t + 6 + b] - Number(a === b);
}
