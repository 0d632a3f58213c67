/** Files that are held under paths with `/`: in memory, or by a page that a user gave them to. Folders follow from paths. */
import { cannotRead, type FileState, type Files, POSIX_PATHS } from './files.ts';

/** @template T  what holds the bytes of a file */
export abstract class StoredFiles<T> implements Files {
  readonly paths = POSIX_PATHS;
  readonly #files = new Map<string, T>();
  readonly #folders = new Map<string, Set<string>>([['', new Set()]]);

  protected abstract sizeOf(stored: T): number;
  protected abstract bytesOf(stored: T, start: number, end: number): Uint8Array<ArrayBuffer>;

  constructor(files: Iterable<readonly [path: string, stored: T]> | Readonly<Record<string, T>> = {}) {
    const entries = Symbol.iterator in files ? files : Object.entries(files);
    for (const [path, stored] of entries) this.set(path, stored);
  }

  /** Adds a file, or replaces it; the folders that it lies in come with it. */
  set(path: string, stored: T): void {
    const parts = partsOf(path);
    this.#files.set(parts.join('/'), stored);
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const folder = parts.slice(0, depth).join('/');
      const names = this.#folders.get(folder) ?? new Set();
      this.#folders.set(folder, names.add(parts[depth]));
    }
  }

  list(folder: string): readonly string[] {
    const names = this.#folders.get(keyOf(folder));
    if (!names) throw cannotRead(folder, 'there is no such folder');
    return [...names];
  }

  stat(path: string): FileState {
    if (this.#folders.has(keyOf(path))) return { kind: 'folder', bytes: 0 };
    return { kind: 'file', bytes: this.sizeOf(this.#find(path)) };
  }

  read(path: string): Uint8Array<ArrayBuffer> {
    return this.readRange(path, 0, Number.POSITIVE_INFINITY);
  }

  readRange(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
    const stored = this.#find(path);
    return this.bytesOf(stored, start, Math.min(end, this.sizeOf(stored)));
  }

  identify(path: string): string | undefined {
    const key = keyOf(path);
    return this.#files.has(key) || this.#folders.has(key) ? `/${key}` : undefined;
  }

  key(path: string): string {
    return keyOf(path);
  }

  #find(path: string): T {
    const key = keyOf(path);
    const stored = this.#files.get(key);
    if (stored !== undefined) return stored;
    throw cannotRead(path, this.#folders.has(key) ? 'it is a folder' : 'there is no such file');
  }
}

/** A path without `.`, `..` and doubled slashes; above the root is the root. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

function keyOf(path: string): string {
  return partsOf(path).join('/');
}
