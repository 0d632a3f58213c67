/** The worker's side of a command. */
import { parentPort, workerData } from 'node:worker_threads';
import { perform } from './perform.ts';
import { plainError } from './plain-error.ts';
import type { JobMessage, JobOrder } from './protocol.ts';

/** More often than a person can read is only work for the other thread. */
const PROGRESS_MS = 50;

let postedAt = Number.NEGATIVE_INFINITY;

function post(message: JobMessage): void {
  if (message.type === 'progress') {
    const now = performance.now();
    if (now - postedAt < PROGRESS_MS) return;
    postedAt = now;
  }
  parentPort?.postMessage(message);
}

try {
  post({ type: 'done', done: await perform(workerData as JobOrder, post) });
} catch (error) {
  post({ type: 'failed', error: plainError(error) });
}
