/**
 * Finds the part of a take that repeats best, and closes it: two moments with similar poses and velocities, between which
 * the last frames are eased to where the first one is.
 */
import type { Bone } from '@pelt/model';
import { CHANNELS } from './kinematic-clip.ts';

/** Shortest loop in seconds. */
const SHORTEST = 0.5;
/** Seconds in which an end is eased to the start, at most a third of the loop. */
const EASES_IN = 0.3;
/** Most frames that are compared, evenly spaced. */
const MOST_FRAMES = 240;
/** Weight of a difference of velocities: how many seconds of it count as a difference of poses. */
const VELOCITY_COUNTS = 0.1;

/** Frames from the first to the last, whose poses are to be one. */
export interface Seam {
  readonly from: number;
  readonly to: number;
}

/**
 * @param times   S
 * @param curves  S × m × 12 of `clipCurves`
 * @param parents m: the root's place does not count
 */
export function findSeam(times: Float64Array, curves: Float64Array, bones: readonly Bone[]): Seam | undefined {
  const S = times.length;
  const size = CHANNELS * bones.length;
  const step = Math.max(1, Math.ceil(S / MOST_FRAMES));
  const frames = Array.from({ length: Math.floor((S - 1) / step) }, (_, k) => k * step).filter((t) => t + 1 < S);
  // Rotations of all bones; translations say where the root is.
  const rotations = bones.flatMap((_, j) => [0, 1, 2].map((c) => j * CHANNELS + c));
  const poses = frames.map((t) => Float64Array.from(rotations, (c) => curves[t * size + c]));
  const speeds = frames.map((t) => {
    const seconds = times[t + 1] - times[t];
    return Float64Array.from(
      rotations,
      (c) => ((curves[(t + 1) * size + c] - curves[t * size + c]) / seconds) * VELOCITY_COUNTS,
    );
  });
  let best: Seam | undefined;
  let least = Number.POSITIVE_INFINITY;
  frames.forEach((from, a) => {
    for (let b = a + 1; b < frames.length; b++) {
      if (times[frames[b]] - times[from] < SHORTEST) continue;
      let cost = 0;
      for (let k = 0; k < rotations.length && cost < least; k++) {
        cost += (poses[a][k] - poses[b][k]) ** 2 + (speeds[a][k] - speeds[b][k]) ** 2;
      }
      if (cost < least) [least, best] = [cost, { from, to: frames[b] }];
    }
  });
  return best;
}

/**
 * The frames of a seam, of which the last equals the first; but the root keeps what it travels.
 *
 * @returns S' × m × 12
 */
export function closeLoop(
  times: Float64Array,
  curves: Float64Array,
  bones: readonly Bone[],
  { from, to }: Seam,
): Float64Array {
  const size = CHANNELS * bones.length;
  const out = curves.slice(from * size, (to + 1) * size);
  const duration = times[to] - times[from];
  const width = Math.min(EASES_IN, duration / 3);
  const isTravel = (c: number) =>
    bones[Math.floor(c / CHANNELS)].parent < 0 && (c % CHANNELS === 3 || c % CHANNELS === 5);
  for (let t = from; t <= to; t++) {
    const part = Math.max(0, 1 - (times[to] - times[t]) / width);
    const share = part * part * (3 - 2 * part);
    if (share === 0) continue;
    for (let c = 0; c < size; c++) {
      if (!isTravel(c)) out[(t - from) * size + c] += share * (curves[from * size + c] - curves[to * size + c]);
    }
  }
  return out;
}
