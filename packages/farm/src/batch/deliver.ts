/** Copies a result from the store to where it is wanted: all of its files or none, each compared with its hash. */
import { randomBytes } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { OutputError } from '@pelt/model';
import { physicalPath } from '../files/node-files.ts';
import { cannotStore, writing } from '../machine/disk.ts';
import { DamagedResult, MARKER, REPORT, type Store, type StoredFile } from '../store/store.ts';

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
  const found = await store.find(key);
  if (!found) throw new DamagedResult(key, MARKER);
  const suffix = `.pelt-${randomBytes(4).toString('hex')}.tmp`;
  const staged: [temporary: string, target: string][] = [];
  let bytes = 0;
  try {
    const report = await readReport(key, found, store);
    for (const [name, file] of output === undefined ? [] : Object.entries(found.contents)) {
      if (name === REPORT) continue;
      const wanted = `${dirname(output ?? '')}/${name}`;
      // A texture that stays beside the mesh that it came with is there already.
      bytes += file.bytes;
      if (await isThere(wanted, file, store)) continue;
      refuse(wanted);
      await writing(wanted, mkdir(dirname(wanted), { recursive: true }));
      const target = finalPath(physicalPath(wanted));
      const temporary = join(dirname(target), `.${basename(target).slice(0, 60)}${suffix}`);
      staged.push([temporary, target]);
      await store.fetch(found, name, temporary);
    }
    for (const [temporary, target] of staged) await writing(target, rename(temporary, target));
    return { bytes, report };
  } finally {
    for (const [temporary] of staged) await rm(temporary, { force: true });
  }
}

async function isThere(path: string, { bytes, sha }: StoredFile, { disk }: Store): Promise<boolean> {
  const found = await disk.entry(path).catch(() => undefined);
  return found?.kind === 'file' && found.bytes === bytes && (await disk.hash(path)) === sha;
}

/** The file that a rename should replace, as single commands have it: a link's end, not the link; never a folder. */
function finalPath(path: string): string {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return path;
    const real = found.isSymbolicLink() ? realpathSync(path) : path;
    const end = lstatSync(real);
    if (end.isFile()) return real;
    const why = end.isDirectory() ? 'it is a folder; name a file in it' : 'it is not a regular file';
    throw new OutputError(`cannot write '${path}': ${why}`);
  } catch (error) {
    throw cannotStore(path, error);
  }
}

async function readReport(
  key: string,
  found: NonNullable<Awaited<ReturnType<Store['find']>>>,
  store: Store,
): Promise<Record<string, unknown>> {
  const path = join(tmpdir(), `pelt-report-${randomBytes(8).toString('hex')}.json`);
  try {
    await store.fetch(found, REPORT, path);
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedResult(key, REPORT);
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}
