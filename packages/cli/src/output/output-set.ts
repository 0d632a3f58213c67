/**
 * All files that a run writes, or none. Each is written beside its target under a name of its own; only when every one
 * is complete does `commitStaged` rename them. Whatever ends the run before that leaves the targets as they were.
 */
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { physicalPath } from '@pelt/farm/files';
import type { Outputs, WrittenFile } from '@pelt/jobs';
import { OutputError } from '@pelt/model';
import { cannotWrite } from './cannot-write.ts';
import { commitStaged, randomName, removeQuietly, type StagedFile } from './staged-files.ts';

/** Longest part of the target's name that goes into that of the temporary file; most systems allow 255 bytes. */
const NAME_LENGTH = 60;
/** Names are random: those of a killed run, or of one in another container, are never in the way. */
const TEMPORARY = /^\.pelt-[0-9a-f]{8}\.tmp$/;
const TRIES = 8;
/** Milliseconds after which a temporary file that nobody has written to is a killed run's. */
const STALE_AFTER = 24 * 3600 * 1000;

export class OutputSet implements Outputs {
  readonly #staged = new Map<string, StagedFile>();
  readonly #onTemporary: (path: string) => void;
  /** What lay in the folders of the targets before. */
  readonly #listings = new Map<string, readonly string[]>();
  /** Folders that were made, innermost first. */
  #folders: string[] = [];

  /** @param onTemporary  told of every temporary file, and of every folder made for one, so that another thread can remove it */
  constructor(onTemporary: (path: string) => void = () => {}) {
    this.#onTemporary = onTemporary;
  }

  reserve(target: string): void {
    this.#stage(target);
  }

  write(target: string, bytes: Uint8Array | string): void {
    const staged = this.#stage(target);
    const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    put(staged, content, 'w');
    staged.bytes = content.length;
  }

  append(target: string, bytes: Uint8Array): void {
    const staged = this.#stage(target);
    // Not created anew: where the beginning is gone, the rest is of no use.
    put(staged, bytes, staged.bytes === undefined ? 'w' : constants.O_WRONLY | constants.O_APPEND);
    staged.bytes = (staged.bytes ?? 0) + bytes.length;
  }

  get written(): readonly WrittenFile[] {
    return this.staged.flatMap(({ target, bytes }) => (bytes === undefined ? [] : [{ path: target, bytes }]));
  }

  /** What there is to be renamed, as plain data for another thread. */
  get staged(): readonly StagedFile[] {
    return [...this.#staged.values()];
  }

  /** Makes what was written visible; files that were reserved and never written are dropped. */
  commit(): void {
    commitStaged(this.staged);
    this.#staged.clear();
    this.#folders = [];
  }

  /** Removes everything that is not committed, and the folders made for it. Never throws. */
  discard(): void {
    for (const path of [...this.staged.map(({ temporary }) => temporary), ...this.#folders]) removeQuietly(path);
    this.#staged.clear();
    this.#folders = [];
  }

  #stage(target: string): StagedFile {
    const absolute = physicalPath(target);
    const known = this.#staged.get(absolute);
    if (known) return known;
    try {
      this.#makeFolder(dirname(absolute));
      const path = finalPath(absolute);
      const [folder, prefix] = [dirname(path), `.${basename(path).slice(0, NAME_LENGTH)}`];
      this.#sweep(folder, prefix);
      const staged: StagedFile = { target, path, temporary: this.#create(folder, prefix), bytes: undefined };
      this.#staged.set(absolute, staged);
      return staged;
    } catch (error) {
      throw cannotWrite(target, error);
    }
  }

  /** An empty file under a name that nobody had. */
  #create(folder: string, prefix: string): string {
    for (let tries = 1; ; tries++) {
      const temporary = join(folder, `${prefix}.pelt-${randomName()}.tmp`);
      this.#onTemporary(temporary);
      try {
        // Fails where the name is taken, also by a link that somebody left there.
        closeSync(openSync(temporary, 'wx'));
        return temporary;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries === TRIES) throw error;
      }
    }
  }

  /**
   * Removes what killed runs left for the same target. Whether another run is alive cannot be told across containers and
   * machines, so it goes by age: a day after it was last written to. Should a run be slower than that, it writes its
   * temporary file anew.
   */
  #sweep(folder: string, prefix: string): void {
    const names = this.#listings.get(folder) ?? readdirSync(folder);
    this.#listings.set(folder, names);
    for (const name of names) {
      if (!name.startsWith(prefix) || !TEMPORARY.test(name.slice(prefix.length))) continue;
      const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (found?.isFile() && found.mtimeMs < Date.now() - STALE_AFTER) removeQuietly(join(folder, name));
    }
  }

  #makeFolder(folder: string): void {
    const outermost = mkdirSync(folder, { recursive: true });
    if (outermost === undefined) return;
    const made: string[] = [];
    for (let path = folder; ; path = dirname(path)) {
      made.push(path);
      if (path === outermost || path === dirname(path)) break;
    }
    for (const path of made.toReversed()) this.#onTemporary(path);
    this.#folders = [...made, ...this.#folders];
  }
}

/** A single call writes 2 GiB at most. */
const WRITE_BYTES = 1 << 30;

function put({ target, temporary }: StagedFile, bytes: Uint8Array, flags: string | number): void {
  try {
    const file = openSync(temporary, flags);
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, Math.min(WRITE_BYTES, bytes.length - done));
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw cannotWrite(target, error);
  }
}

/** The file that a rename should replace: a link's end, not the link; never a folder or a device. */
function finalPath(absolute: string): string {
  const found = lstatSync(absolute, { throwIfNoEntry: false });
  if (!found) return absolute;
  const path = found.isSymbolicLink() ? realpathSync(absolute) : absolute;
  const stat = found.isSymbolicLink() ? lstatSync(path) : found;
  if (stat.isDirectory()) throw new OutputError('it is a folder; name a file in it');
  if (!stat.isFile()) throw new OutputError('it is not a regular file');
  return path;
}
