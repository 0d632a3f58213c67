/**
 * Suggests key poses of a motion by farthest-point sampling: the first is the frame nearest to the mean pose; each next is
 * the frame farthest from all chosen so far.
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
import { featureJoints, PartFeatures } from '../runtime/features.ts';
import { LOST_CONFIDENCE } from '../runtime/lost.ts';

/** RMS distance over the joints below which poses count as equal. */
const ALIKE = 0.01;

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
  const { frames, features } = encodeFrames(motion);
  const S = frames.length;
  const D = features.length / S;
  const distance = (t: number, point: Float64Array, at: number) => {
    let squared = 0;
    for (let d = 0; d < D; d++) squared += (features[t * D + d] - point[at + d]) ** 2;
    return squared;
  };
  const mean = new Float64Array(D);
  for (let k = 0; k < features.length; k++) mean[k % D] += features[k] / S;
  let next = 0;
  for (let t = 1; t < S; t++) if (distance(t, mean, 0) < distance(next, mean, 0)) next = t;

  const chosen = [next];
  const nearest = new Float64Array(S).fill(Number.POSITIVE_INFINITY);
  while (chosen.length < count) {
    checkCancelled(run);
    run?.onProgress?.({ stage: 'choosing key poses', fraction: chosen.length / count });
    const last = chosen[chosen.length - 1];
    next = 0;
    for (let t = 0; t < S; t++) {
      nearest[t] = Math.min(nearest[t], distance(t, features, last * D));
      if (nearest[t] > nearest[next]) next = t;
    }
    if (nearest[next] <= (D / 3) * ALIKE ** 2) break;
    chosen.push(next);
  }
  return chosen.map((t) => frames[t]);
}

/** Features of the frames without lost joints, or of all frames where there are none. */
function encodeFrames(motion: Motion): { frames: number[]; features: Float64Array } {
  const J = motion.joints.length;
  const joints = featureJoints(motion.joints, 'body');
  const all = Array.from(motion.times.keys());
  const complete = all.filter((t) => joints.every((j) => motion.confidence[t * J + j] >= LOST_CONFIDENCE));
  const frames = complete.length > 0 ? complete : all;
  const encoder = new PartFeatures({ name: 'whole', frame: 'body', joints }, motion.joints, 'directions');
  const D = encoder.dimension;
  const features = new Float64Array(frames.length * D);
  const frame = new BodyFrame(motion.joints);
  frames.forEach((t, k) => {
    const positions = jointsAt(motion, t);
    frame.measure(positions);
    encoder.encode(positions, frame, undefined, features.subarray(k * D, (k + 1) * D));
  });
  return { frames, features };
}
