/** A queue on BullMQ. */

import type { QueuedJob } from '../pack/job-signature.ts';
import { connectQueue, type QueueConnection, whenReady } from './connect-queue.ts';
import { ATTEMPTS } from './engine.ts';
import type { JobHandler, JobQueue, Notice, QueuedEnd, QueueListener } from './job-queue.ts';
import { isWorthAnotherTry, type JobEvent } from './run-child.ts';

/** BullMQ runs small numbers first; its largest is 2²¹. */
const MIDDLE_PRIORITY = 1 << 20;
/** Milliseconds before a job that a machine failed is tried again. */
const BACK_OFF = 1000;
/** How long the ends of jobs are remembered, in seconds; results are in the store. */
const REMEMBERED = 24 * 3600;

type Queue = ReturnType<QueueConnection['queue']>;
type QueueEvents = ReturnType<QueueConnection['events']>;
type Relay = ReturnType<QueueConnection['relay']>;

export class BullQueue implements JobQueue {
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #relay: Relay;

  private constructor(queue: Queue, events: QueueEvents, relay: Relay) {
    this.#queue = queue;
    this.#events = events;
    this.#relay = relay;
  }

  /**
   * @param url      of Redis or PostgreSQL
   * @param version  of pelt
   */
  static async connect(url: string, version: string): Promise<BullQueue> {
    const connection = await connectQueue(url, version);
    const own = new BullQueue(connection.queue(), connection.events(), connection.relay());
    await whenReady([own.#queue, own.#events, own.#relay], url);
    return own;
  }

  async add(job: QueuedJob, priority: number): Promise<void> {
    const known = await this.#queue.getJob(job.key);
    // An earlier end is not this one: what failed is tried again, and the result of what succeeded has been removed.
    if (known && ((await known.isFailed()) || (await known.isCompleted()))) await known.remove().catch(() => {});
    await this.#queue.add('job', job, {
      jobId: job.key,
      priority: Math.min(Math.max(MIDDLE_PRIORITY - priority, 1), 2 * MIDDLE_PRIORITY),
      attempts: ATTEMPTS,
      backoff: { type: 'fixed', delay: BACK_OFF },
      removeOnComplete: { age: REMEMBERED },
      removeOnFail: { age: REMEMBERED },
    });
  }

  async ask(key: string): Promise<'absent' | 'open' | QueuedEnd> {
    const job = await this.#queue.getJob(key);
    if (!job) return 'absent';
    if (await job.isCompleted()) return (job.returnvalue as QueuedEnd | null) ?? 'open';
    if (await job.isFailed()) return { state: 'failed', ...failureOf(job.failedReason ?? '') };
    return 'open';
  }

  async remove(key: string): Promise<void> {
    const job = await this.#queue.getJob(key);
    await job?.remove().catch(() => {});
  }

  watch({ active, progress, ended }: QueueListener): void {
    this.#events.on('active', ({ jobId }) => active(jobId));
    this.#events.on('progress', ({ jobId, data }) => progress(jobId, data as JobEvent));
    this.#events.on('completed', ({ jobId }) => ended(jobId));
    this.#events.on('failed', ({ jobId }) => ended(jobId));
  }

  async say(notice: Notice, key: string, from: string): Promise<void> {
    await this.#relay.publish(`${notice}.${key}`, { from });
  }

  async hear(notice: Notice, listener: (key: string, from: string) => void): Promise<void> {
    await hearOn(this.#relay, notice, listener);
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue.close(), this.#events.close(), this.#relay.close()]);
  }
}

async function hearOn(relay: Relay, notice: Notice, listener: (key: string, from: string) => void): Promise<void> {
  await relay.subscribe(`${notice}.*`, ({ topic, data }) =>
    listener(topic.slice(topic.indexOf('.') + 1), String((data as { from?: unknown } | null)?.from ?? '')),
  );
}

/**
 * Takes jobs from a queue.
 *
 * @param cancel  told of jobs that nobody wants any more
 */
export async function workOn(
  url: string,
  version: string,
  terms: { readonly jobs: number; readonly lease: number },
  handle: JobHandler,
  cancel: (key: string) => void,
): Promise<{ close(): Promise<void> }> {
  const connection = await connectQueue(url, version);
  const relay = connection.relay();
  await whenReady([relay], url);
  await hearOn(relay, 'cancel', cancel);
  const worker = connection.worker(
    async (job) => {
      const end = await handle(job.data, (event) => void job.updateProgress(event as object).catch(() => {}));
      if (end.state !== 'failed') return end;
      const text = `${end.exitCode}: ${end.message}`;
      throw isWorthAnotherTry(end) ? new Error(text) : new connection.UnrecoverableError(text);
    },
    { concurrency: terms.jobs, lease: terms.lease, maxStalledCount: ATTEMPTS - 1 },
  );
  void worker.run();
  return {
    close: async () => {
      await worker.close();
      await relay.close();
    },
  };
}

/** Failures cross the queue as text: `2: cannot read …`. */
function failureOf(text: string): { exitCode: number; message: string } {
  const [, code, message] = /^(\d+): (.*)$/s.exec(text) ?? [];
  return { exitCode: Number(code ?? 5), message: message ?? text };
}
