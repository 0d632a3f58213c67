/**
 * Suggests the frames of a motion that are worth registering: farthest-point selection. The first is the one nearest to
 * the mean pose; each next is the one farthest from all chosen so far, so that the chosen cover the motion's poses.
 *
 * Reference: Gonzalez. Clustering to minimize the maximum intercluster distance. 1985 (within a factor of two of the
 * best cover).
 */
import { jointsAt, type Motion, UsageError, validateMotion } from '@pelt/model';
import { BodyFrame } from '../runtime/body-frame.ts';
import { featureJoints, PartFeatures } from '../runtime/features.ts';
import { LOST_CONFIDENCE } from '../runtime/lost.ts';

/** Poses nearer than this to a chosen one, root mean square over the joints, bring nothing new. */
const ALIKE = 0.01;

/**
 * @param count  how many frames, at most; fewer where the motion has no more that differ
 * @returns frames, most typical first, then most different
 */
export function suggestKeyPoses(motion: Motion, count: number): number[] {
  validateMotion(motion);
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new UsageError(`suggestKeyPoses: ${count} poses; it is a whole number from 1`);
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

/** Features of the frames in which no joint is lost; of all frames where there are none such. */
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
