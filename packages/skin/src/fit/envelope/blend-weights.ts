/**
 * Skeleton subspace deformation fitted to examples: for every vertex the convex weights of at most K bones that
 * minimise Σ_t ‖Σⱼ w_j M_tj p̂ − v_t‖². The bones are known; each vertex is a small problem of its own among the bones
 * that explain it best alone and their neighbours in the skeleton.
 *
 * Reference: Mohr, Gleicher. Building efficient, accurate character skins from examples. 2003 (section 4).
 */
import { type Numerics, simplexLeastSquares } from '@pelt/math';
import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';
import { packWeights } from '../../solve/pack-weights.ts';
import type { Examples } from './examples.ts';

/** Bones among which a vertex looks for its weights. */
const MOST_CANDIDATES = 10;

/** @param slots  K, most bones a vertex */
export function fitBlendWeights(numerics: Numerics, examples: Examples, slots: number): SkinWeights {
  const { mesh, bones, poses, shapes } = examples;
  const { positions } = mesh;
  const n = positions.length / 3;
  const m = bones.length;
  const S = poses.length;
  const c = Math.min(m, MOST_CANDIDATES);
  const gram = new Float64Array(n * c * c);
  const rhs = new Float64Array(n * c);
  const squaredNorms = new Float64Array(n);
  const candidates = new Int32Array(n * c);
  // Where the bones take the vertex, relative to where it went: convex weights make the two alike.
  const offsets = new Float64Array(m * 3 * S);
  for (let i = 0; i < n; i++) {
    const errors = new Float64Array(m);
    for (let j = 0; j < m; j++) {
      for (let t = 0; t < S; t++) {
        for (let k = 0; k < 3; k++) {
          const row = j * TRANSFORM_SIZE + 4 * k;
          const M = poses[t];
          const moved =
            M[row] * positions[3 * i] + M[row + 1] * positions[3 * i + 1] + M[row + 2] * positions[3 * i + 2];
          const offset = moved + M[row + 3] - shapes[t][3 * i + k];
          offsets[(j * S + t) * 3 + k] = offset;
          errors[j] += offset * offset;
        }
      }
    }
    const chosen = nearestBones(errors, bones, c);
    chosen.forEach((j, a) => {
      candidates[i * c + a] = j;
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let k = 0; k < 3 * S; k++) sum += offsets[j * 3 * S + k] * offsets[chosen[b] * 3 * S + k];
        gram[(i * c + a) * c + b] = gram[(i * c + b) * c + a] = sum;
      }
    });
  }
  const solution = simplexLeastSquares(numerics, { size: c, gram, rhs, squaredNorms }, { limit: slots });
  return keepLargest(packWeights(candidates, solution, c), slots);
}

/** The bones of least error, with room kept for the neighbours of the best. */
function nearestBones(errors: Float64Array, bones: Examples['bones'], count: number): number[] {
  const order = Array.from(errors.keys()).sort((a, b) => errors[a] - errors[b] || a - b);
  if (count === order.length) return order;
  const best = order[0];
  const beside = order.filter((j) => bones[j].parent === best || bones[best].parent === j);
  return [...new Set([best, ...beside.slice(0, count / 2), ...order])].slice(0, count);
}

/** The first K slots of weights that have no more than K non-zeros, largest first. */
function keepLargest(skin: SkinWeights, slots: number): SkinWeights {
  const K = Math.min(slots, skin.slots);
  const n = skin.bones.length / skin.slots;
  const kept = { slots: K, bones: new Uint16Array(n * K), weights: new Float32Array(n * K) };
  for (let i = 0; i < n; i++) {
    kept.bones.set(skin.bones.subarray(i * skin.slots, i * skin.slots + K), i * K);
    kept.weights.set(skin.weights.subarray(i * skin.slots, i * skin.slots + K), i * K);
  }
  return kept;
}
