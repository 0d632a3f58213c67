/** The worker's side of a command. */
import { parentPort, workerData } from 'node:worker_threads';
import { perform } from './perform.ts';
import { plainError } from './plain-error.ts';
import type { JobMessage, JobOrder } from './protocol.ts';

/** More often than a person can read is only work for the other thread. */
const PROGRESS_MS = 50;

const post = (message: JobMessage) => parentPort?.postMessage(message);
let postedAt = Number.NEGATIVE_INFINITY;

try {
  const report = await perform(workerData as JobOrder, {
    progress: (progress) => {
      const now = performance.now();
      if (now - postedAt < PROGRESS_MS) return;
      postedAt = now;
      post({ type: 'progress', progress });
    },
    warning: (message) => post({ type: 'warning', message }),
    temporary: (path) => post({ type: 'temporary', path }),
    committed: () => post({ type: 'committed' }),
  });
  post({ type: 'done', report });
} catch (error) {
  post({ type: 'failed', error: plainError(error) });
}
