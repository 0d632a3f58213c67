/**
 * The folder that a client may use. Paths are relative to it; what leads out of it, by `..`, as an absolute path or through
 * a link, is refused before a job begins.
 */
import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InputError, UsageError } from '@pelt/model';

export class AllowedFolder {
  /** Without links. */
  readonly path: string;

  constructor(folder: string) {
    try {
      this.path = realpathSync(folder);
    } catch (error) {
      throw new InputError(`cannot open the folder '${folder}': ${(error as Error).message}`, { cause: error });
    }
    if (!statSync(this.path).isDirectory()) throw new InputError(`'${folder}' is not a folder`);
  }

  /** Throws `UsageError` unless a path is inside, with all links on it followed as far as it exists. */
  require(path: string): void {
    const place = resolve(this.path, path);
    if (isAbsolute(path) || !this.#has(place) || !this.#has(realPlace(place))) {
      throw new UsageError(`'${path}' is outside of the allowed folder; give a path inside of it, relative to it`);
    }
  }

  #has(place: string): boolean {
    const way = relative(this.path, place);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }
}

/** Where a path leads: of one that does not exist yet, by the nearest folder above that does. */
function realPlace(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    const above = dirname(place);
    return above === place ? place : join(realPlace(above), relative(above, place));
  }
}
