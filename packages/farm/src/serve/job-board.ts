/** The jobs of a server: one entry a key, however many clients ask for it, with what happens told to all of them. */
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
  readonly cancel: AbortController;
  readonly listeners: Set<(state: PublicState) => void>;
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
    return [...this.#entries.values()].filter(({ state }) => state.state === 'waiting' || state.state === 'running')
      .length;
  }

  submit(packed: PackedHere): PublicState {
    const { key } = packed.job;
    const known = this.#entries.get(key);
    if (known && known.state.state !== 'failed' && known.state.state !== 'cancelled') return known.state;
    const entry: Entry = {
      state: { key, state: 'waiting' },
      cancel: new AbortController(),
      listeners: known?.listeners ?? new Set(),
    };
    this.#entries.set(key, entry);
    this.#forget();
    void this.#run(packed, entry);
    return entry.state;
  }

  async stateOf(key: string): Promise<PublicState | undefined> {
    const entry = this.#entries.get(key);
    if (entry) return entry.state;
    const found = await this.#store.find(key);
    return found && { key, state: 'done', files: found.files };
  }

  /** @returns a function that ends it */
  watch(key: string, listener: (state: PublicState) => void): () => void {
    const listeners = this.#entries.get(key)?.listeners;
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  cancel(key: string): boolean {
    const entry = this.#entries.get(key);
    entry?.cancel.abort();
    return entry !== undefined;
  }

  close(): void {
    for (const { cancel } of this.#entries.values()) cancel.abort();
  }

  async #run(packed: PackedHere, entry: Entry): Promise<void> {
    const change = (next: Omit<PublicState, 'key'>) => {
      entry.state = { key: packed.job.key, ...next };
      for (const listener of entry.listeners) listener(entry.state);
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
      change({ state: 'failed', message: (error as Error).message, exitCode: 5 });
    }
  }

  #forget(): void {
    for (const [key, { state, listeners }] of this.#entries) {
      if (this.#entries.size <= REMEMBERED) return;
      if (listeners.size === 0 && state.state !== 'waiting' && state.state !== 'running') this.#entries.delete(key);
    }
  }
}
