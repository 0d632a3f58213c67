/**
 * The frame times of an animation: the union of the sample times of everything that moves it, or uniform times at a
 * given rate over the same interval. Times that differ only by rounding are merged.
 */
import { InputError, UsageError } from '@pelt/model';
import type { SampledProperty } from './property.ts';
import { SAME_TIME, type TimeSampling, timeOfSample } from './time-sampling.ts';

/** Fraction of a frame by which the duration may fall short of a whole number of frames. */
const FRAME_ROUNDING = 1e-3;
/** More frames than this indicate an error in the rate. */
const MAX_FRAMES = 1_000_000;

/**
 * @param changing  the animated properties; if there are none, the result is `still` alone
 * @param still     the time of a static scene
 * @param label     the file, for messages
 * @return seconds, strictly increasing
 */
export function animationTimes(
  changing: readonly SampledProperty[],
  still: number,
  fps: number | undefined,
  label: string,
): Float64Array {
  const counts = longestCounts(changing);
  if (counts.size === 0) return Float64Array.of(still);
  const own = sampleTimes(counts);
  const last = own[own.length - 1];
  if (!Number.isFinite(last)) throw new InputError(`${label}: a sample is at ${last} s; export it again`);
  return fps === undefined ? own : evenly(own[0], last, fps);
}

/** The largest sample count per time sampling; most properties share one. */
function longestCounts(changing: readonly SampledProperty[]): Map<TimeSampling, number> {
  const counts = new Map<TimeSampling, number>();
  for (const { header, samples } of changing) {
    counts.set(header.sampling, Math.max(samples, counts.get(header.sampling) ?? 0));
  }
  return counts;
}

function sampleTimes(counts: ReadonlyMap<TimeSampling, number>): Float64Array {
  const all: number[] = [];
  let step = Number.POSITIVE_INFINITY;
  for (const [sampling, count] of counts) {
    for (let k = 0; k < count; k++) {
      const time = timeOfSample(sampling, k);
      if (k > 0) step = Math.min(step, time - all[all.length - 1]);
      all.push(time);
    }
  }
  const sorted = Float64Array.from(all).sort();
  return sorted.filter((time, k) => k === 0 || time - sorted[k - 1] > SAME_TIME * step);
}

function evenly(start: number, end: number, fps: number): Float64Array {
  const count = Math.floor((end - start) * fps + FRAME_ROUNDING) + 1;
  if (count > MAX_FRAMES) throw new UsageError(`${fps} fps give ${count} frames; use a lower rate`);
  return Float64Array.from({ length: count }, (_, t) => Math.min(start + t / fps, end));
}
