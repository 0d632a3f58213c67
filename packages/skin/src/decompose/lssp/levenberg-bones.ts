/**
 * All rigid bones of one frame for fixed weights: minimise ½Σ_i ‖Σ_j w_ij (R_j p_i + T_j) − v_i‖² over rotations and
 * translations by Levenberg–Marquardt, with updates R ← exp[ω]× R and T ← T + τ.
 *
 * Residuals and their derivatives are never formed: with the moments P_jk = Σ_i w_ij w_ik p̂_i p̂_iᵀ (4 × 4) and
 * Q_j = Σ_i w_ij v_i p̂_iᵀ (3 × 4), the objective, its gradient and the 6m × 6m normal matrix cost O(m²). The derivative of
 * a residual is −w_j [a]×, a = R_j p, with respect to ω_j and w_j with respect to τ_j. The blocks of the normal matrix are
 * therefore Σ w_j w_k [a]×ᵀ[b]× = tr(X) I − Xᵀ with X = R_j P₃₃ R_kᵀ for ω and ω; [R_j s]× with s = Σ w_j w_k p for ω_j
 * and τ_k; and Σ w_j w_k I for τ and τ.
 *
 * Reference: Marquardt. An algorithm for least-squares estimation of nonlinear parameters. 1963.
 */
import { DenseCholesky, DISPOSE, type Numerics, rotationExp } from '@pelt/math';

/** Index of each entry of a symmetric 4 × 4 matrix among its ten coefficients. */
const TEN = [0, 1, 2, 3, 1, 4, 5, 6, 2, 5, 7, 8, 3, 6, 8, 9];
/** Damping relative to the diagonal of the normal matrix: initial value, minimum, and factor of change. */
const FIRST_DAMPING = 1e-4;
const LEAST_DAMPING = 1e-9;
const DAMPING_FACTOR = 8;
/** Tikhonov term relative to the mean diagonal: keeps bones with (almost) no weight well defined. */
const FLOOR = 1e-9;

export class LevenbergBones implements Disposable {
  readonly #m: number;
  readonly #moments: Float64Array;
  readonly #cholesky: DenseCholesky;
  readonly #normal: Float64Array;
  readonly #gradient: Float64Array;
  readonly #trial: Float64Array;
  readonly #residual: Float64Array;

  /** @param moments  m × m × 10 */
  constructor(numerics: Numerics, m: number, moments: Float64Array) {
    this.#m = m;
    this.#moments = moments;
    this.#cholesky = new DenseCholesky(numerics, 6 * m);
    this.#normal = new Float64Array(36 * m * m);
    this.#gradient = new Float64Array(6 * m);
    this.#trial = new Float64Array(12 * m);
    this.#residual = new Float64Array(12 * m);
  }

