/**
 * Seconds from the time stamps that trackers write, whose unit they do not say: of seconds, milliseconds, microseconds
 * and ticks of 100 ns it is the one in which frames follow each other as cameras work.
 */
import { uniformTimes } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';

/** Seconds of each unit, coarse first. */
const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [1, 'seconds'],
  [1e-3, 'milliseconds'],
  [1e-6, 'microseconds'],
  [1e-7, 'ticks of 100 ns'],
];

/** A camera takes its next frame after this long, in seconds: 240 to 4 frames a second. */
const SHORTEST = 1 / 245;
const LONGEST = 1 / 4;

export interface FrameTimes {
  /** S seconds, from 0, strictly increasing */
  readonly times: Float64Array;
  /** S indices of the rows that are kept: those whose time goes on */
  readonly rows: readonly number[];
}

/**
 * @param fps    taken where no unit fits
 * @param known  seconds of the unit, where it is known
 */
export function timesFromStamps(
  stamps: readonly number[],
  fps: number,
  warnings: WarningTally,
  known?: number,
): FrameTimes {
  const rows: number[] = [];
  for (let k = 0; k < stamps.length; k++) {
    const last = rows.length > 0 ? stamps[rows[rows.length - 1]] : Number.NEGATIVE_INFINITY;
    if (stamps[k] > last) rows.push(k);
    else warnings.add('a frame whose time does not come after the one before is left out');
  }
  const steps = rows.slice(1).map((row, k) => stamps[row] - stamps[rows[k]]);
  steps.sort((a, b) => a - b);
  const median = steps.length > 0 ? steps[steps.length >> 1] : 0;
  const unit = known ?? UNITS.find(([seconds]) => median * seconds >= SHORTEST && median * seconds <= LONGEST)?.[0];
  if (unit) return { rows, times: Float64Array.from(rows, (row) => (stamps[row] - stamps[rows[0]]) * unit) };
  if (steps.length > 0) {
    warnings.add(`its times are in no usual unit (step ${median}); ${fps} frames a second are assumed`);
  }
  return { rows, times: uniformTimes(rows.length, fps) };
}
