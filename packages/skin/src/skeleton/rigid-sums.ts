/**
 * How rigidly the corners of a set of triangles move: min over rotations and translations of Σ_t Σ_i ‖R_t p_i + T_t − v_ti‖²,
 * from sums that are additive over sets. The minimum for a frame is Σ‖p̄‖² + Σ‖v̄‖² − 2λ with λ = σ₁ + σ₂ ± σ₃ of
 * H = Σ p̄ v̄ᵀ, the largest root of λ⁴ − 2‖H‖²λ² − 8 det(H) λ + ‖H‖⁴ − 4‖cof H‖²; Newton's method converges to it
 * monotonically from above. No rotation is formed.
 *
 * Reference: Theobald. Rapid calculation of RMSDs using a quaternion-based characteristic polynomial. 2005.
 */
import { frameAt, frameCount, type MeshSequence } from '@pelt/model';

/** Count, Σp (3), Σ‖p‖²; then for each frame Σv (3), Σ‖v‖², Σ p vᵀ (9). */
const REST = 5;
const FRAME = 13;
/** Maximum number of frames, evenly spaced: adjacent frames of a long clip are redundant. */
const MOST_FRAMES = 96;
const MOST_STEPS = 40;
const CONVERGED = 1e-13;

export class RigidSums {
  /** Length of the sums of one set. */
  readonly size: number;
  readonly #sequence: MeshSequence;
  readonly #frames: Float32Array[];
  readonly #means: number[][];

  constructor(sequence: MeshSequence) {
    const S = frameCount(sequence);
    const used = Math.min(S, MOST_FRAMES);
    this.#sequence = sequence;
    this.#frames = Array.from({ length: used }, (_, k) => frameAt(sequence, Math.floor((k * S) / used)));
    // Positions are relative to the mean of each pose, so that global motion costs no precision.
    this.#means = [sequence.rest.positions, ...this.#frames].map(meanOf);
    this.size = REST + FRAME * used;
  }

  /** Sums of the three corners of a triangle. */
  ofTriangle(triangle: number, out: Float64Array): Float64Array {
    const { triangles, positions } = this.#sequence.rest;
    out.fill(0);
    for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
      const i = 3 * triangles[corner];
      const [x, y, z] = [0, 1, 2].map((d) => positions[i + d] - this.#means[0][d]);
      out[0]++;
      out[1] += x;
      out[2] += y;
      out[3] += z;
      out[4] += x * x + y * y + z * z;
      this.#frames.forEach((frame, t) => {
        const at = REST + FRAME * t;
        for (let d = 0; d < 3; d++) {
          const v = frame[i + d] - this.#means[t + 1][d];
          out[at + d] += v;
          out[at + 3] += v * v;
          out[at + 4 + d] += x * v;
          out[at + 7 + d] += y * v;
          out[at + 10 + d] += z * v;
        }
      });
    }
    return out;
  }

  /** Minimum residual of the union of two sets. */
  residual(a: Float64Array, b: Float64Array): number {
    const count = a[0] + b[0];
    const [px, py, pz] = [a[1] + b[1], a[2] + b[2], a[3] + b[3]];
    const spread = a[4] + b[4] - (px * px + py * py + pz * pz) / count;
    let total = 0;
    for (let at = REST; at < this.size; at += FRAME) {
      const [vx, vy, vz] = [a[at] + b[at], a[at + 1] + b[at + 1], a[at + 2] + b[at + 2]];
      const posed = a[at + 3] + b[at + 3] - (vx * vx + vy * vy + vz * vz) / count;
      const sum = largestTrace(
        a[at + 4] + b[at + 4] - (px * vx) / count,
        a[at + 5] + b[at + 5] - (px * vy) / count,
        a[at + 6] + b[at + 6] - (px * vz) / count,
        a[at + 7] + b[at + 7] - (py * vx) / count,
        a[at + 8] + b[at + 8] - (py * vy) / count,
        a[at + 9] + b[at + 9] - (py * vz) / count,
        a[at + 10] + b[at + 10] - (pz * vx) / count,
        a[at + 11] + b[at + 11] - (pz * vy) / count,
        a[at + 12] + b[at + 12] - (pz * vz) / count,
        0.5 * (spread + posed),
      );
      total += Math.max(spread + posed - 2 * sum, 0);
    }
    return total;
  }
}

/** Maximum of tr(RH) over rotations R: the largest root, by Newton's method from the upper bound `above`. */
function largestTrace(
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
  i: number,
  above: number,
): number {
  const [c0, c1, c2] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const [c3, c4, c5] = [c * h - b * i, a * i - c * g, b * g - a * h];
  const [c6, c7, c8] = [b * f - c * e, c * d - a * f, a * e - b * d];
  const squared = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
  const cofactors = c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3 + c4 * c4 + c5 * c5 + c6 * c6 + c7 * c7 + c8 * c8;
  const linear = -8 * (a * c0 + b * c1 + c * c2);
  const constant = squared * squared - 4 * cofactors;
  let root = above;
  for (let step = 0; step < MOST_STEPS; step++) {
    const square = root * root;
    const value = (square - 2 * squared) * square + linear * root + constant;
    const slope = 4 * root * (square - squared) + linear;
    if (!(slope > 0) || !(value > 0)) break;
    const next = root - value / slope;
    if (root - next <= CONVERGED * root) return next;
    root = next;
  }
  return root;
}

function meanOf(positions: Float32Array): number[] {
  const sum = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) sum[k % 3] += positions[k];
  return sum.map((value) => value / Math.max(positions.length / 3, 1));
}
