/** What runs jobs: the processes of this machine, or the workers behind a queue. */
import type { PackedHere } from '../pack/pack-job.ts';
import type { JobEnd } from './execute-job.ts';
import type { JobEvent } from './run-child.ts';

export interface RunOptions {
  /** Jobs of a larger number are run first; 0 is usual. */
  readonly priority: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: JobEvent) => void;
  /** Called when a worker takes the job. */
  readonly onStart: () => void;
}

export interface Engine {
  /** Runs a job to its end, now or when its turn has come; the result is in the store. */
  run(packed: PackedHere, options: RunOptions): Promise<JobEnd>;
  close(): Promise<void>;
}

/** Runs of a job that ends by a fault of the machine, or with the death of its process. */
export const ATTEMPTS = 3;
