/** The vertices of a subject in a frame: v = Σ w M (p + Σ a δ), or the positions that a clip has itself. */
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
  const { slots, bones, weights, names } = rig;
  const from = 12 * names.length * frame;
  for (let i = 0; i < size / 3; i++) {
    const [px, py, pz] = [out[3 * i], out[3 * i + 1], out[3 * i + 2]];
    let [x, y, z] = [0, 0, 0];
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      const w = weights[s];
      if (w === 0) break;
      const b = from + 12 * bones[s];
      x += w * (transforms[b] * px + transforms[b + 1] * py + transforms[b + 2] * pz + transforms[b + 3]);
      y += w * (transforms[b + 4] * px + transforms[b + 5] * py + transforms[b + 6] * pz + transforms[b + 7]);
      z += w * (transforms[b + 8] * px + transforms[b + 9] * py + transforms[b + 10] * pz + transforms[b + 11]);
    }
    out[3 * i] = x;
    out[3 * i + 1] = y;
    out[3 * i + 2] = z;
  }
  return out;
}
