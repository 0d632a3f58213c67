/** The files of the machine, with every way in which reading can fail turned into one line that says what to do. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import paths, { sep } from 'node:path';
import { cannotRead, type FileState, type Files } from '@pelt/jobs';
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
  readonly paths = paths;

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

  readRange(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
    this.#requireRegular(path);
    return reading(path, () => {
      const file = openSync(path, 'r');
      try {
        const bytes = new Uint8Array(Math.max(0, Math.min(end, fstatSync(file).size) - start));
        return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
      } finally {
        closeSync(file);
      }
    });
  }

  identify(path: string): string | undefined {
    try {
      return realpathSync(path).replaceAll(sep, '/');
    } catch {
      return undefined;
    }
  }

  /** Devices and pipes are refused: they may never end. */
  #requireRegular(path: string): void {
    const { kind } = this.stat(path);
    if (kind === 'folder') throw cannotRead(path, 'it is a folder');
    if (kind === 'other') throw cannotRead(path, 'it is not a regular file; copy it into one first');
  }
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
