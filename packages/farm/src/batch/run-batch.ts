/**
 * Runs a batch: every job when those before it have ended, whatever was computed before taken from the store, results
 * put where the batch wants them. A batch that was stopped is run again and goes on where it was.
 */

import { setMaxListeners } from 'node:events';
import type { Files } from '@pelt/jobs';
import { exitCodeOf, PeltError, type Progress } from '@pelt/model';
import { ATTEMPTS, type Engine } from '../engine/engine.ts';
import { isSystemError, type JobEnd } from '../engine/execute-job.ts';
import { cannotStore } from '../machine/disk.ts';
import { type PackedHere, packJob } from '../pack/pack-job.ts';
import { ChangedInput, DamagedResult, LostInput, type Store } from '../store/store.ts';
import { type BatchFiles, type BatchGuard, guardBatch } from './batch-guard.ts';
import { deliver } from './deliver.ts';
import type { BatchJob } from './read-batch.ts';

export type State = 'waiting' | 'running' | 'done' | 'cached' | 'failed' | 'skipped' | 'cancelled';

/** How a job stands, and in the end how it ended. */
export interface JobState {
  readonly id: string;
  readonly command: string;
  readonly output: string | undefined;
  readonly state: State;
  readonly progress?: Progress;
  /** From its start to its end. */
  readonly seconds?: number;
  readonly key?: string;
  /** Of all files of the result. */
  readonly bytes?: number;
  readonly report?: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

export interface BatchRun {
  readonly engine: Engine;
  readonly store: Store;
  readonly files: Files;
  /** Of pelt. */
  readonly version: string;
  readonly signal: AbortSignal;
  readonly onChange?: (state: JobState) => void;
  /** Files beside those of the jobs, which no job may replace, or which may replace no file of a job. */
  readonly beside?: BatchFiles;
}

/**
 * Runs the jobs of a batch.
 *
 * @param jobs  N, in any order
 * @returns how each ended, in the order of the batch
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export async function runBatch(jobs: readonly BatchJob[], run: BatchRun): Promise<JobState[]> {
  const guard = await guardBatch(jobs, run.files, run.beside);
  // Every job listens, and that is no leak.
  setMaxListeners(0, run.signal);
  const ends = new Map<string, Promise<JobState>>();
  const running = new Map<string, Promise<JobEnd>>();
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const start = (job: BatchJob): Promise<JobState> => {
    const known = ends.get(job.id);
    if (known) return known;
    const before = job.after.flatMap((id) => byId.get(id) ?? []);
    const end = Promise.all(before.map(start)).then((ended) => runOne(job, ended, { ...run, guard, running }));
    ends.set(job.id, end);
    return end;
  };
  return Promise.all(jobs.map(start));
}

const SUCCEEDED: readonly State[] = ['done', 'cached'];

/**
 * Whether a job has a result.
 *
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export function hasSucceeded({ state }: Pick<JobState, 'state'>): boolean {
  return SUCCEEDED.includes(state);
}

interface OneRun extends BatchRun {
  readonly guard: BatchGuard;
  /** By key: two jobs of a batch may be the same work. */
  readonly running: Map<string, Promise<JobEnd>>;
}

async function runOne(job: BatchJob, before: readonly JobState[], run: OneRun): Promise<JobState> {
  let now: JobState = { id: job.id, command: job.request.command, output: job.output, state: 'waiting' };
  const warnings: string[] = [];
  const change = (next: Partial<JobState>): JobState => {
    now = { ...now, ...next };
    run.onChange?.(now);
    return now;
  };
  const failed = before.find((state) => !hasSucceeded(state));
  if (failed) return change({ state: 'skipped', message: `'${failed.id}' did not succeed` });
  let started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const watcher = {
    priority: job.priority,
    signal: run.signal,
    onStart: () => {
      started = performance.now();
      change({ state: 'running' });
    },
    onEvent: (event: Parameters<Parameters<Engine['run']>[1]['onEvent']>[0]) => {
      if (event.type === 'warning') warnings.push(event.message);
      else change({ progress: event.progress });
    },
  };
  for (let tries = 1; ; tries++) {
    try {
      if (run.signal.aborted) return change({ state: 'cancelled' });
      const packed = await packJob(job.request, run.files, run.version);
      const { key } = packed.job;
      change({ key });
      run.guard.read(job.id, packed.sources.values());
      const end = await runOnce(packed, run, watcher);
      if (end.state === 'cancelled') return change({ state: 'cancelled' });
      if (end.state === 'failed') {
        return change({ state: 'failed', seconds: seconds(), exitCode: end.exitCode, message: end.message, warnings });
      }
      const { bytes, report } = await deliver(key, job.output, run.store, (path) => run.guard.check(job.id, path));
      return change({ state: end.cached ? 'cached' : 'done', seconds: seconds(), bytes, report, warnings });
    } catch (error) {
      // An input that changed has another key now; what the store lost is computed again. Neither for ever.
      if (isMendable(error) && tries < ATTEMPTS) continue;
      return change({ state: 'failed', seconds: seconds(), ...failure(error, job) });
    }
  }
}

/** From the store, or by the engine; one run for jobs that are the same work. */
async function runOnce(packed: PackedHere, run: OneRun, watcher: Parameters<Engine['run']>[1]): Promise<JobEnd> {
  const { key } = packed.job;
  const other = run.running.get(key);
  const shared = await other?.catch(() => undefined);
  if (shared && shared.state !== 'done') return shared;
  if (await run.store.find(key)) return { state: 'done', report: {}, cached: true };
  const end = run.engine.run(packed, watcher);
  run.running.set(key, end);
  try {
    return await end;
  } finally {
    run.running.delete(key);
  }
}

function isMendable(error: unknown): boolean {
  return error instanceof ChangedInput || error instanceof DamagedResult || error instanceof LostInput;
}

/** Whatever ends a job is its own end: the others go on, and the batch has a summary. */
function failure(thrown: unknown, { output }: BatchJob): { exitCode: number; message: string } {
  const error = isSystemError(thrown) ? cannotStore(output ?? 'the store', thrown) : thrown;
  const { message } = error instanceof Error ? error : { message: String(error) };
  if (error instanceof PeltError) return { exitCode: exitCodeOf(error), message };
  return { exitCode: exitCodeOf(error), message: `a fault of pelt itself: ${message}` };
}
