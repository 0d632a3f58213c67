/**
 * Loops of a figure that swings: run until they are periodic, so that the motion at the end is that at the start. The
 * resonators are linear and damped: every round takes the state nearer to the periodic one by the same factor.
 */
import { type Clip, TRANSFORM_SIZE } from '@pelt/model';
import type { SwingPlayer, SwingState } from './swing-player.ts';

/** Rounds of a loop, at most. */
const MOST_ROUNDS = 40;
/** Amplitudes at the start of two rounds differ by less than this share of the trained ones in a periodic loop. */
const PERIODIC = 1e-4;
/** Difference of the first and the last pose of a loop, relative to their numbers. */
const SAME_POSE = 1e-4;

/** Whether a clip ends in the pose that it starts in. */
function isLoop({ times, transforms }: Pick<Clip, 'times' | 'transforms'>): boolean {
  const S = times.length;
  if (S < 3) return false;
  const size = transforms.length / S;
  for (let k = 0; k < size; k++) {
    const [first, last] = [transforms[k], transforms[(S - 1) * size + k]];
    if (Math.abs(first - last) > SAME_POSE * Math.max(1, Math.abs(first))) return false;
  }
  return true;
}

/**
 * Takes a state to the first frame of a clip: of a loop, as if it had been played for long; of any other clip, as if its
 * first pose had been held.
 *
 * @param clip  of the joints, m × 12 a frame
 * @example
 * {@includeCode ../../../examples/swing-loop.ts}
 */
export function startClip(player: SwingPlayer, state: SwingState, clip: Pick<Clip, 'times' | 'transforms'>): void {
  const { times, transforms } = clip;
  const size = transforms.length / (times.length || 1);
  const step = (t: number) =>
    player.step(state, transforms.subarray(t * size, (t + 1) * size), t > 0 ? times[t] - times[t - 1] : 0);
  player.reset(state);
  if (times.length === 0 || size < TRANSFORM_SIZE) return;
  step(0);
  if (isLoop(clip)) {
    runUntilPeriodic(player, state, () => {
      for (let t = 1; t < times.length; t++) step(t);
    });
  }
}

/**
 * Plays a loop until it is periodic.
 *
 * @param state  at the first pose of the loop
 * @param round  plays the loop once, from its first pose on to the same pose again
 * @example
 * {@includeCode ../../../examples/swing-loop.ts}
 */
export function runUntilPeriodic(player: SwingPlayer, state: SwingState, round: () => void): void {
  const { limits } = player.dynamics;
  const before = new Float64Array(limits.length);
  for (let k = 0; k < MOST_ROUNDS; k++) {
    before.set(state.amplitudes);
    round();
    let change = 0;
    for (let r = 0; r < limits.length; r++) {
      change = Math.max(change, Math.abs(state.amplitudes[r] - before[r]) / (limits[r] || 1));
    }
    if (change < PERIODIC) return;
  }
}
