import { NumericError } from '../errors.ts';
import { WORKER_SOURCE } from './worker-source.ts';

/** The part of a worker that the pool uses. */
export interface Thread {
  terminate(): void;
}

interface NodeWorker {
  on(event: 'error', listener: (value: unknown) => void): void;
  unref(): void;
  terminate(): Promise<number>;
}

interface WebWorker {
  onmessage: (() => void) | null;
  onerror: ((event: { message: string }) => void) | null;
  postMessage(data: unknown): void;
  terminate(): void;
}

interface Platform {
  process?: {
    getBuiltinModule?(name: 'node:worker_threads'): { Worker: new (source: string, options: object) => NodeWorker };
  };
  Worker?: new (url: string) => WebWorker;
  Blob?: new (parts: string[], options: { type: string }) => object;
  URL?: { createObjectURL(blob: object): string; revokeObjectURL(url: string): void };
  crossOriginIsolated?: boolean;
}

const platform = globalThis as unknown as Platform;

/** Whether several threads can share memory here: always in Node, in browsers on cross-origin isolated pages. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  return platform.process?.getBuiltinModule !== undefined || platform.crossOriginIsolated === true;
}

/**
 * Starts one thread of the pool. Node's start by themselves, and join the jobs when they are there: nobody waits. Those
 * of a browser need the event loop of the thread that starts them, which the jobs will block: they are waited for.
 *
 * @param onFailure  told where a thread that was not waited for did not start
 */
export function startThread(data: object, onFailure: (error: NumericError) => void): Promise<Thread> {
  const node = platform.process?.getBuiltinModule?.('node:worker_threads');
  const failure = (error: unknown) => new NumericError(`threads: a worker did not start: ${error}`);
  if (node) {
    const worker = new node.Worker(WORKER_SOURCE, { eval: true, workerData: data });
    // A pool that was not closed must not keep the process alive.
    worker.unref();
    worker.on('error', (error) => onFailure(failure(error)));
    return Promise.resolve({ terminate: () => void worker.terminate() });
  }
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(failure(error));
    const { Worker, Blob, URL } = platform;
    if (!Worker || !Blob || !URL) return fail('there are no workers on this platform; use threads: 1');
    const url = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onmessage = () => {
      URL.revokeObjectURL(url);
      resolve({ terminate: () => worker.terminate() });
    };
    worker.onerror = (event) => fail(event.message);
    worker.postMessage(data);
  });
}
