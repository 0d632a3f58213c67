import { UsageError } from '@pelt/model';
import { FolderStore } from './folder-store.ts';
import { S3Store } from './s3-store.ts';
import type { Store } from './store.ts';

/**
 * Opens a store.
 *
 * @param place  a folder, or `s3://bucket/prefix`
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export async function openStore(place: string): Promise<Store> {
  if (place.startsWith('s3://')) return S3Store.open(place);
  if (/^[a-z][a-z0-9+.-]+:\/\//.test(place))
    throw new UsageError(`unknown store '${place}'; give a folder or s3://bucket/prefix`);
  return FolderStore.open(place);
}
