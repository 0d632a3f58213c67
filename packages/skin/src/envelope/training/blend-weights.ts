/**
 * Skinning weights fitted to examples (skeleton subspace deformation): for every vertex the convex weights of at most K
 * bones that minimise Σ_t ‖Σⱼ w_j M_tj p̂ − v_t‖². The bones are known, so each vertex is a small problem of its own,
 * over the bones that fit it best alone and their neighbours in the skeleton. Where the skeleton has more bones, those
 * with the steepest descent are added and the vertex is solved again (column generation).
 *
 * Reference: Mohr, Gleicher. Building efficient, accurate character skins from examples. 2003 (section 4).
 */
import { simplexLeastSquares } from '@pelt/math';
import { checkCancelled, type Run, type SkinWeights, stageOf, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { packWeights } from '../../shared/pack-weights.ts';
import type { Examples } from './examples.ts';

/** Candidate bones per vertex in one solve. */
const MOST_CANDIDATES = 16;
/** Rounds of column generation. */
const OFFERS = 2;
/** Vertices between two looks at the signal. */
const BATCH = 1024;

interface Solution {
  /** c, candidates per vertex */
  readonly count: number;
  /** n × c */
  readonly candidates: Int32Array;
  /** n × c */
  readonly weights: Float64Array;
  /** n squared errors */
  readonly errors: Float64Array;
}

/** The candidates of a vertex; `offsets`, m × 3S: where each bone takes it, relative to its example positions. */
type Offer = (i: number, offsets: Float64Array) => readonly number[];

/** @param slots  K, most bones per vertex */
export function fitBlendWeights(examples: Examples, slots: number, run: Run): SkinWeights {
  const { bones } = examples;
  const m = bones.length;
  const count = Math.min(m, MOST_CANDIDATES);
  const rounds = count < m ? 1 + OFFERS : 1;
  const best = solveAmong(examples, slots, count, stageOf(run, 0, 1 / rounds), (_, offsets) =>
    nearestBones(offsets, bones, count),
  );
  for (let round = 1; round < rounds; round++) {
    const inner = stageOf(run, round / rounds, (round + 1) / rounds);
    const other = solveAmong(examples, slots, count, inner, (i, offsets) => helpfulBones(offsets, m, best, i));
    other.errors.forEach((error, i) => {
      if (!(error < best.errors[i])) return;
      best.errors[i] = error;
      best.candidates.set(other.candidates.subarray(i * count, (i + 1) * count), i * count);
      best.weights.set(other.weights.subarray(i * count, (i + 1) * count), i * count);
    });
  }
  return keepLargest(packWeights(best.candidates, best.weights, count), slots);
}

/** @throws UsageError unless K is a whole number from 1 on */
export function requireSlots(owner: string, slots: number): void {
  if (Number.isInteger(slots) && slots >= 1) return;
  throw new UsageError(`${owner}: ${slots} weights per vertex; give a whole number from 1 on`);
}

function solveAmong(examples: Examples, slots: number, c: number, run: Run, offer: Offer): Solution {
  const { mesh, bones, poses, shapes } = examples;
  const { positions } = mesh;
  const n = positions.length / 3;
  const S = poses.length;
  const gram = new Float64Array(n * c * c);
  const candidates = new Int32Array(n * c);
  // Convex weights make the blend of the offsets the offset of the blend: the right-hand side is zero.
  const offsets = new Float64Array(bones.length * 3 * S);
  for (let i = 0; i < n; i++) {
    if (i % BATCH === 0) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'fitting weights', fraction: i / n });
    }
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    for (let j = 0, at = 0; j < bones.length; j++) {
      for (let t = 0; t < S; t++) {
        const M = poses[t];
        for (let k = 0; k < 3; k++) {
          const row = j * TRANSFORM_SIZE + 4 * k;
          offsets[at++] = M[row] * x + M[row + 1] * y + M[row + 2] * z + M[row + 3] - shapes[t][3 * i + k];
        }
      }
    }
    const chosen = offer(i, offsets);
    chosen.forEach((j, a) => {
      candidates[i * c + a] = j;
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let k = 0; k < 3 * S; k++) sum += offsets[j * 3 * S + k] * offsets[chosen[b] * 3 * S + k];
        gram[(i * c + a) * c + b] = gram[(i * c + b) * c + a] = sum;
      }
    });
  }
  const problems = { size: c, gram, rhs: new Float64Array(n * c), squaredNorms: new Float64Array(n) };
  const weights = simplexLeastSquares(run.numerics, problems, { limit: slots });
  const errors = Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let a = 0; a < c; a++) {
      for (let b = 0; b < c; b++) sum += weights[i * c + a] * gram[(i * c + a) * c + b] * weights[i * c + b];
    }
    return sum;
  });
  return { count: c, candidates, weights, errors };
}

/** The bones of least error alone, with half of the places reserved for the neighbours of the best. */
function nearestBones(offsets: Float64Array, bones: Examples['bones'], count: number): number[] {
  const m = bones.length;
  const size = offsets.length / m;
  const errors = Float64Array.from({ length: m }, (_, j) => product(offsets, j * size, offsets, j * size, size));
  const order = Array.from(errors.keys()).sort((a, b) => errors[a] - errors[b] || a - b);
  if (count === order.length) return order;
  const best = order[0];
  const beside = order.filter((j) => bones[j].parent === best || bones[best].parent === j);
  return [...new Set([best, ...beside.slice(0, count / 2), ...order])].slice(0, count);
}

/** The bones in use, then those whose offsets oppose the residual of the solution most. */
function helpfulBones(offsets: Float64Array, m: number, { count, candidates, weights }: Solution, i: number): number[] {
  const size = offsets.length / m;
  const residual = new Float64Array(size);
  const used = new Set<number>();
  for (let a = i * count; a < (i + 1) * count; a++) {
    if (weights[a] === 0) continue;
    used.add(candidates[a]);
    for (let k = 0; k < size; k++) residual[k] += weights[a] * offsets[candidates[a] * size + k];
  }
  const slopes = Float64Array.from({ length: m }, (_, j) => product(offsets, j * size, residual, 0, size));
  const order = Array.from(slopes.keys()).sort((a, b) => slopes[a] - slopes[b] || a - b);
  return [...new Set([...used, ...order])].slice(0, count);
}

function product(a: Float64Array, aAt: number, b: Float64Array, bAt: number, size: number): number {
  let sum = 0;
  for (let k = 0; k < size; k++) sum += a[aAt + k] * b[bAt + k];
  return sum;
}

/** The first K slots of weights with at most K non-zeros, which are sorted by size. */
export function keepLargest(skin: SkinWeights, slots: number): SkinWeights {
  const K = Math.min(slots, skin.slots);
  const n = skin.bones.length / skin.slots;
  const kept = { slots: K, bones: new Uint16Array(n * K), weights: new Float32Array(n * K) };
  for (let i = 0; i < n; i++) {
    kept.bones.set(skin.bones.subarray(i * skin.slots, i * skin.slots + K), i * K);
    kept.weights.set(skin.weights.subarray(i * skin.slots, i * skin.slots + K), i * K);
  }
  return kept;
}
