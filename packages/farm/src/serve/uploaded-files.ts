/**
 * The files of a request that came over the network: names that it chose, for contents that were uploaded before. A name
 * is looked up in a table and never becomes a path.
 */
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { cannotRead, type FileState, type Files, POSIX_PATHS } from '@pelt/jobs';
import { UsageError } from '@pelt/model';
import type { FolderStore } from '../store/folder-store.ts';

/** Letters, digits, and what stands between them; at most one folder deep. */
const NAME = /^(?:[\w][\w .-]{0,99}\/)?[\w][\w .-]{0,99}$/;
const MOST_FILES = 10_000;

export class UploadedFiles implements Files {
  readonly paths = POSIX_PATHS;
  readonly #places = new Map<string, string>();

  /** @param given  name → SHA-256 of an upload */
  constructor(given: unknown, store: FolderStore) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new UsageError('files is an object of names and SHA-256 sums of uploads');
    }
    const entries = Object.entries(given);
    if (entries.length > MOST_FILES)
      throw new UsageError(`${entries.length} files are too many; give at most ${MOST_FILES}`);
    for (const [name, sha] of entries) {
      if (!NAME.test(name) || name.includes('..'))
        throw new UsageError(`'${name.slice(0, 80)}' is not a name of a file: letters, digits, dots, dashes`);
      if (typeof sha !== 'string') throw new UsageError(`'${name}' has no SHA-256`);
      const place = store.inputPath(sha);
      if (!lstatSync(place, { throwIfNoEntry: false })?.isFile())
        throw new UsageError(`'${name}': ${sha} was not uploaded`);
      this.#places.set(name, place);
    }
  }

  list(folder: string): readonly string[] {
    const prefix = `${nameOf(folder)}/`;
    const names = [...this.#places.keys()]
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
    if (names.length === 0) throw cannotRead(folder, 'there is no such folder among the uploads');
    return names;
  }

  stat(path: string): FileState {
    const place = this.#places.get(nameOf(path));
    if (place) return { kind: 'file', bytes: statSync(place).size };
    this.list(path);
    return { kind: 'folder', bytes: 0 };
  }

  read(path: string): Uint8Array<ArrayBuffer> {
    return readFileSync(this.placeOf(path));
  }

  readRange(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
    const file = openSync(this.placeOf(path), 'r');
    try {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, fstatSync(file).size) - start));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    } finally {
      closeSync(file);
    }
  }

  identify(path: string): string | undefined {
    const name = nameOf(path);
    // The folder of all uploads.
    if (name === '.' || name === '') return '/uploads';
    const known = this.#places.has(name) || [...this.#places.keys()].some((other) => other.startsWith(`${name}/`));
    return known ? `/uploads/${name}` : undefined;
  }

  key(path: string): string {
    return `/uploads/${nameOf(path)}`;
  }

  /** Where an upload lies. */
  placeOf(path: string): string {
    const place = this.#places.get(nameOf(path));
    if (!place) throw cannotRead(path, 'it is not among the uploads of this job');
    return place;
  }
}

/** Paths as jobs put them together: from the folder of the uploads, by identity, or with a `./`. */
function nameOf(path: string): string {
  return path
    .replace(/^\/uploads(?:\/|$)/, '')
    .replace(/^\.\//, '')
    .replace(/\/$/, '');
}
