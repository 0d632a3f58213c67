/** Files as bytes, with every way in which reading can fail turned into one line that says what to do. */
import { closeSync, openSync, readFileSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { InputError } from '@pelt/model';

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

export function statFile(path: string): Stats {
  return reading(path, () => statSync(path));
}

/** The whole file. Devices and pipes are refused: they may never end. */
export function readBytes(path: string): Uint8Array<ArrayBuffer> {
  requireRegular(path, statFile(path));
  return reading(path, () => readFileSync(path));
}

/** At most the first `count` bytes. */
export function readHead(path: string, count: number): Uint8Array {
  requireRegular(path, statFile(path));
  return reading(path, () => {
    const file = openSync(path, 'r');
    try {
      const bytes = new Uint8Array(count);
      return bytes.subarray(0, readSync(file, bytes, 0, count, 0));
    } finally {
      closeSync(file);
    }
  });
}

/**
 * Gives the files that a file names (buffers, material libraries, textures), from inside its own folder only: a path or
 * a link that leads elsewhere is as good as absent, and is told.
 *
 * @param path  the file that does the naming
 */
export function besides(path: string, warn: (message: string) => void): (named: string) => Uint8Array | undefined {
  return (named) => {
    let folder: string;
    let real: string;
    try {
      folder = realpathSync(dirname(path));
      real = realpathSync(join(folder, named));
    } catch {
      return undefined;
    }
    if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
      warn(`'${path}' names '${named}', which leads outside its folder and is not read`);
      return undefined;
    }
    if (!statFile(real).isFile()) return undefined;
    return readBytes(real);
  };
}

function requireRegular(path: string, stat: Stats): void {
  if (stat.isDirectory()) throw new InputError(`cannot read '${path}': it is a folder`);
  if (!stat.isFile()) throw new InputError(`cannot read '${path}': it is not a regular file; copy it into one first`);
}

function reading<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new InputError(`cannot read '${path}': ${REASONS[code ?? ''] ?? message}`, { cause: error });
  }
}
