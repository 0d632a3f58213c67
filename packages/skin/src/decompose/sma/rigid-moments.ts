/**
 * How rigidly a set of vertices moves: min over rotations and translations of Σ_t Σ_i ‖R_t p_i + T_t − v_ti‖², from sums
 * that are additive over disjoint sets, so that evaluating a union costs O(S) regardless of its size.
 *
 * Reference: Schaefer, Yuksel. Example-based skeleton extraction. 2007, section 3.
 */
import { properRotation } from '@pelt/math';
import { frameAt, frameCount, type MeshSequence } from '@pelt/model';

/** Σp (3), Σ‖p‖²; then for each frame Σv (3), Σ‖v‖², Σ p vᵀ (9). */
const REST = 4;
const FRAME = 13;

export class RigidMoments {
  /** Number of vertices in the set. */
  readonly count: number;
  readonly #sums: Float64Array;

  private constructor(count: number, sums: Float64Array) {
    this.count = count;
    this.#sums = sums;
  }

  /** Positions are relative to vertex 0 in each pose, so that global motion costs no precision. */
  static of(sequence: MeshSequence, vertices: ArrayLike<number>): RigidMoments {
    const sums = new Float64Array(REST + FRAME * frameCount(sequence));
    const { positions } = sequence.rest;
    const p = new Float64Array(3);
    for (let t = 0, at = REST; t < frameCount(sequence); t++, at += FRAME) {
      const frame = frameAt(sequence, t);
      for (let k = 0; k < vertices.length; k++) {
        const i = 3 * vertices[k];
        for (let c = 0; c < 3; c++) p[c] = positions[i + c] - positions[c];
        if (t === 0) {
          for (let c = 0; c < 3; c++) sums[c] += p[c];
          sums[3] += p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        }
        for (let c = 0; c < 3; c++) {
          const v = frame[i + c] - frame[c];
          sums[at + c] += v;
          sums[at + 3] += v * v;
          sums[at + 4 + c] += p[0] * v;
          sums[at + 7 + c] += p[1] * v;
          sums[at + 10 + c] += p[2] * v;
        }
      }
    }
    return new RigidMoments(vertices.length, sums);
  }

  /** The union of two disjoint sets. */
  union(other: RigidMoments): RigidMoments {
    return new RigidMoments(
      this.count + other.count,
      this.#sums.map((sum, k) => sum + other.#sums[k]),
    );
  }

  /** Σ_i ‖p_i − p̄‖² at rest. */
  get spread(): number {
    const s = this.#sums;
    return Math.max(s[3] - (s[0] ** 2 + s[1] ** 2 + s[2] ** 2) / this.count, 0);
  }

  /** Minimum of Σ_t Σ_i ‖R_t p_i + T_t − v_ti‖². */
  residual(): number {
    const s = this.#sums;
    const H = new Float64Array(9);
    const R = new Float64Array(9);
    let total = 0;
    for (let at = REST; at < s.length; at += FRAME) {
      this.#rotation(at, H, R);
      let along = 0;
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) along += R[3 * r + c] * H[3 * c + r];
      const posed = s[at + 3] - (s[at] ** 2 + s[at + 1] ** 2 + s[at + 2] ** 2) / this.count;
      total += Math.max(this.spread + posed - 2 * along, 0);
    }
    return total;
  }

  /** The covariance H = Σ p̄ v̄ᵀ of a frame and its optimal rotation. */
  #rotation(at: number, H: Float64Array, R: Float64Array): void {
    const s = this.#sums;
    for (let k = 0; k < 9; k++) H[k] = s[at + 4 + k] - (s[Math.floor(k / 3)] * s[at + (k % 3)]) / this.count;
    properRotation(H, 0, R, 0);
  }
}
