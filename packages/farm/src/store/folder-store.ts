/** A store in a folder, on one machine or shared by many: whatever is published becomes visible by one rename. */

import { createHash, randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError, OutputError } from '@pelt/model';
import { MARKER, type Store, type StoredObject } from './store.ts';

/** What is in use by nobody that long after it was written was left by a killed process. */
const STALE_AFTER = 24 * 3600 * 1000;

export class FolderStore implements Store {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens a store; the folder is made where it is not there, and what killed processes left in it is removed. */
  static async open(folder: string): Promise<FolderStore> {
    const store = new FolderStore(resolve(folder));
    for (const part of ['inputs', 'objects', 'tmp'])
      await writing(store.folder, mkdir(join(store.folder, part), { recursive: true }));
    await store.#sweep();
    return store;
  }

  /** A new folder beside the results, in which one is prepared. */
  async scratch(): Promise<string> {
    const folder = join(this.folder, 'tmp', randomBytes(8).toString('hex'));
    await writing(folder, mkdir(folder));
    return folder;
  }

  async hasInput(sha: string): Promise<boolean> {
    return exists(this.#input(sha));
  }

  async putInput(sha: string, path: string): Promise<void> {
    const target = this.#input(sha);
    if (await exists(target)) return;
    const temporary = join(this.folder, 'tmp', randomBytes(8).toString('hex'));
    // A copy, not a link: the user may write to the file later. Where the file system can, it costs nothing.
    await writing(target, copyFile(path, temporary, constants.COPYFILE_FICLONE));
    if ((await hashOf(temporary)) !== sha) {
      await rm(temporary, { force: true });
      throw new InputError(`'${path}' changed while it was read; run the batch again when it is complete`);
    }
    await writing(target, rename(temporary, target));
  }

  async fetchInput(sha: string, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await linkOrCopy(this.#input(sha), path);
  }

  async find(key: string): Promise<StoredObject | undefined> {
    const folder = this.#object(key);
    if (!(await exists(join(folder, MARKER)))) return undefined;
    return { key, files: (await readdir(folder)).sort() };
  }

  async fetch(key: string, name: string, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writing(path, copyFile(join(this.#object(key), name), path, constants.COPYFILE_FICLONE));
  }

  async publish(key: string, folder: string): Promise<boolean> {
    try {
      await rename(folder, this.#object(key));
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST')
        throw new OutputError(`cannot write to the store '${this.folder}': ${(error as Error).message}`);
      await rm(folder, { recursive: true, force: true });
      return false;
    }
  }

  #input(sha: string): string {
    return join(this.folder, 'inputs', hexadecimal(sha));
  }

  #object(key: string): string {
    return join(this.folder, 'objects', hexadecimal(key));
  }

  async #sweep(): Promise<void> {
    for (const name of await readdir(join(this.folder, 'tmp'))) {
      const path = join(this.folder, 'tmp', name);
      const found = await lstat(path).catch(() => undefined);
      if (found && found.mtimeMs < Date.now() - STALE_AFTER) await rm(path, { recursive: true, force: true });
    }
  }
}

/** Keys come from queues and requests as well: nothing but a hash may become a part of a path. */
export function hexadecimal(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new InputError(`'${key.slice(0, 80)}' is not a SHA-256 in hexadecimal`);
  return key;
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    // Another file system.
    await writing(to, copyFile(from, to, constants.COPYFILE_FICLONE));
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function writing<T>(path: string, action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutputError(`cannot write '${path}': ${code === 'ENOSPC' ? 'the disk is full' : message}`, {
      cause: error,
    });
  }
}
