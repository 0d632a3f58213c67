/**
 * Sample times. Uniform: t₀ + i·Δ. Cyclic: m times per period Δ, e.g. several shutter samples per frame. Acyclic: one
 * explicit time per sample.
 */
import { InputError } from '@pelt/model';
import type { ByteCursor } from '../cursor.ts';

export interface TimeSampling {
  /** Δ in seconds; `ACYCLIC` for acyclic sampling. */
  readonly timePerCycle: number;
  /** t₀, the times of one cycle, or all times; strictly increasing. */
  readonly times: Float64Array;
}

/** The time per cycle that marks acyclic sampling. */
export const ACYCLIC = Number.MAX_VALUE / 32;

/** Time sampling 0 of every archive: one sample per second, from 0. */
export const IDENTITY_SAMPLING: TimeSampling = { timePerCycle: 1, times: Float64Array.of(0) };

/** Per sampling: u32 largest sample count, f64 Δ, u32 count, count × f64. */
export function readTimeSamplings(cursor: ByteCursor): TimeSampling[] {
  const samplings: TimeSampling[] = [];
  while (cursor.remaining > 0) {
    const field = `time sampling ${samplings.length}`;
    cursor.u32(field);
    const timePerCycle = cursor.view.getFloat64(cursor.take(8, field), true);
    const count = cursor.requireItems(cursor.u32(field), 8, field);
    const times = new Float64Array(count);
    for (let k = 0; k < count; k++) times[k] = cursor.view.getFloat64(cursor.take(8, field), true);
    samplings.push(checked({ timePerCycle, times }, cursor.label, field));
  }
  return samplings.length > 0 ? samplings : [IDENTITY_SAMPLING];
}

export function timeOfSample({ timePerCycle, times }: TimeSampling, index: number): number {
  if (timePerCycle >= ACYCLIC) return times[Math.min(index, times.length - 1)];
  const cycle = Math.floor(index / times.length);
  return times[index - cycle * times.length] + cycle * timePerCycle;
}

/** The samples around a time: (1 − share) · before + share · after. */
export interface SamplePlace {
  readonly before: number;
  readonly after: number;
  readonly share: number;
}

/**
 * Times within this fraction of a step count as equal, because exporters round frame / fps differently.
 */
export const SAME_TIME = 1e-4;

/** @param count  number of samples, at least one; before the first and after the last sample the value is held */
export function placeOfTime(sampling: TimeSampling, count: number, time: number): SamplePlace {
  let low = 0;
  let high = count - 1;
  if (!(time > timeOfSample(sampling, 0))) high = 0;
  // Binary search for the last sample at or before the time.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (timeOfSample(sampling, middle) <= time) low = middle;
    else high = middle - 1;
  }
  if (low === count - 1 || time <= timeOfSample(sampling, low)) return { before: low, after: low, share: 0 };
  const start = timeOfSample(sampling, low);
  const share = (time - start) / (timeOfSample(sampling, low + 1) - start);
  if (share < SAME_TIME) return { before: low, after: low, share: 0 };
  if (share > 1 - SAME_TIME) return { before: low + 1, after: low + 1, share: 0 };
  return { before: low, after: low + 1, share };
}

function checked(sampling: TimeSampling, label: string, field: string): TimeSampling {
  const { timePerCycle, times } = sampling;
  const fail = (what: string): never => {
    throw new InputError(`${label}: ${field} ${what}; the file is damaged, export it again`);
  };
  if (times.length === 0) return fail('has no times');
  for (let k = 0; k < times.length; k++) {
    if (!Number.isFinite(times[k])) return fail(`has the time ${times[k]}`);
    if (k > 0 && times[k] <= times[k - 1])
      return fail(`has the times ${times[k - 1]} s and ${times[k]} s, which do not increase`);
  }
  if (timePerCycle >= ACYCLIC) return sampling;
  if (!(timePerCycle > 0)) return fail(`has a period of ${timePerCycle} s`);
  const span = times[times.length - 1] - times[0];
  if (span >= timePerCycle) return fail(`has times that span ${span} s in a period of ${timePerCycle} s`);
  return sampling;
}
