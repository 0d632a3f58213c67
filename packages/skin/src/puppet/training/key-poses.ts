/**
 * Suggests key poses of a motion by farthest-point sampling: the first is the frame nearest to the mean pose; each next is
 * the frame farthest from all chosen so far.
 *
 * Frames in which a few joints are lost are candidates as well, or a recording with occlusions would offer only a moment in
 * which all are seen. Two frames are compared by the joints that both have, and those that have more are preferred. Frames
 * next to each other in time differ by noise alone: no two suggestions are closer than a fraction of the recording.
 *
 * Reference: Gonzalez. Clustering to minimize the maximum intercluster distance. 1985 (a 2-approximation of the optimal
 * cover).
 */
import {
  checkCancelled,
  jointsAt,
  type Motion,
  type RunContext,
  resolveOptions,
  UsageError,
  validateMotion,
} from '@pelt/model';
import { KEY_POSES_DEFAULTS, type KeyPosesOptions } from '../options.ts';
import { BodyFrame } from '../runtime/body-frame.ts';
import { segmentTo } from '../runtime/body-tree.ts';
import { featureJoints, PartFeatures } from '../runtime/features.ts';
import { LOST_CONFIDENCE } from '../runtime/lost.ts';

/** RMS distance of the joints below which poses count as equal. */
const ALIKE = 0.01;
/** Least share of the joints that a frame must have, and joints without which it cannot be compared. */
const COMPLETE = 0.75;
const CORE = ['leftHip', 'rightHip', 'leftShoulder', 'rightShoulder'];
/** Suggestions are at least this part of the mean distance in time apart. */
const SPREAD = 8;

/**
 * Suggests the frames of a motion that are worth pairing with poses of a character.
 *
 * @param motion  S frames of J joints
 * @returns indices of frames, the most typical one first, then the most different ones
 *
 * @example
 * {@includeCode ../../../examples/suggest-key-poses.ts}
 */
export function suggestKeyPoses(motion: Motion, options?: Partial<KeyPosesOptions>, run?: RunContext): number[] {
  const { count } = resolveOptions('suggestKeyPoses', KEY_POSES_DEFAULTS, options);
  validateMotion(motion);
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new UsageError(`suggestKeyPoses: count is ${count}; give a whole number from 1 on`);
  }
  const { frames, poses } = encodeFrames(motion);
  const S = frames.length;
  const K = poses.tracked.length / S;
  const mean = { features: meanPose(poses, S), tracked: new Uint8Array(K).fill(1) };
  let next = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t < S; t++) {
    const distance = poseDistance(poses, t, mean, 0, K);
    if (distance >= least) continue;
    least = distance;
    next = t;
  }

  const { times } = motion;
  const spread = (times[times.length - 1] - times[0]) / (SPREAD * count);
  const chosen = [next];
  const nearest = new Float64Array(S).fill(Number.POSITIVE_INFINITY);
  while (chosen.length < count) {
    checkCancelled(run);
    run?.onProgress?.({ stage: 'choosing key poses', fraction: chosen.length / count });
    const last = chosen[chosen.length - 1];
    next = -1;
    let farthest = 0;
    for (let t = 0; t < S; t++) {
      const isNear = Math.abs(times[frames[t]] - times[frames[last]]) < spread;
      nearest[t] = isNear ? 0 : Math.min(nearest[t], poseDistance(poses, t, poses, last, K));
      const score = nearest[t] * completeness(poses.tracked, t, K);
      if (score <= farthest) continue;
      farthest = score;
      next = t;
    }
    if (next < 0 || nearest[next] <= ALIKE ** 2) break;
    chosen.push(next);
  }
  return chosen.map((t) => frames[t]);
}

/** K × 3: the mean of each joint's features over the frames that have it. */
function meanPose({ features, tracked }: Poses, frames: number): Float64Array {
  const K = tracked.length / frames;
  const mean = new Float64Array(3 * K);
  for (let k = 0; k < K; k++) {
    let count = 0;
    for (let t = 0; t < frames; t++) count += tracked[t * K + k];
    for (let t = 0; t < frames; t++) {
      if (tracked[t * K + k] === 0) continue;
      for (let r = 0; r < 3; r++) mean[3 * k + r] += features[3 * (t * K + k) + r] / count;
    }
  }
  return mean;
}

/** Poses as features, 3 for each of K joints, of which some are tracked. */
interface Poses {
  readonly features: Float64Array;
  readonly tracked: Uint8Array;
}

/** Mean squared distance of the K joints that pose t and pose u of another list both have; 0 where there are none. */
function poseDistance(a: Poses, t: number, b: Poses, u: number, K: number): number {
  let sum = 0;
  let shared = 0;
  for (let k = 0; k < K; k++) {
    if (a.tracked[t * K + k] === 0 || b.tracked[u * K + k] === 0) continue;
    shared++;
    for (let r = 0; r < 3; r++) sum += (a.features[3 * (t * K + k) + r] - b.features[3 * (u * K + k) + r]) ** 2;
  }
  return shared > 0 ? sum / shared : 0;
}

/** Square of the share of the joints that a frame has. */
function completeness(tracked: Uint8Array, t: number, joints: number): number {
  let count = 0;
  for (let k = 0; k < joints; k++) count += tracked[t * joints + k];
  return (count / joints) ** 2;
}

/** Features of the frames that are complete enough, or of all where none is. */
function encodeFrames(motion: Motion): { frames: number[]; poses: Poses } {
  const J = motion.joints.length;
  const joints = featureJoints(motion.joints, 'body');
  const isTracked = (t: number, j: number) => motion.confidence[t * J + j] >= LOST_CONFIDENCE;
  // Without hips and shoulders a pose has no frame to be compared in.
  const core = CORE.map((name) => motion.joints.indexOf(name)).filter((j) => j >= 0);
  const all = Array.from(motion.times.keys());
  const enough = all.filter(
    (t) =>
      core.every((j) => isTracked(t, j)) && joints.filter((j) => isTracked(t, j)).length >= COMPLETE * joints.length,
  );
  const frames = enough.length > 0 ? enough : all;
  const encoder = new PartFeatures({ name: 'whole', frame: 'body', joints }, motion.joints, 'directions');
  const D = encoder.dimension;
  const features = new Float64Array(frames.length * D);
  const tracked = new Uint8Array(frames.length * joints.length);
  const lost = new Uint8Array(J);
  const starts = joints.map((j) => segmentTo(motion.joints[j], motion.joints)?.from ?? -1);
  const frame = new BodyFrame(motion.joints);
  frames.forEach((t, k) => {
    const positions = jointsAt(motion, t);
    for (let j = 0; j < J; j++) lost[j] = enough.length > 0 && !isTracked(t, j) ? 1 : 0;
    frame.measure(positions, undefined, lost);
    encoder.encode(positions, frame, lost, features.subarray(k * D, (k + 1) * D));
    joints.forEach((j, i) => {
      tracked[k * joints.length + i] = lost[j] === 1 || lost[starts[i]] === 1 ? 0 : 1;
    });
  });
  return { frames, poses: { features, tracked } };
}
