/** Scans the OBJ frames of a job in threads. */
import { Worker } from 'node:worker_threads';
import type { JobHost } from '@pelt/jobs';
import { type ScannedFrame, type ScanOrder, STOPPED } from './scan-protocol.ts';

type ScanFrames = NonNullable<JobHost['scanFrames']>;

/** Milliseconds between two looks at whether the job was told to stop. */
const POLL_MS = 100;

/** @param threads  most threads to use */
export function frameScanner(threads: number): ScanFrames {
  return async (paths, vertices, { signal, scanned }) => {
    const next = new SharedArrayBuffer(4);
    const order: ScanOrder = { paths, vertices, next };
    const stop = () => Atomics.store(new Int32Array(next), 0, STOPPED);
    const poll = setInterval(() => {
      if (signal?.aborted) stop();
    }, POLL_MS);
    const work = Array.from({ length: Math.min(threads, paths.length) }, () => {
      const worker = new Worker(new URL('./frame-worker.js', import.meta.url), { workerData: order });
      worker.on('message', ({ k, positions, faces }: ScannedFrame) => scanned(k, positions, faces));
      return new Promise<void>((resolve, reject) => {
        worker.on('exit', () => resolve());
        worker.on('error', reject);
      });
    });
    try {
      await Promise.all(work);
    } finally {
      stop();
      clearInterval(poll);
    }
  };
}
