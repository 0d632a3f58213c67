/**
 * Rigid bones whose joints are soft constraints: minimise for each frame
 *
 *   1/n Σ_i ‖Σ_j w_ij M_j p̂_i − v_i‖² + λ Σ_(j,k) ‖M_j ô_jk − M_k ô_jk‖²
 *
 * one bone at a time: absolute orientation with blending, with the joints as additional points of weight λ, each where the
 * other bone carries it. In moment form, as in `rigidBones`: with Y = Σ_i w_i q_i p̂_iᵀ and P = Σ_i w_i² p̂_i p̂_iᵀ, a joint adds
 * nλ (M_k ô) ôᵀ to Y and nλ ô ôᵀ to P. (Equation 28 as printed puts full weights on both factors and so squares them.)
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.3.1.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { polarDecomposition } from '@pelt/math';

/** A joint of two bones, at rest. */
export interface SoftJoint {
  readonly j: number;
  readonly k: number;
  readonly place: readonly [number, number, number];
}

/** Where the entries of a symmetric 4 × 4 matrix are among its ten coefficients. */
const ENTRY = [0, 1, 2, 3, 1, 4, 5, 6, 2, 5, 7, 8, 3, 6, 8, 9];

/** Transforms for the weights at hand, in place. */
export function solveSoftBones(
  system: SkinningSystem,
  joints: readonly SoftJoint[],
  lambda: number,
  sweeps: number,
): void {
  const { m, S, n, moments } = system;
  const around: { readonly k: number; readonly place: readonly number[] }[][] = Array.from({ length: m }, () => []);
  for (const { j, k, place } of joints) {
    around[j].push({ k, place: [...place, 1] });
    around[k].push({ k: j, place: [...place, 1] });
  }
  const overlapping = Array.from({ length: m }, (_, j) =>
    Array.from({ length: m }, (_, k) => k).filter((k) => k !== j && moments[(k * m + j) * 10 + 9] !== 0),
  );
  const M = system.editTransforms();
  const sums = new Float64Array(12 * m);
  const Y = new Float64Array(12);
  const P = new Float64Array(16);
  const room = new Float64Array(27);
  for (let t = 0; t < S; t++) {
    const frame = 12 * m * t;
    expandMoments(system, t, sums);
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (let j = 0; j < m; j++) {
        for (let e = 0; e < 16; e++) P[e] = moments[(j * m + j) * 10 + ENTRY[e]];
        Y.set(sums.subarray(12 * j, 12 * j + 12));
        for (const k of overlapping[j]) subtractBone(Y, M, frame + 12 * k, moments, (k * m + j) * 10);
        for (const { k, place } of around[j]) addPoint(Y, P, M, frame + 12 * k, place, n * lambda);
        // A bone that moves nothing and has no joint keeps its transform.
        if (P[15] > 0) solveRigid(Y, P, M, frame + 12 * j, room);
      }
    }
  }
}

/** Σ_i w_ij v_ti p̂_iᵀ (3 × 4) of all bones in one frame. */
function expandMoments(system: SkinningSystem, t: number, out: Float64Array): void {
  const { m, S } = system;
  const { basis, r, R } = system.trajectoryBasis;
  const [B, Q] = [basis.view, system.trajectoryMoments.view];
  out.fill(0);
  for (let j = 0; j < m; j++) {
    for (let a = 0; a < 4; a++) {
      for (let k = 0; k < r; k++) {
        const value = Q[(4 * j + a) * R + k];
        for (let d = 0; d < 3; d++) out[12 * j + 4 * d + a] += B[3 * S * k + 3 * t + d] * value;
      }
    }
  }
}

/** Y ← Y − M P for the bone at `bone` and the ten coefficients at `pair`. */
function subtractBone(Y: Float64Array, M: Float64Array, bone: number, moments: Float64Array, pair: number): void {
  for (let d = 0; d < 3; d++) {
    for (let a = 0; a < 4; a++) {
      let sum = 0;
      for (let e = 0; e < 4; e++) sum += M[bone + 4 * d + e] * moments[pair + ENTRY[4 * e + a]];
      Y[4 * d + a] -= sum;
    }
  }
}

/** Adds a point of a given weight that should be where the bone at `bone` carries it. */
function addPoint(
  Y: Float64Array,
  P: Float64Array,
  M: Float64Array,
  bone: number,
  place: readonly number[],
  weight: number,
): void {
  for (let d = 0; d < 3; d++) {
    let carried = 0;
    for (let e = 0; e < 4; e++) carried += M[bone + 4 * d + e] * place[e];
    for (let a = 0; a < 4; a++) Y[4 * d + a] += weight * carried * place[a];
  }
  for (let e = 0; e < 16; e++) P[e] += weight * place[e >> 2] * place[e & 3];
}

/**
 * The rigid transform nearest to Y P⁻¹ in the metric of P.
 *
 * @param room  27 numbers, overwritten
 */
function solveRigid(Y: Float64Array, P: Float64Array, out: Float64Array, at: number, room: Float64Array): void {
  const sigma = P[15];
  for (let d = 0; d < 3; d++) {
    for (let a = 0; a < 3; a++) room[3 * d + a] = Y[4 * d + a] - (Y[4 * d + 3] * P[12 + a]) / sigma;
  }
  polarDecomposition(room, 0, room, 9, room, 18);
  for (let d = 0; d < 3; d++) {
    let moved = Y[4 * d + 3];
    for (let a = 0; a < 3; a++) {
      out[at + 4 * d + a] = room[9 + 3 * d + a];
      moved -= room[9 + 3 * d + a] * P[12 + a];
    }
    out[at + 4 * d + 3] = moved / sigma;
  }
}
