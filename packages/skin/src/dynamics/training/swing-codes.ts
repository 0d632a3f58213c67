/**
 * What the swing of the proxies was: per frame, minimise over affine motions Δ_d
 *
 *   Σ_i ‖F_i⁻¹ (Σ_d ω_id T_d Δ_d p̂_i − y_i)‖² + ε Σ_d ‖Δ_d − I‖²,
 *
 * [F_i | t_i] = Σ_d ω_id T_d the blended transform of a vertex in the pose-only skin and y the example. Where the bones of
 * a vertex turn alike, T_d = F_i, this is one linear system for all frames, factored once; where they do not, that factor
 * preconditions a few steps of conjugate gradients. The code of a proxy is its motion about its centre: rotation vector,
 * translation, and the symmetric stretch less the identity.
 *
 * With Hessian H = L Lᵀ of codes at rest, ‖Lᵀx‖ is the distance that a code moves the vertices by.
 *
 * Tried and left out: docs/experiments/dynamics.md.
 */
import { polarDecomposition, rotationLog } from '@pelt/math';
import {
  boundsOf,
  checkCancelled,
  diagonalOf,
  type ReducedEnvelope,
  type Run,
  SWING_CODE,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { EnvelopePalette } from '../../envelope/runtime/envelope-palette.ts';
import { FrameSystem } from './frame-system.ts';
import { lowerFactor, solveLower } from './lower-factor.ts';

/** Of the metric of codes, relative to its diagonal. */
const METRIC_REGULAR = 1e-4;
/** Most vertices that the codes are fitted to, evenly spaced. */
const MOST_VERTICES = 2000;

export interface SwingCodes {
  /** D × 3 */
  readonly centres: Float64Array;
  /** L, lower triangular, 12D × 12D */
  readonly metric: Float64Array;
  /** Fits all frames of a take: S × 12D. */
  readonly fit: (poses: Float64Array, shapes: Float32Array) => Float64Array;
  /** Vertices that are fitted. */
  readonly vertices: number;
}

/** @param regular  ε, relative to the mean of the diagonal: bones that share their vertices shall not move against each other */
export function swingCodes(envelope: ReducedEnvelope, regular: number, run: Run): SwingCodes {
  const { rig, skin, proxies: D } = envelope;
  const p = rig.mesh.positions;
  const n = p.length / 3;
  const m = rig.bones.length;
  const stride = Math.max(1, Math.ceil(n / MOST_VERTICES));
  const sampled = Int32Array.from({ length: Math.ceil(n / stride) }, (_, k) => k * stride);
  const centres = centresOf(envelope);
  const unit = diagonalOf(boundsOf(p)) || 1;
  const size = 4 * D;
  // Arms about the centres, in units of the size, and 1: the rows of a motion [A unit | shift of the centre].
  const arm = (i: number, d: number, c: number) => (c < 3 ? (p[3 * i + c] - centres[3 * d + c]) / unit : 1);
  const normal = new Float64Array(size * size);
  for (const i of sampled) {
    for (let s = i * skin.slots; s < (i + 1) * skin.slots; s++) {
      for (let q = i * skin.slots; q < (i + 1) * skin.slots; q++) {
        const w = skin.weights[s] * skin.weights[q];
        if (w === 0) continue;
        const [a, b] = [skin.bones[s], skin.bones[q]];
        for (let r = 0; r < 4; r++) {
          for (let c = 0; c < 4; c++) normal[(4 * a + r) * size + 4 * b + c] += w * arm(i, a, r) * arm(i, b, c);
        }
      }
    }
  }
  let trace = 0;
  for (let k = 0; k < size; k++) trace += normal[k * size + k];
  const ridge = (regular * trace) / size || 1;
  for (let k = 0; k < size; k++) normal[k * size + k] += ridge;
  const L = lowerFactor(normal, size);
  const palette = new EnvelopePalette(envelope, rig.bones);
  const system = new FrameSystem(skin, sampled, arm, ridge, D);
  const solution = [0, 1, 2].map(() => new Float64Array(size));
  const precondition = (sides: readonly Float64Array[]) => {
    for (const side of sides) solveLower(L, size, side);
  };
  const [A, R, stretch] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];

  const codeOf = (codes: Float64Array, at: number) => {
    for (let d = 0; d < D; d++) {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) A[3 * r + c] = solution[r][4 * d + c] / unit + (r === c ? 1 : 0);
      }
      const code = at + SWING_CODE * d;
      polarDecomposition(A, 0, R, 0, stretch, 0);
      rotationLog(R, 0, codes, code);
      for (let c = 0; c < 3; c++) {
        codes[code + 3 + c] = solution[c][4 * d + 3];
        codes[code + 6 + c] = stretch[4 * c] - 1;
      }
      codes[code + 9] = stretch[1];
      codes[code + 10] = stretch[2];
      codes[code + 11] = stretch[5];
    }
  };
  const fit = (poses: Float64Array, shapes: Float32Array) => {
    const S = shapes.length / p.length;
    const codes = new Float64Array(S * SWING_CODE * D);
    for (let t = 0; t < S; t++) {
      checkCancelled(run);
      const T = palette.update(poses.subarray(t * TRANSFORM_SIZE * m, (t + 1) * TRANSFORM_SIZE * m));
      system.pose(T, p, shapes, t * p.length);
      system.solve(precondition, solution);
      codeOf(codes, t * SWING_CODE * D);
    }
    return codes;
  };
  const metric = lowerFactor(hessian(envelope, centres, sampled), SWING_CODE * D);
  return { centres, metric, fit, vertices: sampled.length };
}

