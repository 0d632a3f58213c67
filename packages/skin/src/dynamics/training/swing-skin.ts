/**
 * A learnt skin in terms of other proxy bones: with y_i = Σ_b w_ib T_b p̂_i of the given palette and new weights ω,
 *
 *   minimise Σ_i ‖Σ_d ω_id T'_d p̂_i − y_i‖² for every pose,
 *
 * which is linear: T' = X T with one constant matrix, so that the new proxies are linear in the key gradients and the
 * bones as the old ones were. The weights come from a decomposition of the examples themselves, swings included, so that
 * parts that swing have bones of their own.
 */
import { DenseCholesky } from '@pelt/math';
import {
  boundsOf,
  checkCancelled,
  diagonalOf,
  type MeshSequence,
  type ReducedEnvelope,
  type Run,
  type SkinWeights,
} from '@pelt/model';
import { decompose } from '../../decompose/decompose.ts';
import { uncorrected } from '../../envelope/runtime/reduced-deformer.ts';

/** Weight of a prior, relative to the mean diagonal: a flat proxy moves as the mean of the bones of its vertices. */
const REGULAR = 1e-3;

/**
 * @param given     what takes it to its examples is left out
 * @param shapes    examples, on the rest mesh of the rig
 */
export function swingSkin(
  given: ReducedEnvelope,
  shapes: MeshSequence,
  { proxies, weights }: { readonly proxies: number; readonly weights: number },
  run: Run,
): ReducedEnvelope {
  const envelope = uncorrected(given);
  const fitted = decompose(shapes, { method: 'affine', bones: proxies, weights, restPose: 'keep' }, run);
  const D = fitted.rig.bones.length;
  const skin = fitted.rig.weights;
  const { fromKeys, fromBones, proxies: P, rig, addedJoints = 0 } = envelope;
  if (addedJoints > 0) throw new RangeError('swingSkin: added joints have no place in the matrices of proxies');
  const m = rig.bones.length;
  const X = transfer(rig.mesh.positions, envelope.skin, P + m, skin, D, run);
  const keyWidth = P > 0 ? fromKeys.length / (4 * P) : 0;
  const width = 4 * (P + m);
  const newKeys = new Float64Array(4 * D * keyWidth);
  const newBones = new Float64Array(4 * D * 4 * m);
  for (let r = 0; r < 4 * D; r++) {
    for (let k = 0; k < 4 * P; k++) {
      const x = X[r * width + k];
      if (x === 0) continue;
      for (let c = 0; c < keyWidth; c++) newKeys[r * keyWidth + c] += x * fromKeys[k * keyWidth + c];
      for (let c = 0; c < 4 * m; c++) newBones[r * 4 * m + c] += x * fromBones[k * 4 * m + c];
    }
    for (let c = 0; c < 4 * m; c++) newBones[r * 4 * m + c] += X[r * width + 4 * P + c];
  }
  const keys = P > 0 ? envelope.keys : noKeys(envelope.keys);
  return { ...envelope, keys, proxies: D, fromKeys: newKeys, fromBones: newBones, skin };
}

/** Without proxies, keys served displacements alone. */
function noKeys({ form, slots }: ReducedEnvelope['keys']): ReducedEnvelope['keys'] {
  return {
    form,
    slots,
    references: new Uint16Array(0),
    blocks: new Int32Array(0),
    rotationMaps: new Float64Array(0),
    stretchMaps: new Float64Array(0),
  };
}

/** X, 4D × 4B: (Σ g gᵀ)⁻¹ Σ g hᵀ, g = ω_i ⊗ p̂_i and h = w_i ⊗ p̂_i. */
function transfer(p: Float32Array, from: SkinWeights, B: number, to: SkinWeights, D: number, run: Run): Float64Array {
  const size = diagonalOf(boundsOf(p)) || 1;
  const n = p.length / 3;
  const middle = [0, 0, 0];
  for (let k = 0; k < p.length; k++) middle[k % 3] += p[k] / n;
  const [rows, columns] = [4 * D, 4 * B];
  const A = new Float64Array(rows * rows);
  const X = new Float64Array(rows * columns);
  const [near, plain] = [new Float64Array(4), new Float64Array(4)];
  for (let i = 0; i < n; i++) {
    if (i % 1024 === 0) checkCancelled(run);
    for (let c = 0; c < 4; c++) {
      near[c] = c < 3 ? (p[3 * i + c] - middle[c]) / size : 1;
      plain[c] = c < 3 ? p[3 * i + c] : 1;
    }
    for (let s = i * to.slots; s < (i + 1) * to.slots; s++) {
      if (to.weights[s] === 0) continue;
      for (let c = 0; c < 4; c++) {
        const row = 4 * to.bones[s] + c;
        const g = to.weights[s] * near[c];
        addOuter(A, row * rows, g, to, i, near);
        addOuter(X, row * columns, g, from, i, plain);
      }
    }
  }
  let trace = 0;
  for (let r = 0; r < rows; r++) trace += A[r * rows + r];
  const weight = (REGULAR * trace) / rows || 1;
  const shares = sharesOf(from, B, to, D);
  for (let d = 0; d < D; d++) {
    for (let b = 0; b < B; b++) {
      const share = weight * shares[d * B + b];
      for (let c = 0; c < 3; c++) {
        X[(4 * d + c) * columns + 4 * b + c] += share * size;
        X[(4 * d + 3) * columns + 4 * b + c] += share * middle[c];
      }
      X[(4 * d + 3) * columns + 4 * b + 3] += share;
    }
  }
  for (let r = 0; r < rows; r++) A[r * rows + r] += weight;
  const cholesky = new DenseCholesky(run.numerics, rows);
  try {
    cholesky.factor(A).solveInPlace(X, columns);
  } finally {
    cholesky.dispose();
  }
  // Back from coordinates about the middle, in units of the size.
  for (let at = 0; at < X.length; at += 4 * columns) {
    for (let k = at; k < at + columns; k++) {
      for (let c = 0; c < 3; c++) {
        X[k + c * columns] /= size;
        X[k + 3 * columns] -= X[k + c * columns] * middle[c];
      }
    }
  }
  return X;
}

function addOuter(out: Float64Array, row: number, g: number, skin: SkinWeights, i: number, p: Float64Array): void {
  for (let s = i * skin.slots; s < (i + 1) * skin.slots; s++) {
    const w = skin.weights[s];
    if (w === 0) continue;
    const at = row + 4 * skin.bones[s];
    for (let c = 0; c < 4; c++) out[at + c] += g * w * p[c];
  }
}

/** D × B: the fraction of every proxy's vertices that each bone of the given palette moves. */
function sharesOf(from: SkinWeights, B: number, to: SkinWeights, D: number): Float64Array {
  const shares = new Float64Array(D * B);
  const total = new Float64Array(D);
  for (let s = 0; s < to.weights.length; s++) {
    const i = Math.floor(s / to.slots);
    total[to.bones[s]] += to.weights[s];
    for (let q = i * from.slots; q < (i + 1) * from.slots; q++) {
      shares[to.bones[s] * B + from.bones[q]] += to.weights[s] * from.weights[q];
    }
  }
  return shares.map((share, k) => share / (total[Math.floor(k / B)] || 1));
}
