/** A store in a folder, on one machine or shared by many: whatever is published becomes visible by one rename. */

import { randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { OutputError } from '@pelt/model';
import { type Clock, SYSTEM_CLOCK } from '../machine/clock.ts';
import { cannotStore, type Disk, NODE_DISK, writing } from '../machine/disk.ts';
import { wholeResult } from './marker.ts';
import {
  ChangedInput,
  DamagedResult,
  hexadecimal,
  LostInput,
  MARKER,
  type Scratch,
  type Store,
  type StoredObject,
} from './store.ts';

/** What nobody has renewed for so long was left by a killed process. */
const STALE_AFTER = 24 * 3600 * 1000;
/** Between two renewals. Several may fail, and clocks of machines may differ by hours. */
const RENEW_EVERY = 10 * 60 * 1000;
/** Tries to publish over what is damaged, where others do so at the same time. */
const TRIES = 4;

/** What a folder store stands on; for tests. */
export interface Platform {
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly randomName?: () => string;
}

export class FolderStore implements Store {
  readonly folder: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly #randomName: () => string;

  private constructor(folder: string, { disk = NODE_DISK, clock = SYSTEM_CLOCK, randomName = hex }: Platform) {
    this.folder = folder;
    this.disk = disk;
    this.clock = clock;
    this.#randomName = randomName;
  }

  /** Opens a store; the folder is made where it is not there, and what killed processes left in it is removed. */
  static async open(folder: string, platform: Platform = {}): Promise<FolderStore> {
    const store = new FolderStore(resolve(folder), platform);
    for (const part of ['inputs', 'objects', 'tmp'])
      await writing(store.folder, store.disk.makeFolder(join(store.folder, part)));
    await store.#sweep();
    return store;
  }

  async scratch(): Promise<Scratch> {
    const folder = this.#temporary();
    const { disk, clock } = this;
    await writing(folder, disk.makeFolder(folder));
    const stop = clock.every(RENEW_EVERY, () => void disk.touch(folder, clock.now()).catch(() => {}));
    return {
      folder,
      release: async () => {
        stop();
        // What cannot be removed now is swept later.
        await disk.remove(folder).catch(() => {});
      },
    };
  }

  async hasInput(sha: string): Promise<boolean> {
    return (await this.disk.entry(this.inputPath(sha)))?.kind === 'file';
  }

  async putInput(sha: string, path: string): Promise<void> {
    const target = this.inputPath(sha);
    // Whoever uses it compares its hash; here it has to be there, and no more.
    if (await this.hasInput(sha)) return;
    const temporary = this.#temporary();
    try {
      // A copy, not a link: the user may write to the file later.
      await writing(target, this.disk.copy(path, temporary));
      if ((await this.disk.hash(temporary)) !== sha) throw new ChangedInput(path);
      await writing(target, this.disk.rename(temporary, target));
    } finally {
      await this.disk.remove(temporary).catch(() => {});
    }
  }

  async fetchInput(sha: string, path: string): Promise<void> {
    const source = this.inputPath(sha);
    const { disk } = this;
    await writing(path, disk.makeFolder(dirname(path)));
    if (!(await this.hasInput(sha))) throw new LostInput(sha);
    try {
      await disk.link(source, path).catch(() => disk.copy(source, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new LostInput(sha);
      throw cannotStore(path, error);
    }
    if ((await disk.hash(path)) === sha) return;
    await disk.remove(path);
    await this.#dropInput(sha);
    throw new LostInput(sha);
  }

  async find(key: string): Promise<StoredObject | undefined> {
    return wholeResult(this.disk, this.objectPath(key), key, false);
  }

  async fetch({ key, contents }: StoredObject, name: string, path: string): Promise<void> {
    const { disk } = this;
    await writing(path, disk.makeFolder(dirname(path)));
    try {
      await disk.copy(join(this.objectPath(key), name), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw await this.#damaged(key, name);
      throw cannotStore(path, error);
    }
    if (name === MARKER || (await disk.hash(path)) === contents[name]?.sha) return;
    await disk.remove(path);
    throw await this.#damaged(key, name);
  }

  async publish(key: string, folder: string): Promise<boolean> {
    if (!(await wholeResult(this.disk, folder, key, false))) throw new DamagedResult(key, MARKER);
    for (let tries = 1; ; tries++) {
      try {
        await this.disk.rename(folder, this.objectPath(key));
        return true;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR')
          throw new OutputError(`cannot write to the store '${this.folder}': ${message}`, { cause: error });
        if (await wholeResult(this.disk, this.objectPath(key), key, true)) return false;
        if (tries === TRIES) throw new DamagedResult(key, MARKER);
        await this.discard(key);
      }
    }
  }

  /**
   * Takes a damaged result out of the store. Somebody may have put a whole one in its place a moment ago: what was taken
   * is looked at again, and goes back where it is whole.
   *
   * @returns whether it was damaged
   */
  async discard(key: string): Promise<boolean> {
    const { disk } = this;
    const taken = this.#temporary();
    try {
      await disk.rename(this.objectPath(key), taken);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw cannotStore(this.objectPath(key), error);
    }
    const whole = await wholeResult(disk, taken, key, true);
    // Where there is a newer one already, that one is as good.
    if (whole) await disk.rename(taken, this.objectPath(key)).catch(() => {});
    await disk.remove(taken).catch(() => {});
    return !whole;
  }

  inputPath(sha: string): string {
    return join(this.folder, 'inputs', hexadecimal(sha));
  }

  objectPath(key: string): string {
    return join(this.folder, 'objects', hexadecimal(key));
  }

  #temporary(): string {
    return join(this.folder, 'tmp', this.#randomName());
  }

  async #damaged(key: string, name: string): Promise<DamagedResult> {
    await this.discard(key);
    return new DamagedResult(key, name);
  }

  /** By way of a name of its own, so that a good one that came meanwhile can go back. */
  async #dropInput(sha: string): Promise<void> {
    const taken = this.#temporary();
    await this.disk.rename(this.inputPath(sha), taken).catch(() => {});
    const good = (await this.disk.entry(taken))?.kind === 'file' && (await this.disk.hash(taken)) === sha;
    if (good) await this.disk.rename(taken, this.inputPath(sha)).catch(() => {});
    await this.disk.remove(taken).catch(() => {});
  }

  async #sweep(): Promise<void> {
    const folder = join(this.folder, 'tmp');
    for await (const name of this.disk.list(folder)) {
      const found = await this.disk.entry(join(folder, name)).catch(() => undefined);
      if (found && found.changed < this.clock.now() - STALE_AFTER)
        await this.disk.remove(join(folder, name)).catch(() => {});
    }
  }
}

function hex(): string {
  return randomBytes(8).toString('hex');
}
