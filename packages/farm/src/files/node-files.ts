/** The files of the machine, with every way in which reading can fail turned into one line that says what to do. */
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import paths, { sep } from 'node:path';
import { cannotRead, type FileState, type Files, type PathRules } from '@pelt/jobs';
import { PeltError } from '@pelt/model';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its path is a loop of links',
  ENAMETOOLONG: 'its name is too long',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB; split the animation',
  ERR_INVALID_ARG_VALUE: 'its name has a zero character',
};

/**
 * The files of this machine, as jobs read them.
 *
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export class NodeFiles implements Files {
  readonly paths: PathRules = paths;

  list(folder: string): readonly string[] {
    return reading(folder, () => readdirSync(folder));
  }

  stat(path: string): FileState {
    const found = reading(path, () => statSync(path));
    return { kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other', bytes: found.size };
  }

  read(path: string): Uint8Array<ArrayBuffer> {
    this.#requireRegular(path);
    return reading(path, () => readFileSync(path));
  }

  readRange(path: string, start: number, end: number, into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    this.#requireRegular(path);
    return reading(path, () => {
      const file = openSync(path, 'r');
      try {
        const length = Math.max(0, Math.min(end, fstatSync(file).size) - start);
        const bytes = into && into.length >= length ? into.subarray(0, length) : new Uint8Array(length);
        return bytes.subarray(0, readWhole(file, bytes, start));
      } finally {
        closeSync(file);
      }
    });
  }

  identify(path: string): string | undefined {
    try {
      return realpathSync.native(path).replaceAll(sep, '/');
    } catch {
      return undefined;
    }
  }

  key(path: string): string {
    const folderIsThere = stateOf(paths.dirname(path)) !== undefined;
    // `..` behind a link leads out of where the link leads to; behind what is not there, it can only be taken as a word.
    const absolute = folderIsThere ? physicalPath(path) : paths.resolve(path);
    const found = stateOf(absolute);
    if (found) return `${found.dev}:${found.ino}`;
    const folder = paths.dirname(absolute);
    if (folder === absolute) return absolute;
    const name = paths.basename(absolute);
    return `${this.key(folder)}/${ignoresCase(folder) ? name.normalize().toLowerCase() : name}`;
  }

  /** Devices and pipes are refused: they may never end. */
  #requireRegular(path: string): void {
    const { kind } = this.stat(path);
    if (kind === 'folder') throw cannotRead(path, 'it is a folder');
    if (kind === 'other') throw cannotRead(path, 'it is not a regular file; copy it into one first');
  }
}

/**
 * The absolute path of a file in a folder that exists, with links in the folder's own path followed as the system
 * follows them: to write under any other would be to write elsewhere than where the user's path leads.
 *
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export function physicalPath(path: string): string {
  try {
    return paths.join(realpathSync.native(paths.dirname(path)), paths.basename(path));
  } catch {
    return paths.resolve(path);
  }
}

/** Undefined where nothing is, or where it cannot be looked at. */
function stateOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Whether a folder's own name can be spelt in the other case: then so can those of the files in it. */
function ignoresCase(folder: string): boolean {
  const name = paths.basename(folder);
  const lower = name.toLowerCase();
  const other = paths.join(paths.dirname(folder), lower === name ? name.toUpperCase() : lower);
  const [own, found] = [stateOf(folder), other === folder ? undefined : stateOf(other)];
  return own !== undefined && found !== undefined && own.dev === found.dev && own.ino === found.ino;
}

/** A single call reads 2 GiB at most. */
const READ_BYTES = 1 << 30;

/** @returns the number of bytes that were there */
function readWhole(file: number, bytes: Uint8Array, start: number): number {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(file, bytes, done, Math.min(READ_BYTES, bytes.length - done), start + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

function reading<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof PeltError) throw error;
    const { code, message } = error as { code?: string; message: string };
    throw cannotRead(path, REASONS[code ?? ''] ?? message, error);
  }
}
