/**
 * EigenSkin: the residual of a skinning decomposition as a few displacement fields of the rest pose with coefficients per
 * frame. The residual of each vertex and frame is pulled back to the rest pose through the vertex's blended transform; the
 * leading right singular vectors of all residuals are the displacement fields. The coefficients of each frame are then
 * solved for in the posed shape, where the error is measured. A viewer plays them as morph targets with weight curves.
 *
 * Reference: Kry, James, Pai. EigenSkin: real time large deformation character skinning in hardware. 2002.
 */
import {
  extremeEigenpairs,
  factorSmall,
  gemm,
  matrixOf,
  type Numerics,
  solveSmallVector,
  symmetricEigen,
  transposed,
} from '@pelt/math';
import {
  checkCancelled,
  frameAt,
  frameCount,
  interruptible,
  poseAt,
  type Rig,
  type Run,
  resolveOptions,
  SequenceErrorMeter,
  type SequenceErrors,
  TRANSFORM_SIZE,
  UsageError,
} from '@pelt/model';
import { type PlayedSequence, requirePlayed } from '../shared/sequence-errors.ts';
import { EIGENSKIN_DEFAULTS, type EigenSkinOptions } from './options.ts';

/** Displacement fields of the rest pose and their coefficients. */
export interface EigenSkin {
  /** R displacement fields of the rest pose, n × 3 each */
  readonly deltas: readonly Float32Array[];
  /** S × R coefficients */
  readonly amounts: Float32Array;
  /** Error of the skin with the displacements. */
  readonly error: SequenceErrors;
}

/** Tikhonov term, relative to the trace: keeps the pull-back finite where blending collapses a vertex's transform. */
const PULL_BACK_RIDGE = 1e-3;
/** Up to this many frames all eigenpairs of their Gram matrix are computed, beyond it only the leading ones. */
const FEW_FRAMES = 400;

/**
 * Corrects linear blend skinning by a few displacement fields of the rest pose whose coefficients follow the animation.
 *
 * @param data     S frames of n vertices, and a rig of n vertices with a clip of S frames
 * @param options  number of displacement fields
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../examples/eigen-skin.ts}
 */
export function eigenSkin(data: PlayedSequence, options: Partial<EigenSkinOptions>, run: Run): EigenSkin {
  const { rank } = resolveOptions('eigenSkin', EIGENSKIN_DEFAULTS, options);
  if (!Number.isInteger(rank) || rank < 1) {
    throw new UsageError(`eigenSkin: rank is ${rank}; it must be an integer of at least 1`);
  }
  requirePlayed('eigenSkin', data);
  return interruptible(run, () => {
    const { sequence, rig, clip } = data;
    const { numerics } = run;
    const S = frameCount(sequence);
    const R = Math.min(rank, S);
    const size = rig.mesh.positions.length;
    const scope = numerics.scope();
    const residuals = scope.f64(S * size);
    const posed = new PosedRest(rig);
    for (let t = 0; t < S; t++) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'computing displacements', fraction: (0.5 * t) / S });
      posed.set(poseAt(clip, t, rig.bones.length).transforms);
      posed.pullBack(frameAt(sequence, t), residuals.view.subarray(t * size, (t + 1) * size));
    }
    const deltas = leadingVectors(numerics, residuals, S, size, R, scope);
    scope.dispose();
    const amounts = new Float32Array(S * R);
    const meter = new SequenceErrorMeter(sequence.rest, S);
    for (let t = 0; t < S; t++) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'fitting displacements', fraction: 0.5 + (0.5 * t) / S });
      const own = amounts.subarray(t * R, (t + 1) * R);
      posed.set(poseAt(clip, t, rig.bones.length).transforms);
      posed.solveAmounts(frameAt(sequence, t), deltas, own);
      meter.addFrame(frameAt(sequence, t), posed.deformed(deltas, own));
    }
    return { deltas, amounts, error: meter.result() };
  });
}

/** R unit right singular vectors of the S × size residuals, from the Gram matrix of the frames. */
function leadingVectors(
  numerics: Numerics,
  residuals: ReturnType<ReturnType<Numerics['scope']>['f64']>,
  S: number,
  size: number,
  R: number,
  scope: ReturnType<Numerics['scope']>,
): Float32Array[] {
  const D = matrixOf(residuals, S, size);
  const gram = scope.f64(S * S);
  gemm(numerics, 1, D, transposed(D), 0, matrixOf(gram, S, S));
  const left = scope.f64(R * S);
  if (S <= FEW_FRAMES) {
    const { vectors } = symmetricEigen(gram.view.slice(), S, numerics);
    for (let k = 0; k < R; k++) for (let t = 0; t < S; t++) left.view[k * S + t] = vectors[t * S + S - 1 - k];
  } else {
    const matrix = gram.view.slice();
    const multiply = (x: Float64Array, out: Float64Array) => {
      for (let a = 0; a < S; a++) {
        let sum = 0;
        for (let b = 0; b < S; b++) sum += matrix[a * S + b] * x[b];
        out[a] = sum;
      }
    };
    const { vectors } = extremeEigenpairs(multiply, S, R, { end: 'largest' });
    for (let k = 0; k < R; k++) for (let t = 0; t < S; t++) left.view[k * S + t] = vectors[t * R + k];
  }
  const right = scope.f64(R * size);
  gemm(numerics, 1, matrixOf(left, R, S), D, 0, matrixOf(right, R, size));
  return Array.from({ length: R }, (_, k) => {
    const row = right.view.subarray(k * size, (k + 1) * size);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
    return Float32Array.from(row, (value) => value / length);
  });
}

