/**
 * The main thread's side of a command: it starts the worker, shows what it says, and keeps the terminal and the signals
 * to itself. Ctrl-C asks the worker to stop between two steps; one that does not is ended, and what it left is removed.
 * What the worker wrote is put in its place here, where no signal can come between.
 */
import { Worker } from 'node:worker_threads';
import type { Progress } from '@pelt/model';
import { LIMIT_EXIT_CODE } from '../exceeded-limits.ts';
import { commitStaged, removeQuietly } from '../output/staged-files.ts';
import { plainError } from './plain-error.ts';
import type { Done, JobMessage, JobOrder, PlainError } from './protocol.ts';

export interface JobWatcher {
  progress(progress: Progress): void;
  warning(message: string): void;
}

export type JobEnd = { readonly report: object } | { readonly error: PlainError };

/** How long a worker may take to reach its next step before it is ended. */
const PATIENCE_MS = 2000;
/** Exit codes by signal, as shells have them: 128 and its number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof SIGNALS;

/** @param signal  cancels the job as Ctrl-C does, for hosts that run several */
export function runInWorker(
  task: Omit<JobOrder, 'cancel'>,
  watcher: JobWatcher,
  signal?: AbortSignal,
): Promise<JobEnd> {
  const cancel = new SharedArrayBuffer(4);
  const order: JobOrder = { ...task, cancel };
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: order });
  return new Promise((resolve) => {
    let temporary: string[] = [];
    let patience: NodeJS.Timeout | undefined;
    let ended = false;
    let stoppedBy: Signal | undefined;

    const end = (result: JobEnd) => {
      if (ended) return;
      ended = true;
      clearTimeout(patience);
      clearTimeout(late);
      for (const name of Object.keys(SIGNALS)) process.off(name, onSignal);
      signal?.removeEventListener('abort', onAbort);
      // Ends the threads of the solvers too; only then is nobody left to write.
      void worker.terminate().then(() => {
        // What was made last lies innermost.
        for (const path of temporary.toReversed()) removeQuietly(path);
        resolve(result);
      });
    };
    const finish = ({ report, staged }: Done) => {
      try {
        commitStaged(staged);
        temporary = [];
        end({ report });
      } catch (error) {
        end({ error: plainError(error) });
      }
    };
    const { maxTime } = task;
    const late = maxTime === undefined ? undefined : setTimeout(() => end(tookLongerThan(maxTime)), 1000 * maxTime);
    const onSignal = (signal: Signal) => {
      const again = patience !== undefined;
      stoppedBy ??= signal;
      Atomics.store(new Int32Array(cancel), 0, 1);
      patience ??= setTimeout(() => end(cancelledBy(signal)), PATIENCE_MS);
      if (again) end(cancelledBy(signal));
    };

    const onAbort = () => onSignal('SIGTERM');
    for (const name of Object.keys(SIGNALS)) process.on(name, onSignal);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    worker.on('message', (message: JobMessage) => {
      switch (message.type) {
        case 'progress':
          return watcher.progress(message.progress);
        case 'warning':
          return watcher.warning(message.message);
        case 'temporary':
          temporary.push(message.path);
          return;
        case 'done':
          // Too late to be cancelled, unless it is given up already.
          return ended ? undefined : finish(message.done);
        case 'failed':
          return end(stoppedBy ? cancelledBy(stoppedBy) : { error: message.error });
      }
    });
    worker.on('error', (error) => end({ error: plainError(error) }));
    worker.on('exit', (code) => end({ error: plainError(new Error(`the worker ended with code ${code}`)) }));
  });
}

function cancelledBy(signal: Signal): JobEnd {
  return { error: { message: 'cancelled', exitCode: SIGNALS[signal], stack: '' } };
}

function tookLongerThan(seconds: number): JobEnd {
  const message = `it took longer than ${seconds} s; give more --max-time`;
  return { error: { message, exitCode: LIMIT_EXIT_CODE, stack: '' } };
}
