/**
 * What a farm needs of a queue, and no more: BullMQ gives it, and a simulated one in the tests. A queue may run a job more
 * than once, may deliver messages late, twice or never, and may be away for a while. It may not forget a job that it has
 * taken.
 */
import type { QueuedJob } from '../pack/job-signature.ts';
import type { JobEvent } from './run-child.ts';

/** How a job on a queue ended; its result is in the store. */
export type QueuedEnd =
  | { readonly state: 'done'; readonly cached?: boolean }
  | { readonly state: 'failed'; readonly exitCode: number; readonly message: string }
  | { readonly state: 'cancelled' }
  /** An input is missing in the store; whoever has it puts it there and asks again. */
  | { readonly state: 'unsupplied'; readonly message: string };

/** What clients and workers tell each other; any of it may be lost. */
export type Notice = 'cancel' | 'leaving' | 'staying';

export interface QueueListener {
  readonly active: (key: string) => void;
  readonly progress: (key: string, event: JobEvent) => void;
  /** Time to ask. */
  readonly ended: (key: string) => void;
}

/** The client's side. */
export interface JobQueue {
  /** Puts a job into the queue, unless it is there; one that has ended is replaced. */
  add(job: QueuedJob, priority: number): Promise<void>;
  /** How a job stands. */
  ask(key: string): Promise<'absent' | 'open' | QueuedEnd>;
  /** Takes a job out, where nobody works on it. */
  remove(key: string): Promise<void>;
  watch(listener: QueueListener): void;
  say(notice: Notice, key: string, from: string): Promise<void>;
  hear(notice: Notice, listener: (key: string, from: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** What a worker does with a job. */
export type JobHandler = (
  /** From the queue, where others can write: to be checked. */
  data: unknown,
  onEvent: (event: JobEvent) => void,
) => Promise<QueuedEnd>;
