/**
 * Local pose parameters of all pairs that forward kinematics blends: unwrapped logarithms of rotations, translations, and
 * logarithms of stretches.
 *
 * Logarithms are taken at the mean of a bone's rotations, where they are closest to linear, and unwrapped from pair to
 * pair along the minimum spanning tree of the performer's poses: a twist of 120° and 240° continues to 360°.
 */
import { multiply3, multiplyTransposed3, rotationExp, rotationLog, rotationLogNear } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { type LocalPose, localPose } from './local-pose.ts';

/** Parameters per bone: rotation 3, translation 3, stretch 6. */
export const CHANNELS = 12;
/** Iterations for the mean of a bone's rotations, which need not be exact. */
const MEAN_STEPS = 8;

export interface KinematicValues {
  /** N × m × 12: logarithm of the rotation, translation, logarithm of the stretch (xx xy xz yy yz zz) */
  readonly values: Float64Array;
  /** m × 9: the rotation at which the bone's logarithms are taken */
  readonly references: Float64Array;
}

/**
 * @param poses  N poses, m × 12 each, rest → pose
 * @param tree   N: the parent of each pair, −1 for the neutral one
 */
export function kinematicValues(
  bones: readonly Bone[],
  poses: readonly Float64Array[],
  neutral: number,
  tree: Int32Array,
): KinematicValues {
  const m = bones.length;
  const locals = poses.map((pose) => localPose(bones, pose));
  const references = new Float64Array(m * 9);
  for (let j = 0; j < m; j++) meanRotation(locals, neutral, j, references);
  const logs = unwrappedLogs(locals, references, tree);
  const values = new Float64Array(poses.length * m * CHANNELS);
  locals.forEach((local, i) => {
    for (let j = 0; j < m; j++) {
      const at = (i * m + j) * CHANNELS;
      values.set(logs.subarray((i * m + j) * 3, (i * m + j + 1) * 3), at);
      values.set(local.translations.subarray(3 * j, 3 * j + 3), at + 3);
      values.set(local.stretches.subarray(6 * j, 6 * j + 6), at + 6);
    }
  });
  return { values, references };
}

/** N × N × m: squared motion of each bone relative to its parent between two pairs, lengths relative to the rig's. */
export function boneMotion(bones: readonly Bone[], { values }: KinematicValues): Float64Array {
  const m = bones.length;
  const N = values.length / (m * CHANNELS);
  const extent = rigExtent(bones);
  const motion = new Float64Array(N * N * m);
  for (let pair = 0; pair < N * N; pair++) {
    const [a, b] = [Math.floor(pair / N) * m * CHANNELS, (pair % N) * m * CHANNELS];
    for (let k = 0; k < m * CHANNELS; k++) {
      const c = k % CHANNELS;
      const difference = values[a + k] - values[b + k];
      motion[pair * m + Math.floor(k / CHANNELS)] += (c >= 3 && c < 6 ? difference / extent : difference) ** 2;
    }
  }
  return motion;
}

/** Diagonal of the bounding box of all joints at rest; 1 for a single joint. */
function rigExtent(bones: readonly Bone[]): number {
  let squared = 0;
  for (const k of [3, 7, 11]) {
    const values = bones.map((bone) => bone.rest[k]);
    squared += (Math.max(...values) - Math.min(...values)) ** 2;
  }
  return squared > 0 ? Math.sqrt(squared) : 1;
}

/** The Karcher mean of the rotations of bone j, starting at that of the neutral pair. */
function meanRotation(locals: readonly LocalPose[], neutral: number, j: number, out: Float64Array): void {
  const mean = locals[neutral].rotations.slice(9 * j, 9 * j + 9);
  const relative = new Float64Array(9);
  const step = new Float64Array(3);
  const log = new Float64Array(3);
  for (let round = 0; round < MEAN_STEPS; round++) {
    step.fill(0);
    for (const local of locals) {
      multiplyTransposed3(mean, 0, local.rotations, 9 * j, relative, 0);
      rotationLog(relative, 0, log, 0);
      for (let k = 0; k < 3; k++) step[k] += log[k] / locals.length;
    }
    rotationExp(step, 0, relative, 0);
    multiply3(mean, 0, relative, 0, mean, 0);
  }
  out.set(mean, 9 * j);
}

/** N × m × 3: log(R_refᵀ R_ij), each on the branch nearest to that of its parent in the tree. */
function unwrappedLogs(locals: readonly LocalPose[], references: Float64Array, tree: Int32Array): Float64Array {
  const N = locals.length;
  const m = references.length / 9;
  const logs = new Float64Array(N * m * 3);
  const relative = new Float64Array(9);
  const done = new Uint8Array(N);
  // Parents come in any order: repeat until all are done; each pass completes at least one.
  for (let left = N; left > 0; ) {
    for (let i = 0; i < N; i++) {
      const from = tree[i];
      if (done[i] === 1 || (from >= 0 && done[from] === 0)) continue;
      for (let j = 0; j < m; j++) {
        multiplyTransposed3(references, 9 * j, locals[i].rotations, 9 * j, relative, 0);
        const at = (i * m + j) * 3;
        if (from < 0) rotationLog(relative, 0, logs, at);
        else rotationLogNear(relative, 0, logs, (from * m + j) * 3, logs, at);
      }
      done[i] = 1;
      left--;
    }
  }
  return logs;
}
