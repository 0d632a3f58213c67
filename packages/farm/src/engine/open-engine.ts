import type { Store } from '../store/store.ts';
import { isQueueUrl } from './connect-queue.ts';
import type { Engine } from './engine.ts';
import { LocalEngine, type LocalOptions } from './local-engine.ts';
import { QueueEngine } from './queue-engine.ts';

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
 * @param name   `local`, `redis://…` or `postgres://…`
 * @param local  of the processes of this machine
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export async function openEngine(name: string, store: Store, local: LocalOptions): Promise<Engine> {
  return name === 'local' ? new LocalEngine(store, local) : QueueEngine.connect(name, store);
}
