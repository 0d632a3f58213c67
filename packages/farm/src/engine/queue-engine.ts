/** The client's side of a queue: jobs go in with the hash of their work as their name, so that nobody queues one twice. */
import type { Job } from 'bullmq';
import type { PackedHere } from '../pack/pack-job.ts';
import type { Store } from '../store/store.ts';
import { connectQueue, type QueueConnection, whenReady } from './connect-queue.ts';
import { ATTEMPTS, type Engine, type RunOptions } from './engine.ts';
import type { JobEnd } from './execute-job.ts';
import type { JobEvent } from './run-child.ts';

/** BullMQ runs small numbers first; its largest is 2²¹. */
const MIDDLE_PRIORITY = 1 << 20;
/** Milliseconds before a job that a machine failed is tried again. */
const BACK_OFF = 1000;
/** How long the ends of jobs are remembered, in seconds; results are in the store. */
const REMEMBERED = 24 * 3600;
/** Milliseconds between two questions, should a message be lost. */
const ASK_AGAIN = 5000;

type Queue = ReturnType<QueueConnection['queue']>;
type QueueEvents = ReturnType<QueueConnection['events']>;
type Relay = ReturnType<QueueConnection['relay']>;

export class QueueEngine implements Engine {
  readonly #store: Store;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #relay: Relay;
  readonly #watchers = new Map<string, RunOptions>();
  /** What to do when a job is said to have ended. */
  readonly #ended = new Map<string, () => void>();

  private constructor(store: Store, queue: Queue, events: QueueEvents, relay: Relay) {
    this.#store = store;
    this.#queue = queue;
    this.#events = events;
    this.#relay = relay;
    events.on('active', ({ jobId }) => this.#watchers.get(jobId)?.onStart());
    events.on('progress', ({ jobId, data }) => this.#watchers.get(jobId)?.onEvent(data as JobEvent));
    const tell = ({ jobId }: { jobId: string }) => this.#ended.get(jobId)?.();
    events.on('completed', tell);
    events.on('failed', tell);
  }

  /** @param url  of Redis or PostgreSQL */
  static async connect(url: string, store: Store): Promise<QueueEngine> {
    const connection = await connectQueue(url);
    const engine = new QueueEngine(store, connection.queue(), connection.events(), connection.relay());
    await whenReady([engine.#queue, engine.#events, engine.#relay], url);
    return engine;
  }

  async run({ job: packed, sources }: PackedHere, options: RunOptions): Promise<JobEnd> {
    if (await this.#store.find(packed.key)) return { state: 'done', report: {}, cached: true };
    for (const { path, sha } of packed.files) {
      const source = sources.get(path);
      if (source) await this.#store.putInput(sha, source);
    }
    if (options.signal.aborted) return { state: 'cancelled' };
    this.#watchers.set(packed.key, options);
    try {
      const job = await this.#add(packed, options.priority);
      return await this.#end(job, options.signal);
    } finally {
      this.#watchers.delete(packed.key);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue.close(), this.#events.close(), this.#relay.close()]);
  }

  async #add(packed: PackedHere['job'], priority: number): Promise<Job> {
    const known = await this.#queue.getJob(packed.key);
    // An earlier end is not this one: what failed is tried again, and the result of what succeeded has been removed.
    if (known && ((await known.isFailed()) || (await known.isCompleted()))) await known.remove();
    return this.#queue.add('job', packed, {
      jobId: packed.key,
      priority: Math.min(Math.max(MIDDLE_PRIORITY - priority, 1), 2 * MIDDLE_PRIORITY),
      attempts: ATTEMPTS,
      backoff: { type: 'fixed', delay: BACK_OFF },
      removeOnComplete: { age: REMEMBERED },
      removeOnFail: { age: REMEMBERED },
    });
  }

  /**
   * The end of a job. Events tell when to ask for it; as a message can be lost and the server can be away, it is asked
   * for now and then as well.
   */
  #end(job: Job, signal: AbortSignal): Promise<JobEnd> {
    const key = job.id ?? '';
    return new Promise((resolve) => {
      const settle = (end: JobEnd) => {
        clearInterval(timer);
        this.#ended.delete(key);
        signal.removeEventListener('abort', cancel);
        resolve(end);
      };
      const ask = () => void this.#ask(key).then((end) => end && settle(end));
      const cancel = () => void this.#cancel(job).then(() => settle({ state: 'cancelled' }));
      const timer = setInterval(ask, ASK_AGAIN);
      this.#ended.set(key, ask);
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
      ask();
    });
  }

  /** How a job has ended; undefined where it has not, or where nobody answers. */
  async #ask(key: string): Promise<JobEnd | undefined> {
    try {
      const now = await this.#queue.getJob(key);
      if (now && (await now.isCompleted())) return now.returnvalue as JobEnd;
      if (now && (await now.isFailed())) return { state: 'failed', ...failureOf(now.failedReason ?? '') };
      if (now) return undefined;
      return (await this.#store.find(key)) ? { state: 'done', report: {}, cached: true } : { state: 'cancelled' };
    } catch {
      return undefined;
    }
  }

  /** Taken from the queue where nobody has begun; otherwise whoever works on it is told. */
  async #cancel(job: Job): Promise<void> {
    await this.#relay.publish(`cancel.${job.id}`, {}).catch(() => {});
    await job.remove().catch(() => {});
  }
}

/** Failures cross the queue as text: `2: cannot read …`. */
export function failureText(exitCode: number, message: string): string {
  return `${exitCode}: ${message}`;
}

function failureOf(text: string): { exitCode: number; message: string } {
  const [, code, message] = /^(\d+): (.*)$/s.exec(text) ?? [];
  return { exitCode: Number(code ?? 5), message: message ?? text };
}
