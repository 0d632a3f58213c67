import type { Store } from '../store/store.ts';
import { BullQueue } from './bull-queue.ts';
import { isQueueUrl } from './connect-queue.ts';
import type { Engine } from './engine.ts';
import { LocalEngine, type LocalOptions } from './local-engine.ts';
import { QueueEngine } from './queue-engine.ts';

/** What engines are opened with; that of a queue needs the last two alone. */
export interface EngineOptions extends LocalOptions {
  /** Of pelt. */
  readonly version: string;
  /** Signs jobs for a queue whose workers ask for that. */
  readonly jobKey?: string | undefined;
}

/**
 * Whether a name is that of an engine: `local`, `redis://…` or `postgres://…`.
 *
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export function isEngine(name: string): boolean {
  return name === 'local' || isQueueUrl(name);
}

/**
 * Opens an engine.
 *
 * @param name     `local`, `redis://…` or `postgres://…`
 * @param options  of the processes of this machine, or of the queue
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export async function openEngine(name: string, store: Store, options: EngineOptions): Promise<Engine> {
  if (name === 'local') return new LocalEngine(store, options);
  return QueueEngine.open(store, await BullQueue.connect(name, options.version), options);
}
