/**
 * All files that a run writes, or none: each is written beside its target under a name of its own, and only when every
 * one is complete are they renamed. Whatever ends the run before that leaves the targets as they were.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OutputError } from '@pelt/model';

export interface StagedFile {
  readonly target: string;
  readonly bytes: number;
}

interface Staged {
  /** The path as it was asked for. */
  readonly target: string;
  /** Where it really goes: links followed. */
  readonly path: string;
  readonly temporary: string;
  bytes: number | undefined;
}

/** Longest part of the target's name that goes into that of the temporary file; most systems allow 255 bytes. */
const NAME_LENGTH = 60;

export class OutputSet {
  readonly #staged = new Map<string, Staged>();
  readonly #onTemporary: (path: string) => void;
  /** Folders that were made, innermost first. */
  #folders: string[] = [];

  /** @param onTemporary  told of every temporary file, and of every folder made for one, so that another thread can remove it */
  constructor(onTemporary: (path: string) => void = () => {}) {
    this.#onTemporary = onTemporary;
  }

  /** Makes sure, before any work is done, that the file can be written. */
  reserve(target: string): void {
    this.#stage(target);
  }

  write(target: string, bytes: Uint8Array | string): void {
    const staged = this.#stage(target);
    try {
      writeFileSync(staged.temporary, bytes);
    } catch (error) {
      throw cannotWrite(target, error);
    }
    staged.bytes = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.byteLength;
  }

  /** What was written so far, in the order in which it was first named. */
  get files(): StagedFile[] {
    return [...this.#staged.values()].flatMap(({ target, bytes }) => (bytes === undefined ? [] : [{ target, bytes }]));
  }

  get totalBytes(): number {
    return this.files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Renames all that was written; files that were reserved and never written are dropped. */
  commit(): void {
    for (const { target, path, temporary, bytes } of this.#staged.values()) {
      if (bytes === undefined) {
        rmSync(temporary, { force: true });
        continue;
      }
      try {
        renameSync(temporary, path);
      } catch (error) {
        throw cannotWrite(target, error);
      }
    }
    this.#staged.clear();
    this.#folders = [];
  }

  /** Removes everything that is not committed, and the folders made for it. Never throws. */
  discard(): void {
    for (const { temporary } of this.#staged.values()) removeQuietly(temporary);
    for (const folder of this.#folders) removeQuietly(folder);
    this.#staged.clear();
    this.#folders = [];
  }

  #stage(target: string): Staged {
    const absolute = resolve(target);
    const known = this.#staged.get(absolute);
    if (known) return known;
    try {
      this.#makeFolder(dirname(absolute));
      const path = finalPath(absolute);
      const name = `.${basename(path).slice(0, NAME_LENGTH)}.${process.pid}-${this.#staged.size}.tmp`;
      const staged: Staged = { target, path, temporary: join(dirname(path), name), bytes: undefined };
      this.#onTemporary(staged.temporary);
      // Fails where the name is taken, also by a link that somebody left there.
      closeSync(openSync(staged.temporary, 'wx'));
      this.#staged.set(absolute, staged);
      return staged;
    } catch (error) {
      throw cannotWrite(target, error);
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

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  ENOENT: 'its path leads nowhere',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its path is a loop of links',
};

function cannotWrite(target: string, error: unknown): OutputError {
  const { code, message } = error as { code?: string; message: string };
  const reason = error instanceof OutputError ? message : (REASONS[code ?? ''] ?? message);
  return new OutputError(`cannot write '${target}': ${reason}`, { cause: error });
}

/** Removes a file, or a folder where it is empty, whatever happens. */
export function removeQuietly(path: string): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(path);
    else rmSync(path, { force: true });
  } catch {
    // It is not ours to complain about: the run has its own end to report.
  }
}
