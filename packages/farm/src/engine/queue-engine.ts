/**
 * The client's side of a queue: jobs go in with the hash of their work as their name, so that nobody queues one twice.
 *
 * Two clients may want one job. One that no longer does says so, and takes the job away only where nobody answers that it
 * stays; and a client whose job was taken away though it had not asked for that puts it back.
 */
import { randomBytes } from 'node:crypto';
import { signJob } from '../pack/job-signature.ts';
import type { PackedHere } from '../pack/pack-job.ts';
import type { Store } from '../store/store.ts';
import { ATTEMPTS, type Engine, type RunOptions } from './engine.ts';
import type { JobEnd } from './execute-job.ts';
import type { JobQueue, QueuedEnd } from './job-queue.ts';

/** Milliseconds between two questions, should a message be lost. */
const ASK_AGAIN = 5000;
/** Milliseconds that others have to say that they stay. */
const OBJECTIONS = 1000;

export interface QueueEngineOptions {
  /** Signs jobs, for workers that take only signed ones. */
  readonly jobKey?: string | undefined;
  /** Of this client, among those of the queue. */
  readonly name?: string;
}

/** Somebody in this process who waits for a job. */
interface Waiter {
  readonly options: RunOptions;
  ask: () => void;
}

export class QueueEngine implements Engine {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #jobKey: string | undefined;
  readonly #name: string;
  readonly #waiters = new Map<string, Set<Waiter>>();
  /** Keys that another client has said it stays for, since this one began to leave. */
  readonly #kept = new Map<string, () => void>();

  private constructor(store: Store, queue: JobQueue, { jobKey, name }: QueueEngineOptions) {
    this.#store = store;
    this.#queue = queue;
    this.#jobKey = jobKey;
    this.#name = name ?? randomBytes(8).toString('hex');
  }

  static async open(store: Store, queue: JobQueue, options: QueueEngineOptions = {}): Promise<QueueEngine> {
    const engine = new QueueEngine(store, queue, options);
    const each = (key: string, action: (waiter: Waiter) => void) => engine.#waiters.get(key)?.forEach(action);
    queue.watch({
      active: (key) => each(key, ({ options: { onStart } }) => onStart()),
      progress: (key, event) => each(key, ({ options: { onEvent } }) => onEvent(event)),
      ended: (key) => each(key, ({ ask }) => ask()),
    });
    await queue.hear('leaving', (key, from) => {
      if (from !== engine.#name && engine.#isWanted(key)) void queue.say('staying', key, engine.#name).catch(() => {});
    });
    await queue.hear('staying', (key, from) => {
      if (from !== engine.#name) engine.#kept.get(key)?.();
    });
    return engine;
  }

  async run(packed: PackedHere, options: RunOptions): Promise<JobEnd> {
    const { key } = packed.job;
    const waiter: Waiter = { options, ask: () => {} };
    const all = this.#waiters.get(key) ?? new Set();
    this.#waiters.set(key, all.add(waiter));
    try {
      return await this.#run(packed, waiter);
    } finally {
      all.delete(waiter);
      if (all.size === 0) this.#waiters.delete(key);
    }
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #run({ job, sources }: PackedHere, waiter: Waiter): Promise<JobEnd> {
    const { signal, priority } = waiter.options;
    for (let lost = 0; ; ) {
      if (signal.aborted) return { state: 'cancelled' };
      if (await this.#store.find(job.key)) return { state: 'done', report: {}, cached: true };
      for (const { path, sha } of job.files) {
        const source = sources.get(path);
        if (source !== undefined) await this.#store.putInput(sha, source);
      }
      if (signal.aborted) return { state: 'cancelled' };
      await this.#queue.add(signJob(job, this.#jobKey), priority);
      const end = await this.#end(job.key, waiter);
      if (end === 'left') return { state: 'cancelled' };
      if (end.state === 'failed') return end;
      // What somebody else has cancelled is put back.
      if (end.state === 'cancelled') continue;
      if (end.state === 'done' && (await this.#store.find(job.key))) return { report: {}, ...end };
      // The store has lost an input, or the result: both can be had again, but not for ever.
      if (++lost < ATTEMPTS) continue;
      const message = end.state === 'unsupplied' ? end.message : 'the store loses what is put into it; check its disk';
      return { state: 'failed', exitCode: 4, message };
    }
  }

  /**
   * The end of a job. Events tell when to ask for it; as a message can be lost and the server can be away, it is asked
   * for now and then as well.
   */
  #end(key: string, waiter: Waiter): Promise<QueuedEnd | 'left'> {
    const { signal } = waiter.options;
    return new Promise((resolve) => {
      const settle = (end: QueuedEnd | 'left') => {
        stop();
        signal.removeEventListener('abort', leave);
        waiter.ask = () => {};
        resolve(end);
      };
      const ask = () => {
        void this.#ask(key).then((end) => end && !signal.aborted && settle(end));
      };
      const leave = () => void this.#leave(key).then(() => settle('left'));
      const stop = this.#store.clock.every(ASK_AGAIN, ask);
      waiter.ask = ask;
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      ask();
    });
  }

  /** How a job has ended; undefined where it has not, or where nobody answers. */
  async #ask(key: string): Promise<QueuedEnd | undefined> {
    try {
      const now = await this.#queue.ask(key);
      // Nobody has it: it was taken away, or it ended so long ago that it is forgotten.
      if (now === 'absent') return { state: 'cancelled' };
      return now === 'open' ? undefined : now;
    } catch {
      return undefined;
    }
  }

  /** Taken from the queue where nobody has begun; otherwise whoever works on it is told. Unless somebody else wants it. */
  async #leave(key: string): Promise<void> {
    if (this.#isWanted(key)) return;
    const { clock } = this.#store;
    const kept = new Promise<true>((stays) => this.#kept.set(key, () => stays(true)));
    await this.#queue.say('leaving', key, this.#name).catch(() => {});
    const stays = await Promise.race([kept, clock.sleep(OBJECTIONS).then(() => false)]);
    this.#kept.delete(key);
    if (stays) return;
    await this.#queue.say('cancel', key, this.#name).catch(() => {});
    await this.#queue.remove(key).catch(() => {});
  }

  /** Whether somebody in this process still waits for a job. */
  #isWanted(key: string): boolean {
    return [...(this.#waiters.get(key) ?? [])].some(({ options: { signal } }) => !signal.aborted);
  }
}
