/**
 * Suggests the frame of a recording in which the performer stands most upright: trunk and legs vertical, knees straight,
 * both feet on the ground and at rest. It calibrates a direct retarget; see `performer-body.ts`.
 */
import { acos } from '@pelt/math';
import { checkCancelled, jointsAt, type Motion, type RunContext, resolveOptions, validateMotion } from '@pelt/model';
import { NEUTRAL_DEFAULTS, type NeutralOptions } from '../../options.ts';
import { LOST_CONFIDENCE } from '../lost.ts';

/** Frames between two looks at the signal. */
const CHECK_EVERY = 256;
/** Weights of the height of an ankle above its lowest, in radians per length of a leg, and of its speed. */
const RAISED = 4;
const MOVING = 0.3;

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
  const isTracked = (t: number) => needed.every((j) => motion.confidence[t * J + j] >= LOST_CONFIDENCE);
  const frames = Array.from(motion.times.keys()).filter(isTracked);
  const lowest = ankles.map((j) => Math.min(...frames.map((t) => motion.positions[3 * (t * J + j) + 1])));
  let best = -1;
  let least = ((limit * Math.PI) / 180) ** 2;
  for (const [k, t] of frames.entries()) {
    if (k % CHECK_EVERY === 0) checkCancelled(run);
    const positions = jointsAt(motion, t);
    const { angles, length } = measureUpright(positions, hips, shoulders, knees, ankles);
    const before = frames[Math.max(0, k - 1)];
    const seconds = motion.times[t] - motion.times[before];
    let cost = angles;
    ankles.forEach((j, side) => {
      const raised = (positions[3 * j + 1] - lowest[side]) / length;
      const moved = seconds > 0 ? apart(positions, jointsAt(motion, before), j) / (length * seconds) : 0;
      cost += ((RAISED * raised) ** 2 + (MOVING * moved) ** 2) / 2;
    });
    if (cost < least) {
      least = cost;
      best = t;
    }
  }
  return best < 0 ? undefined : jointsAt(motion, best).slice();
}

/** Mean squared angle from standing upright, in radians, and the mean length of the legs. */
function measureUpright(
  p: Float32Array,
  hips: readonly number[],
  shoulders: readonly number[],
  knees: readonly number[],
  ankles: readonly number[],
): { angles: number; length: number } {
  const point = (j: number) => [p[3 * j], p[3 * j + 1], p[3 * j + 2]];
  const [l, r] = hips.map(point);
  const [a, b] = shoulders.map(point);
  const trunk = a.map((value, k) => (value + b[k] - l[k] - r[k]) / 2);
  let angles = angle(trunk, [0, 1, 0]) ** 2 / 3;
  let length = 0;
  for (let side = 0; side < 2; side++) {
    const [hip, knee, ankle] = [hips[side], knees[side], ankles[side]].map(point);
    const thigh = knee.map((value, k) => value - hip[k]);
    const shin = ankle.map((value, k) => value - knee[k]);
    length += (lengthOf(thigh) + lengthOf(shin)) / 2;
    angles += (angle(thigh, [0, -1, 0]) ** 2 + angle(shin, [0, -1, 0]) ** 2) / 6;
  }
  return { angles, length };
}

function apart(a: Float32Array, b: Float32Array, j: number): number {
  return lengthOf([0, 1, 2].map((k) => a[3 * j + k] - b[3 * j + k]));
}

function lengthOf(a: readonly number[]): number {
  return Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
}

function angle(a: readonly number[], b: readonly number[]): number {
  const length = lengthOf(a);
  if (!(length > 0)) return Math.PI;
  return acos(Math.min(1, Math.max(-1, a.reduce((sum, value, k) => sum + value * b[k], 0) / length)));
}
