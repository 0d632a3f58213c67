/**
 * Key reduction with errors measured on the skinned surface: the fewest keys per joint that keep the error of the whole
 * animation below a limit, under both spherical and component-wise interpolation, as players differ.
 *
 * The error of a joint's curve in a frame is weighted by the vertices in its subtree, ‖ΔM‖² under the moments Σ w² p̂p̂ᵀ, so
 * that a hip is kept more accurately than a finger. Keys are inserted where a joint's error is largest until none exceeds
 * ε (Ramer–Douglas–Peucker); ε is found by bisection on the true error of all joints together, in which errors accumulate
 * along the hierarchy.
 *
 * References: Ramer. An iterative procedure for the polygonal approximation of plane curves. 1972. Douglas, Peucker.
 * Algorithms for the reduction of the number of points required to represent a digitized line. 1973.
 */
import {
  type Clip,
  checkCancelled,
  type MeshSequence,
  type Rig,
  type RunContext,
  resolveOptions,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { linearSequenceErrors } from '../../shared/sequence-errors.ts';
import { THIN_KEYS_DEFAULTS, type ThinKeysOptions } from '../options.ts';
import { type Interpolation, LocalCurves } from './local-curves.ts';

const INTERPOLATIONS: readonly Interpolation[] = ['slerp', 'component'];
/** Bisection steps for log₂ ε, and its interval relative to the limit. */
const BISECTIONS = 10;
const LEAST_POWER = -8;
const MOST_POWER = 6;

/** Keys of a thinned clip. */
export interface ThinnedClip {
  /** Key frames of each bone, increasing, including the first and the last frame. */
  readonly keys: readonly Int32Array[];
  /** E_RMS with these keys, under the worse of the two interpolations. */
  readonly eRms: number;
}

/** A clip of S frames of a rig, and the reference shapes at these frames. */
export interface ThinnableClip {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly truth: MeshSequence;
}

/**
 * Removes keys of a clip as long as the skinned surface stays within an error.
 *
 * @param data     a rig of n vertices, a clip of S frames, and S reference frames of n vertices
 * @param options  E_RMS that must not be exceeded
 * @param context  cancelling and progress
 *
 * @example
 * {@includeCode ../../../examples/thin-keys.ts}
 */
export function thinKeys(
  { rig, clip, truth }: ThinnableClip,
  options: Partial<ThinKeysOptions> = {},
  context?: RunContext,
): ThinnedClip {
  const { maxError: limit } = resolveOptions('thinKeys', THIN_KEYS_DEFAULTS, options);
  const curves = new LocalCurves(rig, clip);
  const moments = subtreeMoments(rig);
  const judge = (keys: readonly Int32Array[]): ThinnedClip => {
    const errors = INTERPOLATIONS.map((how) => {
      const played = { ...clip, transforms: curves.play(keys, how) };
      return linearSequenceErrors({ sequence: truth, rig, clip: played }, context).eRms;
    });
    return { keys, eRms: Math.max(...errors) };
  };
  const all = Int32Array.from({ length: clip.times.length }, (_, t) => t);
  let best = judge(rig.bones.map(() => all));
  const scale = (limit * radiusOf(rig)) / 1000;
  let [low, high] = [LEAST_POWER, MOST_POWER];
  for (let turn = 0; turn < BISECTIONS; turn++) {
    checkCancelled(context);
    context?.onProgress?.({ stage: 'thinning keys', fraction: turn / BISECTIONS });
    const power = 0.5 * (low + high);
    const tried = judge(chooseKeys(curves, clip, moments, scale * 2 ** power, context));
    if (tried.eRms <= limit) {
      if (keyCount(tried.keys) <= keyCount(best.keys)) best = tried;
      low = power;
    } else high = power;
  }
  return best;
}

/**
 * Total number of keys of all bones.
 *
 * @param keys  key frames of each bone
 *
 * @example
 * {@includeCode ../../../examples/key-count.ts}
 */
export function keyCount(keys: readonly Int32Array[]): number {
  return keys.reduce((sum, frames) => sum + frames.length, 0);
}

/** Per bone the symmetric 4 × 4 matrix Σ_i w² p̂p̂ᵀ / n, where w is the weight of the bone's subtree. */
function subtreeMoments({ mesh, bones, weights }: Rig): Float64Array[] {
  const n = mesh.positions.length / 3;
  const moments = bones.map(() => new Float64Array(16));
  const total = new Float64Array(bones.length);
  for (let i = 0; i < n; i++) {
    total.fill(0);
    for (let s = i * weights.slots; s < (i + 1) * weights.slots; s++) {
      if (weights.weights[s] === 0) continue;
      for (let j = weights.bones[s]; j >= 0; j = bones[j].parent) total[j] += weights.weights[s];
    }
    const p = [mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2], 1];
    total.forEach((w, j) => {
      if (w === 0) return;
      for (let k = 0; k < 16; k++) moments[j][k] += (w * w * p[k >> 2] * p[k & 3]) / n;
    });
  }
  return moments;
}

