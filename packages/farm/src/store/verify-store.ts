/** A full check of a store: every content is read and compared with its hash, in memory that does not grow with it. */
import { join } from 'node:path';
import { UsageError } from '@pelt/model';
import { FolderStore } from './folder-store.ts';
import { wholeResult } from './marker.ts';
import type { Store } from './store.ts';

export interface StoreCheck {
  readonly results: number;
  readonly damagedResults: number;
  readonly inputs: number;
  readonly damagedInputs: number;
}

export interface VerifyOptions {
  /** Whether what is damaged is removed, so that it is computed again when it is asked for. */
  readonly repair?: boolean;
  /** Told of what is damaged. */
  readonly onDamage?: (what: 'result' | 'input', name: string) => void;
}

const HASH = /^[0-9a-f]{64}$/;

/**
 * Checks all of a store in a folder.
 *
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export async function verifyStore(store: Store, { repair = true, onDamage }: VerifyOptions = {}): Promise<StoreCheck> {
  if (!(store instanceof FolderStore))
    throw new UsageError('a store in a folder can be checked; a bucket compares hashes by itself');
  const { disk, folder } = store;
  const counts = { results: 0, damagedResults: 0, inputs: 0, damagedInputs: 0 };
  for await (const name of disk.list(join(folder, 'objects'))) {
    counts.results++;
    const whole = HASH.test(name) && (await wholeResult(disk, join(folder, 'objects', name), name, true));
    if (whole) continue;
    counts.damagedResults++;
    onDamage?.('result', name);
    if (repair) await (HASH.test(name) ? store.discard(name) : disk.remove(join(folder, 'objects', name)));
  }
  for await (const name of disk.list(join(folder, 'inputs'))) {
    counts.inputs++;
    const path = join(folder, 'inputs', name);
    const file = HASH.test(name) && (await disk.entry(path))?.kind === 'file';
    if (file && (await disk.hash(path).catch(() => '')) === name) continue;
    counts.damagedInputs++;
    onDamage?.('input', name);
    if (repair) await disk.remove(path);
  }
  return counts;
}
