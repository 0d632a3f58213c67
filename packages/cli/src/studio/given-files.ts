/** Files that the studio is told to open: what a page may read, and what it is told of them. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { InputError } from '@pelt/model';

export interface GivenFiles {
  readonly inputs: readonly string[];
  readonly rest?: string | undefined;
  readonly fps?: number | undefined;
  /** A rig that plays the animation. */
  readonly rig?: string | undefined;
}

/** Names as the page shows them; the k-th file is read as `files/k`. */
export interface ListedFiles {
  readonly files: readonly string[];
  readonly inputs: readonly string[];
  readonly rest?: string | undefined;
  readonly fps?: number | undefined;
  readonly rig?: string | undefined;
}

export function openGiven({ inputs, rest, fps, rig }: GivenFiles): {
  paths: string[];
  listed: ListedFiles | undefined;
} {
  if (inputs.length === 0) return { paths: [], listed: undefined };
  const found = [...inputs, rest, rig].flatMap((path) => (path === undefined ? [] : filesOf(path)));
  const first = new Map(found.map(({ path, name }) => [path, name]));
  const nameOf = (path: string) => first.get(resolve(path)) ?? basename(path);
  return {
    paths: [...first.keys()],
    listed: {
      files: [...first.values()],
      inputs: inputs.map((path) => nameOf(path)),
      ...(rest !== undefined && { rest: nameOf(rest) }),
      ...(fps !== undefined && { fps }),
      ...(rig !== undefined && { rig: nameOf(rig) }),
    },
  };
}

/** A file, or the files in a folder, by the names that the page gets: without where they lie on this machine. */
function filesOf(path: string): { path: string; name: string }[] {
  try {
    if (!statSync(path).isDirectory()) return [{ path: resolve(path), name: basename(path) }];
    const folder = basename(resolve(path));
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ path: resolve(join(path, name)), name: `${folder}/${name}` }));
  } catch (error) {
    throw new InputError(`cannot read '${path}': ${(error as Error).message}`, { cause: error });
  }
}