function centresOf({ rig, skin, proxies }: ReducedEnvelope): Float64Array {
  const centres = new Float64Array(3 * proxies);
  const total = new Float64Array(proxies);
  const p = rig.mesh.positions;
  skin.weights.forEach((w, s) => {
    const [d, i] = [skin.bones[s], Math.floor(s / skin.slots)];
    if (w === 0) return;
    total[d] += w;
    for (let c = 0; c < 3; c++) centres[3 * d + c] += w * p[3 * i + c];
  });
  return centres.map((sum, k) => (total[Math.floor(k / 3)] > 0 ? sum / total[Math.floor(k / 3)] : 0));
}

/** Σ JᵀJ of codes at rest, 12D × 12D, with a Tikhonov term. */
function hessian({ rig, skin, proxies: D }: ReducedEnvelope, centres: Float64Array, sampled: Int32Array): Float64Array {
  const p = rig.mesh.positions;
  const size = SWING_CODE * D;
  const H = new Float64Array(size * size);
  // Rows x, y, z of the motion of a vertex by the code of a bone.
  const block = (i: number, d: number) => {
    const [x, y, z] = [0, 1, 2].map((c) => p[3 * i + c] - centres[3 * d + c]);
    return [
      [0, z, -y, 1, 0, 0, x, 0, 0, y, z, 0],
      [-z, 0, x, 0, 1, 0, 0, y, 0, x, 0, z],
      [y, -x, 0, 0, 0, 1, 0, 0, z, 0, x, y],
    ];
  };
  for (const i of sampled) {
    for (let s = i * skin.slots; s < (i + 1) * skin.slots; s++) {
      if (skin.weights[s] === 0) continue;
      const a = block(i, skin.bones[s]);
      for (let q = i * skin.slots; q < (i + 1) * skin.slots; q++) {
        const w = skin.weights[s] * skin.weights[q];
        if (w === 0 || skin.bones[q] > skin.bones[s]) continue;
        const b = block(i, skin.bones[q]);
        for (let r = 0; r < SWING_CODE; r++) {
          const row = (SWING_CODE * skin.bones[s] + r) * size + SWING_CODE * skin.bones[q];
          for (let c = 0; c < SWING_CODE; c++) {
            H[row + c] += w * (a[0][r] * b[0][c] + a[1][r] * b[1][c] + a[2][r] * b[2][c]);
          }
        }
      }
    }
  }
  let trace = 0;
  for (let k = 0; k < size; k++) trace += H[k * size + k];
  for (let k = 0; k < size; k++) H[k * size + k] = (1 + METRIC_REGULAR) * H[k * size + k] + (1e-9 * trace) / size || 1;
  return H;
}
