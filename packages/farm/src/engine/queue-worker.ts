/** The worker's side of a queue: takes jobs, runs each in a process of its own, and puts the results into the store. */

import { exitCodeOf, PeltError } from '@pelt/model';
import { checkQueued } from '../pack/job-signature.ts';
import type { PackedJob } from '../pack/pack-job.ts';
import { ChangedInput, LostInput, type Store } from '../store/store.ts';
import { workOn } from './bull-queue.ts';
import { executeJob, type Runner } from './execute-job.ts';
import type { JobHandler, QueuedEnd } from './job-queue.ts';
import { type ChildOptions, childRunner, type JobEvent } from './run-child.ts';

export interface WorkerOptions extends ChildOptions {
  readonly jobs: number;
  /** Of pelt: jobs of another one are not taken. */
  readonly version: string;
  /** Milliseconds without a sign of life after which a worker counts as dead and its jobs go to others. */
  readonly lease: number;
  /** Only jobs that were signed with it are taken. */
  readonly jobKey?: string | undefined;
  readonly onJob?: (what: 'start' | 'done' | 'cached' | 'cancelled' | 'failed', key: string, message?: string) => void;
}

/** More often than a person can read is only work for the server. */
const PROGRESS_MS = 500;

/** A worker that takes jobs until it is closed. */
export interface QueueWorker {
  /** Ends when the jobs at hand have. */
  close(): Promise<void>;
}

/**
 * Starts a worker.
 *
 * @param url    of the queue: `redis://…` or `postgres://…`
 * @param store  that of the batch
 * @throws InputError where the server cannot be reached
 * @example
 * {@includeCode ../../examples/worker.ts}
 */
export async function startQueueWorker(url: string, store: Store, options: WorkerOptions): Promise<QueueWorker> {
  const { handle, cancel } = jobHandler(store, options, childRunner(options));
  return workOn(url, options.version, options, handle, cancel);
}

/** What a worker does with a job, apart from how it comes by it. */
export function jobHandler(
  store: Store,
  { version, jobKey, onJob }: Pick<WorkerOptions, 'version' | 'jobKey' | 'onJob'>,
  run: Runner,
): { readonly handle: JobHandler; readonly cancel: (key: string) => void } {
  const running = new Map<string, AbortController>();
  const handle: JobHandler = async (data, onEvent) => {
    let job: PackedJob;
    try {
      job = await checkQueued(data, version, jobKey);
    } catch (error) {
      if (!(error instanceof PeltError)) throw error;
      onJob?.('failed', String((data as { key?: unknown } | null)?.key).slice(0, 64), error.message);
      return { state: 'failed', exitCode: exitCodeOf(error), message: error.message };
    }
    const cancel = new AbortController();
    running.set(job.key, cancel);
    onJob?.('start', job.key);
    try {
      const end = await execute(job, store, run, cancel.signal, throttled(onEvent));
      const what = end.state === 'unsupplied' ? 'failed' : end.state === 'done' && end.cached ? 'cached' : end.state;
      onJob?.(what, job.key, 'message' in end ? end.message : undefined);
      return end;
    } finally {
      running.delete(job.key);
    }
  };
  return { handle, cancel: (key) => running.get(key)?.abort() };
}

async function execute(
  job: PackedJob,
  store: Store,
  run: Runner,
  signal: AbortSignal,
  onEvent: (event: JobEvent) => void,
): Promise<QueuedEnd> {
  try {
    const end = await executeJob(job, store, { run, signal, onEvent });
    // Reports are in the store and may be large.
    return end.state === 'done' ? { state: 'done', ...(end.cached && { cached: true }) } : end;
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof LostInput || error instanceof ChangedInput) return { state: 'unsupplied', message };
    return { state: 'failed', exitCode: exitCodeOf(error), message };
  }
}

function throttled(send: (event: JobEvent) => void): (event: JobEvent) => void {
  let sentAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    const now = performance.now();
    if (event.type === 'progress' && now - sentAt < PROGRESS_MS) return;
    sentAt = now;
    send(event);
  };
}
