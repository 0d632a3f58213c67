/** The jobs of a server: one entry a key, however many clients ask for it, with what happens told to all of them. */
import { exitCodeOf } from '@pelt/model';
import type { Engine } from '../engine/engine.ts';
import type { JobEvent } from '../engine/run-child.ts';
import type { PackedHere } from '../pack/pack-job.ts';
import type { Store } from '../store/store.ts';

export interface PublicState {
  readonly key: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress?: { readonly stage: string; readonly fraction: number };
  readonly message?: string;
  readonly exitCode?: number;
  readonly files?: readonly string[];
}

interface Entry {
  state: PublicState;
  /** Clients that have asked for it and not cancelled. */
  wanted: number;
  readonly cancel: AbortController;
  readonly listeners: Set<(state: PublicState) => void>;
}

const ENDED_BADLY: readonly string[] = ['failed', 'cancelled'];

export function hasEnded({ state }: PublicState): boolean {
  return state !== 'waiting' && state !== 'running';
}

/** Ends that are remembered; results stay in the store. */
const REMEMBERED = 1000;

export class JobBoard {
  readonly #engine: Engine;
  readonly #store: Store;
  readonly #entries = new Map<string, Entry>();

  constructor(engine: Engine, store: Store) {
    this.#engine = engine;
    this.#store = store;
  }

  get open(): number {
    let count = 0;
    for (const { state } of this.#entries.values()) if (!hasEnded(state)) count++;
    return count;
  }

  async submit(packed: PackedHere): Promise<PublicState> {
    const { key } = packed.job;
    const known = this.#entries.get(key);
    // A result may have been damaged or removed since: then it is computed again.
    const lost = known?.state.state === 'done' && !(await this.#store.find(key));
    if (lost && this.#entries.get(key) === known) this.#entries.delete(key);
    const kept = this.#entries.get(key);
    if (kept && !ENDED_BADLY.includes(kept.state.state) && !kept.cancel.signal.aborted) {
      kept.wanted++;
      return kept.state;
    }
    // Whoever listens to an end has heard it, and gets nothing of what comes after.
    const entry: Entry = {
      state: { key, state: 'waiting' },
      wanted: 1,
      cancel: new AbortController(),
      listeners: new Set(),
    };
    this.#entries.set(key, entry);
    this.#forget();
    void this.#run(packed, entry);
    return entry.state;
  }

  async stateOf(key: string): Promise<PublicState | undefined> {
    const entry = this.#entries.get(key);
    if (entry && entry.state.state !== 'done') return entry.state;
    const found = await this.#store.find(key);
    return found && { key, state: 'done', files: found.files };
  }

  /** @returns a function that ends it */
  watch(key: string, listener: (state: PublicState) => void): () => void {
    const listeners = this.#entries.get(key)?.listeners;
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  /**
   * One client no longer wants a job; it goes on while others do.
   *
   * @returns whether it was cancelled; undefined where there is no such job
   */
  cancel(key: string): boolean | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.wanted--;
    if (entry.wanted > 0) return false;
    entry.cancel.abort();
    return true;
  }

  close(): void {
    for (const { cancel } of this.#entries.values()) cancel.abort();
  }

  async #run(packed: PackedHere, entry: Entry): Promise<void> {
    const change = (next: Omit<PublicState, 'key'>) => {
      entry.state = { key: packed.job.key, ...next };
      for (const listener of [...entry.listeners]) {
        try {
          listener(entry.state);
        } catch {
          // One connection that is broken is no reason to keep the news from the others.
          entry.listeners.delete(listener);
        }
      }
      if (hasEnded(entry.state)) entry.listeners.clear();
    };
    try {
      const end = await this.#engine.run(packed, {
        priority: 0,
        signal: entry.cancel.signal,
        onStart: () => change({ state: 'running' }),
        onEvent: (event: JobEvent) => {
          if (event.type !== 'progress') return;
          const { stage, fraction } = event.progress;
          change({ state: 'running', progress: { stage, fraction } });
        },
      });
      if (end.state === 'done') change({ state: 'done', files: (await this.#store.find(packed.job.key))?.files ?? [] });
      else if (end.state === 'failed') change({ state: 'failed', message: end.message, exitCode: end.exitCode });
      else change({ state: 'cancelled' });
    } catch (error) {
      change({ state: 'failed', message: (error as Error).message, exitCode: exitCodeOf(error) });
    }
  }

  #forget(): void {
    for (const [key, { state, listeners }] of this.#entries) {
      if (this.#entries.size <= REMEMBERED) return;
      if (listeners.size === 0 && hasEnded(state)) this.#entries.delete(key);
    }
  }
}
