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
import { type Numerics, properRotation, symmetricEigen } from '@pelt/math';
import { RotationSteps } from './rotation-steps.ts';

/** Trajectories of some vertices over the rest pose, as frame 0, and S frames. */
export interface PatchMotion {
  /** Number of vertices. */
  readonly size: number;
  /** 3(S + 1) × size, row-major */
  readonly positions: Float64Array;
}

export interface RigidMotion {
  /** (S + 1) × 9, rest to pose, row-major */
  readonly rotations: Float64Array;
  /** (S + 1) × 3 */
  readonly translations: Float64Array;
}

export interface FoundRotation {
  /** (S + 1) × 9, rest to pose, row-major; the first is the identity */
  readonly rotations: Float64Array;
  /** Root mean square of RᵀR − I per frame. */
  readonly residual: number;
  /** Whether the steps converged: near a rotation that is one of many in the span they creep. */
  readonly settled: boolean;
  /** Whether no other rotation near this one is in the span. */
  readonly isolated: boolean;
  /** size × 3, the rotation as a combination of the trajectories of the patch, in its own frame. */
  readonly combination: Float64Array;
}

/** Largest share of the vertices that the rank may be before the patch says nothing of its bones. */
const FULL = 0.75;
export class MotionSubspace {
  /** Rank of the trajectories; 0 if it is too large to say anything. */
  readonly rank: number;
  readonly #numerics: Numerics;
  readonly #frames: number;
  /** 3(S + 1) × rank, orthonormal columns */
  readonly #basis: Float64Array;
  /** size × rank: the basis as combinations of the trajectories */
  readonly #mixture: Float64Array;
  /** 3(S + 1) × size, as seen from the moving patch */
  readonly #own: Float64Array;
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
    const { basis, mixture, rank } = basisOf(own, patch.size, rounding, numerics);
    this.#own = own;
    this.#basis = basis;
    this.#mixture = mixture;
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
    const { residual, settled, isolated, coefficients } = solver.solve(R);
    solver.dispose();
    const combination = this.#combination(coefficients);
    return { rotations: turned(this.#whole, R, false), residual, settled, isolated, combination };
  }

  /**
   * Where to start from in the mirror image of a patch: what combines the trajectories of the patch to a bone's rotation
   * combines those of the mirrored vertices to that of the mirrored bone, as far as their weights are mirror images.
   *
   * @param combination  size × 3, of the other patch, whose vertices are in the order of their images here
   * @param normal       of the mirror plane
   * @returns (S + 1) × 9, nearly rotations
   */
  mirrored(combination: Float64Array, normal: readonly number[]): Float64Array {
    const size = combination.length / 3;
    const Z = new Float64Array(9 * this.#frames);
    for (let row = 0; row < 3 * this.#frames; row++) {
      const sums = [0, 0, 0];
      for (let a = 0; a < size; a++) {
        const value = this.#own[row * size + a];
        for (let e = 0; e < 3; e++) sums[e] += value * combination[3 * a + e];
      }
      // Z = (Σ_a v_a c_aᵀ)(I − 2nnᵀ)
      const along = 2 * (sums[0] * normal[0] + sums[1] * normal[1] + sums[2] * normal[2]);
      for (let e = 0; e < 3; e++) Z[3 * row + e] = sums[e] - along * normal[e];
    }
    return turned(this.#whole, Z, false);
  }

  #combination(coefficients: Float64Array): Float64Array {
    const r = this.rank;
    const size = r > 0 ? this.#mixture.length / r : 0;
    const out = new Float64Array(3 * size);
    for (let a = 0; a < size; a++) {
      for (let e = 0; e < 3; e++) {
        for (let k = 0; k < r; k++) out[3 * a + e] += this.#mixture[a * r + k] * coefficients[e * r + k];
      }
    }
    return out;
  }
}

/** Rotation and translation of some vertices of a patch as a rigid body, in every frame. */
export function rigidMotion({ positions, size }: PatchMotion, vertices: readonly number[]): RigidMotion {
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
function withoutMotion({ positions, size }: PatchMotion, { rotations, translations }: RigidMotion): Float64Array {
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
  const mixture = new Float64Array(size * rank);
  for (let k = 0; k < rank; k++) {
    const column = size - 1 - k;
    for (let a = 0; a < size; a++) mixture[a * rank + k] = vectors[a * size + column] / singular[column];
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let a = 0; a < size; a++) sum += Y[row * size + a] * vectors[a * size + column];
      basis[row * rank + k] = sum / singular[column];
    }
  }
  return { basis, mixture, rank };
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
