/** Plays a recorded motion through a puppet into a clip. */

import {
  type Clip,
  checkCancelled,
  jointsAt,
  type Motion,
  type RunContext,
  resolveOptions,
  UsageError,
} from '@pelt/model';
import { PERFORM_DEFAULTS, type PerformOptions } from '../options.ts';
import type { Puppet } from './puppet.ts';

/** Frames between two looks at the run context. */
const CHECK_EVERY = 256;

/** @param puppet  registered for the motion's joints; it starts a new performance */
export function perform(puppet: Puppet, motion: Motion, options?: Partial<PerformOptions>, context?: RunContext): Clip {
  const { name, framesPerSecond } = resolveOptions('perform', PERFORM_DEFAULTS, options);
  if (!(framesPerSecond > 0)) throw new UsageError(`perform: ${framesPerSecond} frames a second; it is above 0`);
  const S = motion.times.length;
  const J = motion.joints.length;
  const kept = framesToKeep(motion.times, framesPerSecond);
  const times = Float64Array.from(kept, (t) => motion.times[t] - motion.times[0]);
  let transforms = new Float64Array(0);
  puppet.reset();
  for (let t = 0, k = 0; t < S; t++) {
    if (t % CHECK_EVERY === 0) {
      checkCancelled(context);
      context?.onProgress?.({ stage: 'performing', fraction: t / S });
    }
    // Every frame goes through the puppet, so that smoothing and springs see the whole motion.
    const confidence = motion.confidence.subarray(t * J, (t + 1) * J);
    const pose = puppet.update(jointsAt(motion, t), motion.times[t], confidence).transforms;
    if (t !== kept[k]) continue;
    if (k === 0) transforms = new Float64Array(kept.length * pose.length);
    transforms.set(pose, k * pose.length);
    k++;
  }
  context?.onProgress?.({ stage: 'performing', fraction: 1 });
  return { name, times, transforms };
}

/** For each tick of the wanted rate the frame nearest to it, once. */
function framesToKeep(times: Float64Array, framesPerSecond: number): number[] {
  const kept: number[] = [];
  const tickOf = (t: number) => (times[t] - times[0]) * framesPerSecond;
  for (let t = 0; t < times.length; t++) {
    const tick = Math.round(tickOf(t));
    const last = kept.length - 1;
    if (last < 0 || tick > Math.round(tickOf(kept[last]))) kept.push(t);
    else if (Math.abs(tickOf(t) - tick) < Math.abs(tickOf(kept[last]) - tick)) kept[last] = t;
  }
  return kept;
}
