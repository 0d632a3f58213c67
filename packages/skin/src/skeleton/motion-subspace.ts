/**
 * Rotations of single bones from the motion of a patch of skin, without weights.
 *
 * With linear blend skinning the trajectories of all vertices that some bones move, v_i = Σ_j w_ij M_j p̂_i, span the columns
 * of the bones' transforms M_j (3S × 4), however the weights blend them. The rotation R_j of each bone is therefore a
 * 3S × 3 matrix in that span, orthogonal in every frame and the identity in the rest pose, and blends of bones are not. With an
 * orthonormal basis U of the span:
 *
 *   minimise Σ_t ‖R_tᵀR_t − I‖² over A,  R = U A,  subject to R_rest = I,
 *
 * by Levenberg–Marquardt. From a rotation between those of several bones this converges to one of them in a few steps,
 * where alternating between weights and bones would creep along the valley of their mixtures.
 *
 * The motion of the patch as a whole is taken out first, so that the basis resolves what its bones do to each other. The
 * rank is what exceeds the rounding of the frames; of noisy trajectories, what exceeds the singular values of noise.
 *
 * References: Costeira, Kanade. A multibody factorization method for independently moving objects. 1998 (motions as subspaces
 * of trajectories). Gavish, Donoho. The optimal hard threshold for singular values is 4/√3. 2014, equation 5.
 */
import { DenseCholesky, type Numerics, properRotation, symmetricEigen } from '@pelt/math';

/** Trajectories of some vertices over the rest pose, as frame 0, and S frames. */
export interface PatchMotion {
  /** Number of vertices. */
  readonly size: number;
  /** 3(S + 1) × size, row-major */
  readonly positions: Float64Array;
}

export interface FoundRotation {
  /** (S + 1) × 9, rest to pose, row-major; the first is the identity */
  readonly rotations: Float64Array;
  /** Root mean square of RᵀR − I per frame. */
  readonly residual: number;
  /** Whether the steps converged: near a rotation that is one of many in the span they creep. */
  readonly settled: boolean;
}

/** Largest share of the vertices that the rank may be before the patch says nothing of its bones. */
const FULL = 0.75;
/** Weight of the rest pose, in frames, relative to all frames. */
const REST_WEIGHT = 1;
const MOST_STEPS = 12;
/** Alternating projections before the first step. */
const PROJECTIONS = 4;
/** Relative decrease of the cost below which the steps have converged. */
const SETTLED = 1e-3;
const [FIRST_DAMPING, LESS, MORE, MOST_RETRIES] = [1e-3, 1 / 8, 6, 6];

export class MotionSubspace {
  /** Rank of the trajectories; 0 if it is too large to say anything. */
  readonly rank: number;
  readonly #numerics: Numerics;
  readonly #frames: number;
  /** 3(S + 1) × rank, orthonormal columns */
  readonly #basis: Float64Array;
  /** (S + 1) × 9, rotation of the patch as a whole */
  readonly #whole: Float64Array;

  /** @param rounding  standard deviation of the rounding of a coordinate */
  constructor(numerics: Numerics, patch: PatchMotion, rounding: number) {
    this.#numerics = numerics;
    this.#frames = patch.positions.length / (3 * patch.size);
    const whole = rigidMotion(
      patch,
      Array.from({ length: patch.size }, (_, a) => a),
    );
    this.#whole = whole.rotations;
    const own = withoutMotion(patch, whole);
    const { basis, rank } = basisOf(own, patch.size, rounding, numerics);
    this.#basis = basis;
    this.rank = rank;
  }

