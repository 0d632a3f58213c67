/**
 * The few things that a store does to files. Whatever a store promises follows from these alone, so that a simulated
 * disk that tears writes, loses power and fills up can stand in for a real one.
 */
import { createHash } from 'node:crypto';
import { constants, createReadStream, lstatSync, realpathSync } from 'node:fs';
import { copyFile, link, lstat, mkdir, opendir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { OutputError, PeltError } from '@pelt/model';
import { physicalPath } from '../files/node-files.ts';

export interface DiskEntry {
  /** Links are others: nothing in a store is one. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

/** Failures are errors of Node with a `code`, such as `ENOENT`. */
export interface Disk {
  /** With the folders above it. */
  makeFolder(path: string): Promise<void>;
  /** Names in a folder, in any order, without holding all of them. */
  list(folder: string): AsyncIterable<string>;
  /** Undefined where nothing is. */
  entry(path: string): Promise<DiskEntry | undefined>;
  /** A small file. */
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** A copy that later changes of the original do not reach; follows links. */
  copy(from: string, to: string): Promise<void>;
  /** A second name for a file; fails across file systems. */
  link(from: string, to: string): Promise<void>;
  /** Replaces files; fails with `ENOTEMPTY` or `EEXIST` where a folder with something in it is in the way. */
  rename(from: string, to: string): Promise<void>;
  /** With everything in it; whether it is there or not. */
  remove(path: string): Promise<void>;
  /**
   * The file that a rename should replace, as single commands have it: the end of a link, not the link; with links in the
   * path followed as the system follows them. Fails for folders and devices.
   */
  target(path: string): Promise<string>;
  /** Sets the time of change to that of the clock. */
  touch(path: string, now: number): Promise<void>;
  /** SHA-256 of the content, in hexadecimal. */
  hash(path: string): Promise<string>;
}

export const NODE_DISK: Disk = {
  makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
  list: async function* (folder) {
    for await (const { name } of await opendir(folder)) yield name;
  },
  entry: async (path) => {
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw error;
    });
    if (!found) return undefined;
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
    return { kind, bytes: found.size, changed: found.mtimeMs };
  },
  read: (path) => readFile(path, 'utf8'),
  write: (path, text) => writeFile(path, text),
  // Where the file system can, a copy costs nothing.
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE),
  link,
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
  target: async (path) => finalPath(physicalPath(path)),
  touch: (path, now) => utimes(path, now / 1000, now / 1000),
  hash: hashOf,
};

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

function finalPath(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return path;
  const real = found.isSymbolicLink() ? realpathSync(path) : path;
  const end = lstatSync(real);
  if (end.isFile()) return real;
  const why = end.isDirectory() ? 'it is a folder; name a file in it' : 'it is not a regular file';
  throw new OutputError(`cannot write '${path}': ${why}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a limit on the size of files is exceeded',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

/** What a disk refused, as an error that ends one job in one line and no other. */
export function cannotStore(path: string, error: unknown): PeltError {
  if (error instanceof PeltError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new OutputError(`cannot write '${path}': ${REASONS[code ?? ''] ?? message}`, { cause: error });
}

/** Turns the failure of a write into one line. */
export async function writing<T>(path: string, action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    throw cannotStore(path, error);
  }
}
