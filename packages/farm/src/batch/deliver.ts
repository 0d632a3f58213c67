/** Copies a result from the store to where it is wanted: all of its files or none, each compared with its hash. */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { writing } from '../machine/disk.ts';
import { DamagedResult, MARKER, REPORT, type Store, type StoredFile, type StoredObject } from '../store/store.ts';

export interface Delivered {
  /** Of all files of the result. */
  readonly bytes: number;
  readonly report: Record<string, unknown>;
}

/**
 * @param output   where the job wanted its result; the other files go beside it
 * @param refuse   throws where a file may not be written
 * @throws DamagedResult where the store no longer has what was published
 */
export async function deliver(
  key: string,
  output: string | undefined,
  store: Store,
  refuse: (path: string) => void,
): Promise<Delivered> {
  const { disk } = store;
  const found = await store.find(key);
  if (!found) throw new DamagedResult(key, MARKER);
  const suffix = `.pelt-${randomBytes(4).toString('hex')}.tmp`;
  const staged: [temporary: string, target: string][] = [];
  let bytes = 0;
  try {
    const report = await readReport(found, store);
    for (const [name, file] of output === undefined ? [] : Object.entries(found.contents)) {
      if (name === REPORT) continue;
      const wanted = `${dirname(output ?? '')}/${name}`;
      // A texture that stays beside the mesh that it came with is there already.
      bytes += file.bytes;
      if (await isThere(wanted, file, store)) continue;
      refuse(wanted);
      await writing(wanted, disk.makeFolder(dirname(wanted)));
      const target = await writing(wanted, disk.target(wanted));
      const temporary = join(dirname(target), `.${basename(target).slice(0, 60)}${suffix}`);
      staged.push([temporary, target]);
      await store.fetch(found, name, temporary);
    }
    for (const [temporary, target] of staged) await writing(target, disk.rename(temporary, target));
    return { bytes, report };
  } finally {
    for (const [temporary] of staged) await disk.remove(temporary).catch(() => {});
  }
}

async function isThere(path: string, { bytes, sha }: StoredFile, { disk }: Store): Promise<boolean> {
  const found = await disk.entry(path).catch(() => undefined);
  return found?.kind === 'file' && found.bytes === bytes && (await disk.hash(path)) === sha;
}

async function readReport(found: StoredObject, store: Store): Promise<Record<string, unknown>> {
  const scratch = await store.scratch();
  const path = join(scratch.folder, REPORT);
  try {
    await store.fetch(found, REPORT, path);
    return JSON.parse(await store.disk.read(path)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedResult(found.key, REPORT);
    throw error;
  } finally {
    await scratch.release();
  }
}
