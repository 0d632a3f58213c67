/** Retargets a recorded motion to a character, by a puppet. */
import {
  type Clip,
  checkCancelled,
  jointsAt,
  type Motion,
  type RunContext,
  resolveOptions,
  UsageError,
  validateMotion,
} from '@pelt/model';
import { RETARGET_DEFAULTS, type RetargetOptions } from '../options.ts';
import type { Puppet } from './puppet.ts';

/** What is retargeted, and to whom. */
export interface RetargetData {
  readonly puppet: Puppet;
  readonly motion: Motion;
  /** Called with the number and the pose, m × 12, of every key: for what else a pose space has, such as details. */
  readonly onKey?: (key: number, transforms: Float64Array) => void;
}

/** Frames between two looks at the signal. */
const CHECK_EVERY = 256;

/**
 * Retargets a recorded motion to the puppet's character.
 *
 * @param data  a puppet, which is reset, a motion of the joints that it was created for, and what is called after each key
 *
 * @example
 * {@includeCode ../../../examples/retarget-motion.ts}
 */
export function retargetMotion(
  { puppet, motion, onKey }: RetargetData,
  options?: Partial<RetargetOptions>,
  run?: RunContext,
): Clip {
  const { name, fps } = resolveOptions('retargetMotion', RETARGET_DEFAULTS, options);
  if (!(fps > 0)) throw new UsageError(`retargetMotion: fps is ${fps}; give a number above 0`);
  validateMotion(motion);
  const S = motion.times.length;
  const J = motion.joints.length;
  const kept = framesToKeep(motion.times, fps);
  const times = Float64Array.from(kept, (t) => motion.times[t] - motion.times[0]);
  let transforms = new Float64Array(0);
  puppet.reset();
  for (let t = 0, k = 0; t < S; t++) {
    if (t % CHECK_EVERY === 0) {
      checkCancelled(run);
      run?.onProgress?.({ stage: 'retargeting', fraction: t / S });
    }
    // Every frame updates the puppet, so that filters and springs get the whole motion.
    const confidence = motion.confidence.subarray(t * J, (t + 1) * J);
    const pose = puppet.update(jointsAt(motion, t), motion.times[t], confidence).transforms;
    if (t !== kept[k]) continue;
    if (k === 0) transforms = new Float64Array(kept.length * pose.length);
    transforms.set(pose, k * pose.length);
    onKey?.(k, pose);
    k++;
  }
  run?.onProgress?.({ stage: 'retargeting', fraction: 1 });
  return { name, times, transforms };
}

/** The frame nearest to each tick of the frame rate, without repetitions. */
function framesToKeep(times: Float64Array, fps: number): number[] {
  const kept: number[] = [];
  const tickOf = (t: number) => (times[t] - times[0]) * fps;
  for (let t = 0; t < times.length; t++) {
    const tick = Math.round(tickOf(t));
    const last = kept.length - 1;
    if (last < 0 || tick > Math.round(tickOf(kept[last]))) kept.push(t);
    else if (Math.abs(tickOf(t) - tick) < Math.abs(tickOf(kept[last]) - tick)) kept[last] = t;
  }
  return kept;
}
