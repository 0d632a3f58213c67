/** What a batch came to: rows for people and programs, the worst first. */
import { hasSucceeded, type JobState } from './run-batch.ts';

export interface SummaryRow {
  readonly id: string;
  readonly command: string;
  readonly state: JobState['state'];
  readonly output: string | undefined;
  /** E_RMS of the result, where its report has one. */
  readonly error: number | undefined;
  readonly bytes: number | undefined;
  readonly seconds: number | undefined;
  readonly message: string | undefined;
  readonly warnings: number;
}

/**
 * Rows of a table, the worst first: failures, then by error; jobs without an error keep their order at the end.
 *
 * @param states  N, as `runBatch` gives them
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export function summarise(states: readonly JobState[]): SummaryRow[] {
  return states
    .map((state) => ({
      id: state.id,
      command: state.command,
      state: state.state,
      output: state.output,
      error: errorOf(state.report),
      bytes: state.bytes,
      seconds: state.seconds,
      message: state.message,
      warnings: (state.report?.warnings as unknown[] | undefined)?.length ?? 0,
    }))
    .map((row, order) => ({ row, order, rank: hasSucceeded(row) ? 1 : 0 }))
    .sort((a, b) => a.rank - b.rank || (b.row.error ?? -1) - (a.row.error ?? -1) || a.order - b.order)
    .map(({ row }) => row);
}

/** Reports of `fit`, `skeleton` and `compare` have `error`, that of `reduce` has it behind `after`. */
function errorOf(report: JobState['report']): number | undefined {
  const holder = (report?.error ?? (report?.after as { error?: unknown } | undefined)?.error) as
    | { eRms?: unknown }
    | undefined;
  return typeof holder?.eRms === 'number' ? holder.eRms : undefined;
}

/**
 * How many jobs are in each state.
 *
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export function countStates(states: Iterable<JobState>): Record<JobState['state'], number> {
  const counts = { waiting: 0, running: 0, done: 0, cached: 0, failed: 0, skipped: 0, cancelled: 0 };
  for (const { state } of states) counts[state]++;
  return counts;
}
