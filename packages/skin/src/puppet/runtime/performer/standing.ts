/**
 * Finds where a performer stands: a second in which trunk and legs form one line, the knees are straight and the feet rest.
 *
 * Upright is measured against the body's own line from ankles to shoulders, not against the vertical, since a camera that
 * looks down tilts the whole recording.
 */
import { acos } from '@pelt/math';
import { jointsAt, type Motion } from '@pelt/model';
import { LOST_CONFIDENCE } from '../lost.ts';

/** Seconds that a performer stands, and the least of a shorter recording. */
const STANDS_FOR = 1;
const AT_LEAST = 0.4;
/** Largest RMS angle of trunk, thighs and shins from the body's line, in radians. */
const LARGEST_BEND = 0.26; // 15°
/** Largest tilt of the body's line, in radians: cameras are tilted by less, lying people by more. */
const LARGEST_TILT = 0.7; // 40°
/** Largest mean speed of the joints, in heights of the body per second. */
const LARGEST_SPEED = 0.15;
/** Weight of that speed beside the bend, in radians. */
const SPEED_COSTS = 2;

/** Seconds over which positions are averaged before their speed is measured: the noise of a joint is not its motion. */
const AVERAGED = 0.2;

const LINES = ['Hip', 'Shoulder', 'Knee', 'Ankle'] as const;

/** Frames from the first up to, not including, the second. */
export interface Standing {
  readonly from: number;
  readonly to: number;
}

/**
 * @param around  a frame in which the performer stands; undefined to look for one
 * @returns undefined where nobody stands, or the joints do not show it
 */
export function findStanding(motion: Motion, around?: number): Standing | undefined {
  const body = bodyLines(motion);
  if (!body) return undefined;
  const { times } = motion;
  const S = times.length;
  if (around !== undefined) return windowAround(times, Math.min(S - 1, around));
  const costs = Float64Array.from(times, (_, t) => bendOf(motion, t, body));
  const speeds = Float64Array.from(times, (_, t) => speedOf(motion, t, body));
  let best: Standing | undefined;
  let least = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let from = 0; from < S; from++) {
    while (to < S && times[to] - times[from] < STANDS_FOR) to++;
    const seconds = times[to - 1] - times[from];
    if (seconds < AT_LEAST) break;
    let [bend, speed] = [0, 0];
    for (let t = from; t < to; t++) {
      bend += costs[t] / (to - from);
      speed += speeds[t] / (to - from);
    }
    if (!(bend <= LARGEST_BEND ** 2 && speed <= LARGEST_SPEED)) continue;
    const cost = bend + (SPEED_COSTS * speed) ** 2;
    if (cost < least) [least, best] = [cost, { from, to }];
  }
  return best;
}

function windowAround(times: Float64Array, around: number): Standing {
  let [from, to] = [around, around + 1];
  while (from > 0 && times[around] - times[from - 1] <= STANDS_FOR / 2) from--;
  while (to < times.length && times[to] - times[around] <= STANDS_FOR / 2) to++;
  return { from, to };
}

type BodyLines = Readonly<Record<(typeof LINES)[number], readonly [number, number]>>;

function bodyLines({ joints }: Motion): BodyLines | undefined {
  const entries = LINES.map((place) => [place, [joints.indexOf(`left${place}`), joints.indexOf(`right${place}`)]]);
  return entries.some(([, pair]) => (pair as number[]).includes(-1)) ? undefined : Object.fromEntries(entries);
}

/** Mean squared angle of trunk, thighs and shins from the line of the body; infinite where it is not seen or lies. */
function bendOf(motion: Motion, t: number, { Hip, Shoulder, Knee, Ankle }: BodyLines): number {
  const J = motion.joints.length;
  for (const pair of [Hip, Shoulder, Knee, Ankle]) {
    for (const j of pair) if (motion.confidence[t * J + j] < LOST_CONFIDENCE) return Number.POSITIVE_INFINITY;
  }
  const p = jointsAt(motion, t);
  const line = between(middle(p, Ankle), middle(p, Shoulder));
  if (!(angle(line, [0, 1, 0]) <= LARGEST_TILT)) return Number.POSITIVE_INFINITY;
  let sum = angle(between(middle(p, Hip), middle(p, Shoulder)), line) ** 2 / 3;
  for (const side of [0, 1]) {
    const [hip, knee, ankle] = [Hip, Knee, Ankle].map((pair) => point(p, pair[side]));
    sum += (angle(between(knee, hip), line) ** 2 + angle(between(ankle, knee), line) ** 2) / 6;
  }
  return sum;
}

/** Mean speed of hips, shoulders, knees and ankles, in heights of their line per second. */
function speedOf(motion: Motion, t: number, body: BodyLines): number {
  const { times } = motion;
  let [first, last] = [t, t];
  while (first > 0 && times[t] - times[first - 1] <= AVERAGED) first--;
  while (last < times.length - 1 && times[last + 1] - times[t] <= AVERAGED) last++;
  const seconds = (times[last] - times[first]) / 2;
  if (!(seconds > 0)) return 0;
  const half = (first + last + 1) >> 1;
  let moved = 0;
  for (const place of LINES) {
    const [a, b] = [meanMiddle(motion, first, half, body[place]), meanMiddle(motion, half, last + 1, body[place])];
    moved += lengthOf(between(a, b)) / LINES.length;
  }
  const [low, high] = [body.Ankle, body.Shoulder].map((pair) => meanMiddle(motion, first, last + 1, pair));
  const height = lengthOf(between(low, high));
  return height > 0 ? moved / (height * seconds) : Number.POSITIVE_INFINITY;
}

/** Mean over frames of the middle of two joints. */
function meanMiddle(motion: Motion, from: number, to: number, pair: readonly [number, number]): number[] {
  const sum = [0, 0, 0];
  for (let t = from; t < to; t++) {
    const at = middle(jointsAt(motion, t), pair);
    for (let k = 0; k < 3; k++) sum[k] += at[k] / (to - from);
  }
  return sum;
}

type Vector = readonly number[];

function point(p: ArrayLike<number>, j: number): number[] {
  return [p[3 * j], p[3 * j + 1], p[3 * j + 2]];
}

export function middle(p: ArrayLike<number>, [a, b]: readonly [number, number]): number[] {
  return [0, 1, 2].map((k) => (p[3 * a + k] + p[3 * b + k]) / 2);
}

export function between(from: Vector, to: Vector): number[] {
  return to.map((value, k) => value - from[k]);
}

function lengthOf(a: Vector): number {
  return Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

export function angle(a: Vector, b: Vector): number {
  const product = lengthOf(a) * lengthOf(b);
  if (!(product > 0)) return Math.PI;
  return acos(Math.min(1, Math.max(-1, (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / product)));
}
