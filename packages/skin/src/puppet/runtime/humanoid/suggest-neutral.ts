/**
 * Suggests the frame of a recording in which the performer stands most upright: trunk and legs vertical, knees straight,
 * both feet on the ground. It calibrates a direct retarget; see `performer-body.ts`.
 */
import { acos } from '@pelt/math';
import { checkCancelled, jointsAt, type Motion, type RunContext, resolveOptions, validateMotion } from '@pelt/model';
import { NEUTRAL_DEFAULTS, type NeutralOptions } from '../../options.ts';
import { LOST_CONFIDENCE } from '../lost.ts';

/** Frames between two looks at the signal. */
const CHECK_EVERY = 256;
/** Weight of a difference in height of the ankles, in radians per length of a leg. */
const STEP = 3;

/**
 * Suggests a neutral pose of a performer.
 *
 * @param motion  S frames of J joints
 * @returns J × 3 positions, or undefined where no frame has hips, shoulders, knees and ankles within the limit
 *
 * @example
 * {@includeCode ../../../../examples/suggest-neutral.ts}
 */
export function suggestNeutral(
  motion: Motion,
  options?: Partial<NeutralOptions>,
  run?: RunContext,
): Float32Array | undefined {
  const { limit } = resolveOptions('suggestNeutral', NEUTRAL_DEFAULTS, options);
  validateMotion(motion);
  const pair = (place: string) => ['left', 'right'].map((side) => motion.joints.indexOf(side + place));
  const [hips, shoulders, knees, ankles] = ['Hip', 'Shoulder', 'Knee', 'Ankle'].map(pair);
  const needed = [...hips, ...shoulders, ...knees, ...ankles];
  if (needed.some((j) => j < 0)) return undefined;
  const J = motion.joints.length;
  let best = -1;
  let least = ((limit * Math.PI) / 180) ** 2;
  for (let t = 0; t < motion.times.length; t++) {
    if (t % CHECK_EVERY === 0) checkCancelled(run);
    if (needed.some((j) => motion.confidence[t * J + j] < LOST_CONFIDENCE)) continue;
    const positions = jointsAt(motion, t);
    const cost = uprightCost(positions, hips, shoulders, knees, ankles);
    if (cost < least) {
      least = cost;
      best = t;
    }
  }
  return best < 0 ? undefined : jointsAt(motion, best).slice();
}

/** Mean squared angle from standing upright, in radians. */
function uprightCost(
  p: Float32Array,
  hips: readonly number[],
  shoulders: readonly number[],
  knees: readonly number[],
  ankles: readonly number[],
): number {
  const point = (j: number) => [p[3 * j], p[3 * j + 1], p[3 * j + 2]];
  const [l, r] = hips.map(point);
  const [a, b] = shoulders.map(point);
  const trunk = a.map((value, k) => (value + b[k] - l[k] - r[k]) / 2);
  let cost = angle(trunk, [0, 1, 0]) ** 2;
  let length = 0;
  for (let side = 0; side < 2; side++) {
    const [hip, knee, ankle] = [hips[side], knees[side], ankles[side]].map(point);
    const thigh = knee.map((value, k) => value - hip[k]);
    const shin = ankle.map((value, k) => value - knee[k]);
    length += lengthOf(thigh) + lengthOf(shin);
    cost += (angle(thigh, [0, -1, 0]) ** 2 + angle(shin, [0, -1, 0]) ** 2) / 2;
  }
  const step = length > 0 ? (2 * STEP * (p[3 * ankles[0] + 1] - p[3 * ankles[1] + 1])) / length : 0;
  return (cost + step * step) / 3;
}

function lengthOf(a: readonly number[]): number {
  return Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
}

function angle(a: readonly number[], b: readonly number[]): number {
  const length = lengthOf(a);
  if (!(length > 0)) return Math.PI;
  return acos(Math.min(1, Math.max(-1, a.reduce((sum, value, k) => sum + value * b[k], 0) / length)));
}
