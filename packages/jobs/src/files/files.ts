/**
 * The files that a job reads: of a disk, of memory, of a page. Reading is synchronous, as jobs run in workers, where
 * nobody waits for them, and solvers are synchronous too.
 *
 * Whatever cannot be read throws the error of `cannotRead`.
 */
import { InputError } from '@pelt/model';

export interface Files {
  /** Names of what is in a folder, in any order. */
  list(folder: string): readonly string[];
  /** `other` is what may never end or answer: a device, a pipe, a socket. */
  stat(path: string): FileState;
  /** A whole file; only a regular one. */
  read(path: string): Uint8Array<ArrayBuffer>;
  /**
   * Its bytes from `start` up to `end`, or as many of them as there are.
   *
   * @param into  room for them, which may be filled and returned in place of new memory
   */
  readRange(path: string, start: number, end: number, into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
  /**
   * What tells files apart: the same for all paths of one file or folder, links followed, with `/` between folders and
   * what they hold; undefined where nothing is.
   */
  identify(path: string): string | undefined;
  /**
   * The same for all names of one file or folder, hard links and other spellings included; also of one that does not
   * exist yet.
   */
  key(path: string): string;
  readonly paths: PathRules;
}

export interface FileState {
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
}

/** How paths are put together and taken apart. */
export interface PathRules {
  join(folder: string, name: string): string;
  dirname(path: string): string;
  basename(path: string): string;
}

/** Paths with `/`, as on the web. */
export const POSIX_PATHS: PathRules = {
  join: (folder, name) => (folder === '' || folder === '.' ? name : `${folder.replace(/\/$/, '')}/${name}`),
  dirname: (path) => /^(.*)\/[^/]*$/s.exec(path)?.[1] || (path.startsWith('/') ? '/' : '.'),
  basename: (path) => path.slice(path.lastIndexOf('/') + 1),
};

/**
 * The error of a file that cannot be read.
 *
 * @param reason  `there is no such file`
 * @example
 * {@includeCode ../../examples/files.ts}
 */
export function cannotRead(path: string, reason: string, cause?: unknown): InputError {
  return new InputError(`cannot read '${path}': ${reason}`, { cause });
}

/** Whether two paths lead to one file. */
export function areSame(files: Files, a: string, b: string): boolean {
  const identity = files.identify(a);
  return identity !== undefined && identity === files.identify(b);
}