  /**
   * The rotation of the bone nearest to where the search starts.
   *
   * @param start  (S + 1) × 9
   */
  nearest(start: Float64Array): FoundRotation {
    const R = turned(this.#whole, start, true);
    const solver = new RotationSteps(this.#numerics, this.#basis, this.rank, this.#frames);
    const { residual, settled } = solver.solve(R);
    solver.dispose();
    return { rotations: turned(this.#whole, R, false), residual, settled };
  }
}

/** Rotation and translation of some vertices of a patch as a rigid body, in every frame. */
export function rigidMotion(
  { positions, size }: PatchMotion,
  vertices: readonly number[],
): { rotations: Float64Array; translations: Float64Array } {
  const frames = positions.length / (3 * size);
  const rotations = new Float64Array(9 * frames);
  const translations = new Float64Array(3 * frames);
  const centre = (t: number, d: number) => {
    let sum = 0;
    for (const a of vertices) sum += positions[(3 * t + d) * size + a];
    return sum / vertices.length;
  };
  const from = [0, 1, 2].map((d) => centre(0, d));
  const H = new Float64Array(9);
  for (let t = 0; t < frames; t++) {
    const to = [0, 1, 2].map((d) => centre(t, d));
    H.fill(0);
    for (const a of vertices) {
      for (let e = 0; e < 3; e++) {
        const p = positions[e * size + a] - from[e];
        for (let d = 0; d < 3; d++) H[3 * e + d] += p * (positions[(3 * t + d) * size + a] - to[d]);
      }
    }
    properRotation(H, 0, rotations, 9 * t);
    for (let d = 0; d < 3; d++) {
      translations[3 * t + d] = to[d];
      for (let e = 0; e < 3; e++) translations[3 * t + d] -= rotations[9 * t + 3 * d + e] * from[e];
    }
  }
  return { rotations, translations };
}

/** Positions as seen from the moving patch, about its centre. */
function withoutMotion(
  { positions, size }: PatchMotion,
  { rotations, translations }: { rotations: Float64Array; translations: Float64Array },
): Float64Array {
  const out = new Float64Array(positions.length);
  const centre = [0, 0, 0];
  for (let d = 0; d < 3; d++) for (let a = 0; a < size; a++) centre[d] += positions[d * size + a] / size;
  for (let t = 0; 3 * t * size < positions.length; t++) {
    for (let a = 0; a < size; a++) {
      for (let e = 0; e < 3; e++) {
        let value = -centre[e];
        for (let d = 0; d < 3; d++) {
          value += rotations[9 * t + 3 * d + e] * (positions[(3 * t + d) * size + a] - translations[3 * t + d]);
        }
        out[(3 * t + e) * size + a] = value;
      }
    }
  }
  return out;
}

function basisOf(Y: Float64Array, size: number, rounding: number, numerics: Numerics) {
  const rows = Y.length / size;
  const gram = new Float64Array(size * size);
  for (let row = 0; row < rows; row++) {
    for (let a = 0; a < size; a++) {
      const value = Y[row * size + a];
      for (let b = 0; b <= a; b++) gram[a * size + b] += value * Y[row * size + b];
    }
  }
  const { values, vectors } = symmetricEigen(gram, size, numerics);
  const singular = values.map((value) => Math.sqrt(Math.max(value, 0)));
  const rank = rankOf(singular, rows, rounding);
  const basis = new Float64Array(rows * rank);
  for (let k = 0; k < rank; k++) {
    const column = size - 1 - k;
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let a = 0; a < size; a++) sum += Y[row * size + a] * vectors[a * size + column];
      basis[row * rank + k] = sum / singular[column];
    }
  }
  return { basis, rank };
}

/** @param singular  ascending */
function rankOf(singular: Float64Array, rows: number, rounding: number): number {
  const size = singular.length;
  const above = (limit: number) => singular.reduce((count, value) => count + Number(value > limit), 0);
  // The largest singular value of rounding alone, twice; and what the Gram matrix resolves.
  const exact = above(Math.max(2 * rounding * (Math.sqrt(rows) + Math.sqrt(size)), 2e-8 * singular[size - 1]));
  if (exact <= FULL * size) return exact;
  const beta = Math.min(size / rows, rows / size);
  const factor = 0.56 * beta ** 3 - 0.95 * beta ** 2 + 1.82 * beta + 1.43;
  const noisy = above(factor * singular[size >> 1]);
  return noisy <= FULL * size ? noisy : 0;
}

/** Rotations before or after those of a patch: RᵀX or R X per frame. */
function turned(R: Float64Array, X: Float64Array, inverse: boolean): Float64Array {
  const out = new Float64Array(X.length);
  for (let t = 0; t < X.length; t += 9) {
    for (let d = 0; d < 3; d++) {
      for (let e = 0; e < 3; e++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += R[t + (inverse ? 3 * k + d : 3 * d + k)] * X[t + 3 * k + e];
        out[t + 3 * d + e] = sum;
      }
    }
  }
  return out;
}

/** Levenberg–Marquardt over the coefficients A (rank × 3, column by column). */
class RotationSteps {
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
  solve(R: Float64Array): { residual: number; settled: boolean } {
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
    return { residual: Math.sqrt(cost / this.#frames), settled };
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
