import { CancelledError } from './errors.ts';

/** What a long computation says of itself between two steps. */
export interface Progress {
  /** What is being done, as a person would say it: `fitting bones`. */
  readonly stage: string;
  /** Done share of the whole run, 0 to 1, never falling within one run. */
  readonly fraction: number;
  /** Anything worth showing beside the bar: `round 12, E_RMS 3.41`. */
  readonly detail?: string;
}

/**
 * How a long, synchronous computation is watched and stopped. Solvers call `checkCancelled` and `onProgress` between
 * steps; timers, workers and terminals live with the caller. An `AbortSignal` fits, and so does any object whose
 * `aborted` reads a flag in shared memory.
 */
export interface RunContext {
  readonly signal?: { readonly aborted: boolean };
  readonly onProgress?: (progress: Progress) => void;
}

/** Throws `CancelledError` where the context's signal says so. */
export function checkCancelled(context: RunContext | undefined): void {
  if (context?.signal?.aborted) throw new CancelledError();
}

/** A context for one stage of a run: its progress is mapped into [from, to] of the whole. */
export function stageOf(context: RunContext | undefined, from: number, to: number): RunContext {
  const onProgress = context?.onProgress;
  if (!onProgress) return { signal: context?.signal };
  return {
    signal: context.signal,
    onProgress: (progress) => onProgress({ ...progress, fraction: from + (to - from) * progress.fraction }),
  };
}
