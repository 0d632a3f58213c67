/** The vertices of a subject in a frame: v = Σ w M (p + Σ a δ), or the positions that a clip has itself. */
import { blendLinear } from '@pelt/model/internal';
import type { ViewSubject } from './scene.ts';

/**
 * Poses a subject of a scene.
 *
 * @param clip   index of a clip; −1 for the rest pose
 * @param frame  index of a frame of the clip; −1 for the rest pose
 * @param out    n × 3 positions; overwritten
 * @example
 * {@includeCode ../../examples/pose-subject.ts}
 */
export function poseSubject(subject: ViewSubject, clip: number, frame: number, out: Float32Array): Float32Array {
  const { positions, rig, morphs = [], clips } = subject;
  const motion = frame < 0 ? undefined : clips[clip];
  if (!motion) {
    out.set(positions);
    return out;
  }
  const size = positions.length;
  const { frames, transforms, morphWeights } = motion;
  if (frames instanceof Float32Array) {
    out.set(frames.subarray(frame * size, (frame + 1) * size));
    return out;
  }
  if (frames) {
    const { low, step, values } = frames;
    for (let k = 0; k < size; k++) out[k] = low[k % 3] + step * values[frame * size + k];
    return out;
  }
  out.set(positions);
  morphs.forEach((delta, r) => {
    const weight = morphWeights?.[frame * morphs.length + r] ?? 0;
    if (weight !== 0) for (let k = 0; k < size; k++) out[k] += weight * delta[k];
  });
  if (!rig || !transforms) return out;
  const pose = 12 * rig.names.length;
  return blendLinear(out, rig, transforms.subarray(pose * frame, pose * (frame + 1)), out);
}
