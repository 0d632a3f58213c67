import type { Numerics } from '@pelt/math';
import type { Clip } from './clip.ts';
import { CancelledError } from './errors.ts';
import type { Rig } from './rig.ts';

/** What a long computation says of itself between two steps. */
export interface Progress {
  /** What is being done, as a person would say it: `fitting bones`. */
  readonly stage: string;
  /** Done share of the whole run, 0 to 1, never falling within one run. */
  readonly fraction: number;
  /** Anything worth showing beside the bar: `round 12, E_RMS 3.41`. */
  readonly detail?: string;
  /** The least E_RMS so far, where rounds lower it. */
  readonly eRms?: number;
}

/** What a fit has found so far: a rig with its motion, which can be shown while the fit goes on. */
export interface Snapshot {
  readonly rig: Rig;
  readonly clip: Clip;
}

/**
 * How a long, synchronous computation is watched and stopped. Solvers call `checkCancelled` and `onProgress` between
 * steps; timers, workers and terminals live with the caller. An `AbortSignal` fits, and so does any object whose
 * `aborted` reads a flag in shared memory.
 */
export interface RunContext {
  readonly signal?: { readonly aborted: boolean };
  readonly onProgress?: (progress: Progress) => void;
  /** Called between rounds by fits that can show what they have; `take` copies it, so call it no more often than needed. */
  readonly onSnapshot?: (take: () => Snapshot) => void;
}

/** What every method is given beside its data and its options: `fn(data, options, run)`. */
export interface Run extends RunContext {
  readonly numerics: Numerics;
}

/**
 * Throws `CancelledError` if the signal of the run is aborted. Solvers call it between steps.
 * @example
 * {@includeCode ../examples/run.ts}
 */
export function checkCancelled(context: RunContext | undefined): void {
  if (context?.signal?.aborted) throw new CancelledError();
}

/**
 * The run for one stage of a longer run: its progress is mapped into [from, to] of the whole.
 * @example
 * {@includeCode ../examples/run.ts}
 */
export function stageOf<R extends RunContext>(run: R, from: number, to: number): R;
export function stageOf(run: RunContext | undefined, from: number, to: number): RunContext;
export function stageOf(run: RunContext | undefined, from: number, to: number): RunContext {
  const onProgress = run?.onProgress;
  if (!onProgress) return { ...run };
  return {
    ...run,
    onProgress: (progress) => onProgress({ ...progress, fraction: from + (to - from) * progress.fraction }),
  };
}

/**
 * Runs `work` with kernels that stop at the run's signal, too, and frees the kernels' memory that it holds where it
 * throws: every public method does its work inside, so that cancelling does not wait for the end of a long kernel and
 * leaves nothing behind. Methods that call each other nest.
 * @example
 * {@includeCode ../examples/run.ts}
 */
export function interruptible<T>({ numerics, signal }: Run, work: () => T): T {
  const before = numerics.signal;
  numerics.signal = signal ?? before;
  try {
    return numerics.freeOnError(work);
  } finally {
    numerics.signal = before;
  }
}