/** A rig in one pose: the blended transform [A | a] of every vertex. */
class PosedRest {
  readonly #rig: Rig;
  /** n × 12 */
  readonly #blended: Float64Array;
  readonly #out: Float32Array;

  constructor(rig: Rig) {
    this.#rig = rig;
    this.#blended = new Float64Array(rig.mesh.positions.length * 4);
    this.#out = new Float32Array(rig.mesh.positions.length);
  }

  set(transforms: Float64Array): void {
    const { slots, bones, weights } = this.#rig.weights;
    this.#blended.fill(0);
    for (let slot = 0; slot < weights.length; slot++) {
      const w = weights[slot];
      if (w === 0) continue;
      const at = Math.floor(slot / slots) * TRANSFORM_SIZE;
      const bone = bones[slot] * TRANSFORM_SIZE;
      for (let k = 0; k < TRANSFORM_SIZE; k++) this.#blended[at + k] += w * transforms[bone + k];
    }
  }

  /** Rest-space displacement that would bring each vertex to its target: (AᵀA + ε)⁻¹Aᵀ(v − A p − a). */
  pullBack(target: Float32Array, out: Float64Array): void {
    const r = [0, 0, 0];
    for (let i = 0; 3 * i < target.length; i++) {
      this.#residual(i, target, r);
      const A = this.#blended.subarray(i * TRANSFORM_SIZE, (i + 1) * TRANSFORM_SIZE);
      solveRidge(A, r, out, 3 * i);
    }
  }

  /** min over c of Σ_i ‖v_i − A_i(p_i + Σ_k c_k δ_ki) − a_i‖², by normal equations. */
  solveAmounts(target: Float32Array, deltas: readonly Float32Array[], out: Float32Array): void {
    const R = deltas.length;
    const normal = new Float64Array(R * R);
    const rhs = new Float64Array(R);
    const moved = new Float64Array(3 * R);
    const r = [0, 0, 0];
    for (let i = 0; 3 * i < target.length; i++) {
      this.#residual(i, target, r);
      const at = i * TRANSFORM_SIZE;
      for (let k = 0; k < R; k++) {
        for (let d = 0; d < 3; d++) {
          const row = at + 4 * d;
          moved[3 * k + d] =
            this.#blended[row] * deltas[k][3 * i] +
            this.#blended[row + 1] * deltas[k][3 * i + 1] +
            this.#blended[row + 2] * deltas[k][3 * i + 2];
        }
        rhs[k] += moved[3 * k] * r[0] + moved[3 * k + 1] * r[1] + moved[3 * k + 2] * r[2];
        for (let l = 0; l <= k; l++) {
          normal[k * R + l] +=
            moved[3 * k] * moved[3 * l] + moved[3 * k + 1] * moved[3 * l + 1] + moved[3 * k + 2] * moved[3 * l + 2];
        }
      }
    }
    factorSmall(normal, R, R);
    solveSmallVector(normal, R, R, rhs);
    out.set(rhs);
  }

  /** n × 3 posed positions with the displacements; a view that the next call overwrites. */
  deformed(deltas: readonly Float32Array[], amounts: Float32Array): Float32Array {
    const rest = this.#rig.mesh.positions;
    const p = [0, 0, 0];
    for (let i = 0; 3 * i < rest.length; i++) {
      for (let d = 0; d < 3; d++) {
        p[d] = rest[3 * i + d];
        for (let k = 0; k < deltas.length; k++) p[d] += amounts[k] * deltas[k][3 * i + d];
      }
      for (let d = 0; d < 3; d++) {
        const row = i * TRANSFORM_SIZE + 4 * d;
        const b = this.#blended;
        this.#out[3 * i + d] = b[row] * p[0] + b[row + 1] * p[1] + b[row + 2] * p[2] + b[row + 3];
      }
    }
    return this.#out;
  }

  #residual(i: number, target: Float32Array, out: number[]): void {
    const rest = this.#rig.mesh.positions;
    const b = this.#blended;
    for (let d = 0; d < 3; d++) {
      const row = i * TRANSFORM_SIZE + 4 * d;
      const moved = b[row] * rest[3 * i] + b[row + 1] * rest[3 * i + 1] + b[row + 2] * rest[3 * i + 2] + b[row + 3];
      out[d] = target[3 * i + d] - moved;
    }
  }
}

/** x = (AᵀA + ε tr)⁻¹ Aᵀ r for the 3 × 3 part of a row-major 3 × 4 */
function solveRidge(A: Float64Array, r: readonly number[], out: Float64Array, at: number): void {
  const normal = new Float64Array(9);
  const rhs = new Float64Array(3);
  for (let a = 0; a < 3; a++) {
    for (let d = 0; d < 3; d++) rhs[a] += A[4 * d + a] * r[d];
    for (let b = 0; b <= a; b++) for (let d = 0; d < 3; d++) normal[3 * a + b] += A[4 * d + a] * A[4 * d + b];
  }
  const ridge = PULL_BACK_RIDGE * (normal[0] + normal[4] + normal[8]) + Number.MIN_VALUE;
  for (let a = 0; a < 3; a++) normal[4 * a] += ridge;
  factorSmall(normal, 3, 3);
  solveSmallVector(normal, 3, 3, rhs);
  out.set(rhs, at);
}