/** Root mean square distance of the vertices from their mean, the unit of lengths. */
function radiusOf({ mesh }: Rig): number {
  const n = Math.max(mesh.positions.length / 3, 1);
  let sum = 0;
  for (let c = 0; c < 3; c++) {
    let mean = 0;
    for (let k = c; k < mesh.positions.length; k += 3) mean += mesh.positions[k] / n;
    for (let k = c; k < mesh.positions.length; k += 3) sum += (mesh.positions[k] - mean) ** 2 / n;
  }
  return Math.sqrt(sum) || 1;
}

function chooseKeys(
  curves: LocalCurves,
  clip: Clip,
  moments: readonly Float64Array[],
  epsilon: number,
  context: RunContext | undefined,
): Int32Array[] {
  const S = clip.times.length;
  const worlds = Array.from({ length: S }, (_, t) => curves.worlds(clip, t));
  return moments.map((moment, j) => {
    checkCancelled(context);
    const kept = new Uint8Array(S);
    kept[0] = 1;
    kept[S - 1] = 1;
    const segments: [number, number][] = [[0, S - 1]];
    for (let segment = segments.pop(); segment; segment = segments.pop()) {
      const [from, to] = segment;
      let worst = -1;
      let largest = epsilon;
      for (let t = from + 1; t < to; t++) {
        const missed = missAt(curves, clip, worlds[t], moment, j, t, from, to);
        if (missed > largest) [largest, worst] = [missed, t];
      }
      if (worst < 0) continue;
      kept[worst] = 1;
      segments.push([from, worst], [worst, to]);
    }
    return Int32Array.from(kept.keys()).filter((t) => kept[t] === 1);
  });
}

/** Root mean square error of a bone's vertices in frame t, under the worse of the two interpolations. */
function missAt(
  curves: LocalCurves,
  clip: Clip,
  worlds: readonly Float64Array[],
  moment: Float64Array,
  j: number,
  t: number,
  from: number,
  to: number,
): number {
  const at = (t * curves.bones + j) * TRANSFORM_SIZE;
  const parent = curves.parentOf(j);
  let most = 0;
  for (const how of INTERPOLATIONS) {
    const shown = curves.fromWorld(j, curves.between(j, t, from, to, how, parent < 0 ? undefined : worlds[parent]));
    let sum = 0;
    for (let row = 0; row < 12; row += 4) {
      for (let k = 0; k < 16; k++) {
        const [a, b] = [row + (k >> 2), row + (k & 3)];
        sum += (shown[a] - clip.transforms[at + a]) * moment[k] * (shown[b] - clip.transforms[at + b]);
      }
    }
    most = Math.max(most, sum);
  }
  return Math.sqrt(Math.max(most, 0));
}