  dispose(): void {
    this.#cholesky.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /**
   * @param bones  m × 12, in and out
   * @param q      m × 12, moments Q of the frame
   */
  solve(bones: Float64Array, q: Float64Array, iterations: number): void {
    const size = 6 * this.#m;
    let damping = FIRST_DAMPING;
    let value = this.#objective(bones, q);
    for (let turn = 0; turn < iterations; turn++) {
      this.#fillGradient(bones);
      this.#fillNormal(bones);
      let trace = 0;
      for (let k = 0; k < size; k++) trace += this.#normal[k * (size + 1)];
      if (!(trace > 0)) return;
      const diagonal = Float64Array.from({ length: size }, (_, k) => this.#normal[k * (size + 1)]);
      let fell = false;
      while (!fell && damping < 1e6) {
        for (let k = 0; k < size; k++) {
          this.#normal[k * (size + 1)] = diagonal[k] * (1 + damping) + (FLOOR * trace) / size;
        }
        const step = this.#cholesky.factor(this.#normal).solve(this.#gradient);
        this.#move(bones, step);
        const next = this.#objective(this.#trial, q);
        fell = next < value;
        damping = fell ? Math.max(damping / DAMPING_FACTOR, LEAST_DAMPING) : damping * DAMPING_FACTOR;
        if (fell) {
          bones.set(this.#trial);
          value = next;
        }
      }
      if (!fell) return;
    }
  }

  /** The objective up to a constant; also computes Y_j = Σ_k M_k P_kj − Q_j. */
  #objective(bones: Float64Array, q: Float64Array): number {
    const m = this.#m;
    const [P, Y] = [this.#moments, this.#residual];
    let value = 0;
    for (let j = 0; j < m; j++) {
      for (let e = 0; e < 12; e++) Y[12 * j + e] = -q[12 * j + e];
      for (let k = 0; k < m; k++) {
        const pair = (k * m + j) * 10;
        if (P[pair + 9] === 0) continue;
        for (let row = 0; row < 12; row += 4) {
          for (let c = 0; c < 4; c++) {
            let sum = 0;
            for (let a = 0; a < 4; a++) sum += bones[12 * k + row + a] * P[pair + TEN[4 * a + c]];
            Y[12 * j + row + c] += sum;
          }
        }
      }
      for (let e = 0; e < 12; e++) value += 0.5 * bones[12 * j + e] * (Y[12 * j + e] - q[12 * j + e]);
    }
    return value;
  }

  /** Negative gradient: −Σ w a × r for ω_j, −Σ w r for τ_j, from Z = Σ w r aᵀ = Y₃₃ R_jᵀ. */
  #fillGradient(bones: Float64Array): void {
    const [Y, g] = [this.#residual, this.#gradient];
    for (let j = 0; j < this.#m; j++) {
      const at = 12 * j;
      const z = (r: number, c: number) =>
        Y[at + 4 * r] * bones[at + 4 * c] +
        Y[at + 4 * r + 1] * bones[at + 4 * c + 1] +
        Y[at + 4 * r + 2] * bones[at + 4 * c + 2];
      g[6 * j] = z(1, 2) - z(2, 1);
      g[6 * j + 1] = z(2, 0) - z(0, 2);
      g[6 * j + 2] = z(0, 1) - z(1, 0);
      for (let d = 0; d < 3; d++) g[6 * j + 3 + d] = -Y[at + 4 * d + 3];
    }
  }

  /** Lower triangle of JᵀJ. */
  #fillNormal(bones: Float64Array): void {
    const m = this.#m;
    const size = 6 * m;
    const [P, N] = [this.#moments, this.#normal];
    N.fill(0);
    const X = new Float64Array(9);
    for (let j = 0; j < m; j++) {
      for (let k = 0; k <= j; k++) {
        const pair = (j * m + k) * 10;
        const weight = P[pair + 9];
        if (weight === 0) continue;
        const at = 6 * j * size + 6 * k;
        turned(bones, 12 * j, P, pair, bones, 12 * k, X);
        const trace = X[0] + X[4] + X[8];
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) N[at + r * size + c] = (r === c ? trace : 0) - X[3 * c + r];
        }
        for (let r = 0; r < 3; r++) N[at + (3 + r) * size + 3 + r] = weight;
        // ω_j and τ_k, then τ_j and ω_k.
        crossInto(bones, 12 * j, P, pair, N, at + 3, size, 1);
        crossInto(bones, 12 * k, P, pair, N, at + 3 * size, size, -1);
      }
    }
  }

  #move(bones: Float64Array, step: Float64Array): void {
    const turn = new Float64Array(9);
    const out = this.#trial;
    for (let j = 0; j < this.#m; j++) {
      rotationExp(step, 6 * j, turn, 0);
      const at = 12 * j;
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          out[at + 4 * r + c] =
            turn[3 * r] * bones[at + c] + turn[3 * r + 1] * bones[at + 4 + c] + turn[3 * r + 2] * bones[at + 8 + c];
        }
        out[at + 4 * r + 3] = bones[at + 4 * r + 3] + step[6 * j + 3 + r];
      }
    }
  }
}

/** X = R_j P₃₃ R_kᵀ */
function turned(
  left: Float64Array,
  leftAt: number,
  P: Float64Array,
  pair: number,
  right: Float64Array,
  rightAt: number,
  out: Float64Array,
): void {
  for (let r = 0; r < 3; r++) {
    const [x, y, z] = [left[leftAt + 4 * r], left[leftAt + 4 * r + 1], left[leftAt + 4 * r + 2]];
    const a = x * P[pair] + y * P[pair + 1] + z * P[pair + 2];
    const b = x * P[pair + 1] + y * P[pair + 4] + z * P[pair + 5];
    const c = x * P[pair + 2] + y * P[pair + 5] + z * P[pair + 7];
    for (let k = 0; k < 3; k++) {
      const at = rightAt + 4 * k;
      out[3 * r + k] = a * right[at] + b * right[at + 1] + c * right[at + 2];
    }
  }
}

/** Writes ±[R s]× into a 3 × 3 block of N. */
function crossInto(
  bones: Float64Array,
  bone: number,
  P: Float64Array,
  pair: number,
  N: Float64Array,
  at: number,
  stride: number,
  sign: number,
): void {
  const s = (r: number) =>
    sign *
    (bones[bone + 4 * r] * P[pair + 3] + bones[bone + 4 * r + 1] * P[pair + 6] + bones[bone + 4 * r + 2] * P[pair + 8]);
  const [x, y, z] = [s(0), s(1), s(2)];
  N[at + 1] = -z;
  N[at + 2] = y;
  N[at + stride] = z;
  N[at + stride + 2] = -x;
  N[at + 2 * stride] = -y;
  N[at + 2 * stride + 1] = x;
}
