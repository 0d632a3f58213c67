/** A clip as curves: for each bone the logarithm of its rotation, its translation and its stretch, beside its parent. */
import { type Bone, type Clip, poseAt } from '@pelt/model';
import { KinematicComposer } from '../runtime/kinematic-composer.ts';
import { CHANNELS, type KinematicValues, kinematicValues } from '../runtime/kinematic-values.ts';

export { CHANNELS } from '../runtime/kinematic-values.ts';

/** S × m × 12, each rotation on the branch nearest to that of the frame before. */
export function clipCurves(bones: readonly Bone[], clip: Clip): KinematicValues {
  const frames = Array.from(clip.times, (_, t) => poseAt(clip, t, bones.length).transforms);
  const chain = Int32Array.from(frames, (_, t) => t - 1);
  return kinematicValues(bones, frames, 0, chain);
}

/** S × m × 12 transforms */
export function transformsOf(bones: readonly Bone[], { values, references }: KinematicValues): Float64Array {
  const size = CHANNELS * bones.length;
  const composer = new KinematicComposer(bones, values, references);
  const out = new Float64Array(values.length);
  for (let at = 0; at < values.length; at += size) {
    composer.compose(values.subarray(at, at + size), out.subarray(at, at + size));
  }
  return out;
}
