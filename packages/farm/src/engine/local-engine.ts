/** The engine that needs no server: a few processes of this machine at a time. */
import type { PackedHere } from '../pack/pack-job.ts';
import type { Store } from '../store/store.ts';
import { ATTEMPTS, type Engine, type RunOptions } from './engine.ts';
import { executeJob, type JobEnd, type Runner } from './execute-job.ts';
import { type ChildOptions, childRunner, isWorthAnotherTry } from './run-child.ts';

export interface LocalOptions extends ChildOptions {
  /** Most jobs at a time. */
  readonly jobs: number;
}

interface Waiting {
  readonly priority: number;
  readonly order: number;
  readonly start: () => void;
}

export class LocalEngine implements Engine {
  readonly #store: Store;
  readonly #jobs: number;
  readonly #run: Runner;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #order = 0;

  /** @param run  what runs a job; a process, unless a test has another way */
  constructor(store: Store, options: LocalOptions, run: Runner = childRunner(options)) {
    this.#store = store;
    this.#jobs = options.jobs;
    this.#run = run;
  }

  async run({ job, sources }: PackedHere, options: RunOptions): Promise<JobEnd> {
    await this.#turn(options.priority);
    const { signal, onEvent, onStart } = options;
    try {
      if (signal.aborted) return { state: 'cancelled' };
      onStart();
      for (let tries = 1; ; tries++) {
        const end = await executeJob(job, this.#store, { run: this.#run, signal, onEvent, sources });
        if (end.state !== 'failed' || !isWorthAnotherTry(end) || tries === ATTEMPTS) return end;
      }
    } finally {
      this.#running--;
      this.#next();
    }
  }

  async close(): Promise<void> {}

  #turn(priority: number): Promise<void> {
    return new Promise((start) => {
      this.#waiting.push({ priority, order: this.#order++, start });
      // Jobs that come together are sorted before the first is taken.
      queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    if (this.#running >= this.#jobs || this.#waiting.length === 0) return;
    this.#waiting.sort((a, b) => b.priority - a.priority || a.order - b.order);
    this.#running++;
    this.#waiting.shift()?.start();
    this.#next();
  }
}
