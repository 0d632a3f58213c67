/**
 * Clips of a skin that swings, as transforms of all bones of its palette. A loop is run until it is periodic, so that it
 * closes; any other clip starts as if its first pose had been held.
 */
import { type Clip, poseAt, TRANSFORM_SIZE } from '@pelt/model';
import type { SwingDeformer } from '@pelt/skin/dynamics';

/** Rounds of a loop before it is recorded, at most. */
const MOST_ROUNDS = 20;
/** Amplitudes at the start of two rounds differ by less than this share of the trained ones in a periodic loop. */
const PERIODIC = 1e-4;
/** Difference of the first and the last pose of a loop, relative to their numbers. */
const SAME_POSE = 1e-4;

export function bakeSwing(deformer: SwingDeformer, clips: readonly Clip[]): Clip[] {
  return clips.map((clip) => {
    const S = clip.times.length;
    const m = clip.transforms.length / (S * TRANSFORM_SIZE);
    deformer.reset();
    const step = (t: number) =>
      deformer.palette(poseAt(clip, t, m).transforms, t > 0 ? clip.times[t] - clip.times[t - 1] : 0);
    const size = step(0).length;
    if (isLoop(clip, m)) settleLoop(deformer, S, step);
    const transforms = new Float64Array(S * size);
    for (let t = 0; t < S; t++) transforms.set(step(t), t * size);
    return { ...clip, transforms };
  });
}

function isLoop(clip: Clip, m: number): boolean {
  const S = clip.times.length;
  if (S < 3) return false;
  const [first, last] = [poseAt(clip, 0, m).transforms, poseAt(clip, S - 1, m).transforms];
  return first.every((value, k) => Math.abs(value - last[k]) <= SAME_POSE * Math.max(1, Math.abs(value)));
}

function settleLoop(deformer: SwingDeformer, S: number, step: (t: number) => unknown): void {
  const { state, player } = deformer;
  const { limits } = player.dynamics;
  let before = state.amplitudes.slice();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (let t = 1; t < S; t++) step(t);
    const change = state.amplitudes.reduce(
      (most, a, r) => Math.max(most, Math.abs(a - before[r]) / (limits[r] || 1)),
      0,
    );
    if (change < PERIODIC) break;
    before = state.amplitudes.slice();
  }
}
