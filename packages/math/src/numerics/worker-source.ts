import { PAGE } from './allocator.ts';

/**
 * What a thread of the pool runs, as text: it starts from a string in Node (`eval`) and from a blob in browsers, so no
 * bundler has to find a file. The thread instantiates the kernels on the shared memory and serves jobs for ever.
 *
 * A job is never held up by a thread that the system has not let run yet: a thread enters a job, or finds it closed and
 * sleeps again. On a busy machine that is the difference between two threads and one slow one.
 *
 * An engine tells a thread of memory that another one has grown by an interrupt, which may come late. Bulk operations on
 * memory that a thread does not know of yet would trap, so it stays out of the job.
 *
 * The control words, shared by all threads (Int32):
 */
export const CONTROL = {
  /** Rises by one when a job opens and again when it closes: odd while there may be work. Threads sleep on it. */
  job: 0,
  /** Index of the kernel in the agreed list of names. */
  kernel: 1,
  /** Items of the job, and items in one chunk. */
  count: 2,
  grain: 3,
  /** Next item that nobody has taken yet. */
  next: 4,
  /** Threads that have entered a job and not left it yet. */
  entered: 5,
  /** Address of the arguments. */
  args: 6,
  /** Set when a kernel trapped in a thread. */
  failed: 7,
  /** Pages of the memory as the job needs it. */
  pages: 8,
  /** First word of the list of scratch addresses, one a thread. */
  scratch: 9,
} as const;

export const WORKER_SOURCE = `
const C = ${JSON.stringify(CONTROL)};
const serve = ({ module, memory, control, names, index }) => {
  const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports;
  let job = 0;
  for (;;) {
    Atomics.wait(control, C.job, job);
    job = Atomics.load(control, C.job);
    if (job % 2 === 0) continue;
    Atomics.add(control, C.entered, 1);
    // Whoever closes the job after this look waits for this thread to leave.
    if (Atomics.load(control, C.job) === job && memory.buffer.byteLength >= ${PAGE} * control[C.pages]) {
      work(kernels, control, names, index);
    }
    if (Atomics.sub(control, C.entered, 1) === 1) Atomics.notify(control, C.entered);
  }
};
const work = (kernels, control, names, index) => {
  const kernel = kernels[names[control[C.kernel]]];
  const count = control[C.count], grain = control[C.grain];
  try {
    for (;;) {
      const begin = Atomics.add(control, C.next, grain);
      if (begin >= count) break;
      kernel(begin, Math.min(begin + grain, count), control[C.args] >>> 0, control[C.scratch + index] >>> 0);
    }
  } catch {
    Atomics.store(control, C.failed, 1);
  }
};
const node = globalThis.process?.getBuiltinModule?.('node:worker_threads');
const port = node ? node.parentPort : globalThis;
const start = (data) => { if (!node) port.postMessage('ready'); serve(data); };
if (node) start(node.workerData); else port.onmessage = (event) => start(event.data);
`;
