/**
 * When samples were taken. Uniform: t₀ + i·Δ. Cyclic: m times that repeat every Δ, as cameras with several samples a
 * shutter give. Acyclic: one time for each sample.
 */
import { InputError } from '@pelt/model';
import type { ByteCursor } from '../cursor.ts';

export interface TimeSampling {
  /** Δ in seconds; `ACYCLIC` where every sample has its own time. */
  readonly timePerCycle: number;
  /** t₀, or the times of one cycle, or all times; increasing. */
  readonly times: Float64Array;
}

/** The time per cycle by which an archive says that there is no cycle. */
export const ACYCLIC = Number.MAX_VALUE / 32;

/** What properties have that name no sampling: one sample a second, from 0. */
export const IDENTITY_SAMPLING: TimeSampling = { timePerCycle: 1, times: Float64Array.of(0) };

/** All samplings of an archive: for each u32 highest sample, f64 Δ, u32 count, count × f64. */
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

/** Where a time lies among samples: `share` of the way from one to the next. */
export interface SamplePlace {
  readonly before: number;
  readonly after: number;
  readonly share: number;
}

/**
 * Times this near, as a share of the step between two samples, are one and the same: programs compute frame / fps in
 * more ways than one.
 */
export const SAME_TIME = 1e-4;

/** @param count  samples, at least one; before the first and behind the last they hold */
export function placeOfTime(sampling: TimeSampling, count: number, time: number): SamplePlace {
  let low = 0;
  let high = count - 1;
  if (!(time > timeOfSample(sampling, 0))) high = 0;
  // The last sample at or before the time.
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
    if (k > 0 && times[k] <= times[k - 1]) return fail(`goes from ${times[k - 1]} s to ${times[k]} s`);
  }
  if (timePerCycle >= ACYCLIC) return sampling;
  if (!(timePerCycle > 0)) return fail(`repeats every ${timePerCycle} s`);
  const span = times[times.length - 1] - times[0];
  if (span >= timePerCycle) return fail(`has times over ${span} s that repeat every ${timePerCycle} s`);
  return sampling;
}
