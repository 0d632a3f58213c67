/** The worker's side of a queue: takes jobs, runs each in a process of its own, and puts the results into the store. */

import type { PackedJob } from '../pack/pack-job.ts';
import type { Store } from '../store/store.ts';
import { connectQueue, whenReady } from './connect-queue.ts';
import { ATTEMPTS } from './engine.ts';
import { executeJob } from './execute-job.ts';
import { failureText } from './queue-engine.ts';
import { isWorthAnotherTry, type JobEvent } from './run-child.ts';

export interface WorkerOptions {
  readonly pelt: readonly string[];
  readonly jobs: number;
  readonly threads: number;
  /** Milliseconds without a sign of life after which a worker counts as dead and its jobs go to others. */
  readonly lease: number;
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
  const connection = await connectQueue(url);
  const { pelt, threads, onJob } = options;
  const running = new Map<string, AbortController>();
  const relay = connection.relay();
  await whenReady([relay], url);
  await relay.subscribe('cancel.*', ({ topic }) => running.get(topic.slice(topic.indexOf('.') + 1))?.abort());

  const worker = connection.worker(
    async (job) => {
      const packed = job.data as PackedJob;
      const cancel = new AbortController();
      running.set(packed.key, cancel);
      onJob?.('start', packed.key);
      try {
        const onEvent = throttled((event) => void job.updateProgress(event as object).catch(() => {}));
        const end = await executeJob(packed, store, { pelt, threads, signal: cancel.signal, onEvent });
        if (end.state === 'failed') {
          onJob?.('failed', packed.key, end.message);
          const text = failureText(end.exitCode, end.message);
          throw isWorthAnotherTry(end) ? new Error(text) : new connection.UnrecoverableError(text);
        }
        onJob?.(end.state === 'done' && end.cached ? 'cached' : end.state, packed.key);
        return end.state === 'done' ? { state: 'done', report: {}, ...(end.cached && { cached: true }) } : end;
      } finally {
        running.delete(packed.key);
      }
    },
    { concurrency: options.jobs, lease: options.lease, maxStalledCount: ATTEMPTS - 1 },
  );
  void worker.run();
  return {
    close: async () => {
      await worker.close();
      await relay.close();
    },
  };
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
