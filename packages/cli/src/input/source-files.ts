/**
 * What the paths on a command line are: folders opened, every file's format found, frames in natural order, and files
 * that make one animation put together.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { detectFormat, type FileFormat, naturalCompare } from '@pelt/io';
import { InputError, UnsupportedError, UsageError } from '@pelt/model';
import { readBytes, readHead, statFile } from './read-file.ts';

export interface SourceFile {
  /** As it was given, or as it was found in a folder that was. */
  readonly path: string;
  readonly format: FileFormat;
  readonly bytes: number;
}

/** The files of one animation. */
export interface Source {
  /** How messages and reports call it: `rest.obj + clip.pc2`, `pose-1.obj … pose-9.obj`, a folder. */
  readonly label: string;
  /** One glTF, or one mesh, or the meshes of the frames in order; none where the mesh is given apart. */
  readonly meshes: readonly SourceFile[];
  readonly cache?: SourceFile;
}

/** Enough for every signature and for the first lines of a text. */
const HEAD_BYTES = 4096;

const MESH_FORMATS: readonly FileFormat[] = ['obj', 'ply'];
const GLTF_FORMATS: readonly FileFormat[] = ['glb', 'gltf'];
const CACHE_FORMATS: readonly FileFormat[] = ['pc2', 'mdd'];

export function isGltf({ format }: SourceFile): boolean {
  return GLTF_FORMATS.includes(format);
}

export function isCache({ format }: SourceFile): boolean {
  return CACHE_FORMATS.includes(format);
}

export function sourceFile(path: string): SourceFile {
  const { size } = statFile(path);
  const head = readHead(path, HEAD_BYTES);
  try {
    return { path, format: detectFormat(path, head), bytes: size };
  } catch (error) {
    // Some formats show only in the whole file: an MDD by the sizes it announces.
    if (!(error instanceof UnsupportedError) || size <= HEAD_BYTES) throw error;
    return { path, format: detectFormat(path, readBytes(path)), bytes: size };
  }
}

/**
 * All paths as one animation.
 *
 * @param rest  path of the rest pose, which is not a frame even where a folder or a pattern names it
 */
export function sourceOf(paths: readonly string[], rest?: string): Source {
  if (paths.length === 0) throw new UsageError('no input is given; name a file or a folder of frames');
  const folder = paths.length === 1 && statFile(paths[0]).isDirectory();
  const files = paths.flatMap((path) => (statFile(path).isDirectory() ? filesIn(path) : [path]));
  const others = rest === undefined ? files : files.filter((path) => !samePath(path, rest));
  const source = assemble(others.map(sourceFile));
  return folder && source.meshes.length > 1 ? { ...source, label: paths[0] } : source;
}

/**
 * Paths as several animations, one after the other: every mesh, glTF or folder begins one, and a cache belongs to the
 * mesh before it.
 */
export function sourcesOf(paths: readonly string[]): Source[] {
  const groups: string[][] = [];
  let open: string[] | undefined;
  for (const path of paths) {
    const isFolder = statFile(path).isDirectory();
    if (!isFolder && isCache(sourceFile(path)) && open) {
      open.push(path);
      open = undefined;
      continue;
    }
    const group = [path];
    groups.push(group);
    open = isFolder || isCache(sourceFile(path)) ? undefined : group;
  }
  return groups.map((group) => sourceOf(group));
}

function assemble(files: readonly SourceFile[]): Source {
  const caches = files.filter(isCache);
  const gltfs = files.filter(isGltf);
  const meshes = files.filter(({ format }) => MESH_FORMATS.includes(format));
  if (caches.length > 1) {
    throw new UsageError(`'${caches[0].path}' and '${caches[1].path}' are two caches; give one with its mesh`);
  }
  if (gltfs.length > 0 && gltfs.length + meshes.length > 1) {
    const other = meshes[0] ?? gltfs[1];
    throw new UsageError(
      `'${gltfs[0].path}' is an animation of its own; leave '${other.path}' out, or give it as --rest`,
    );
  }
  if (caches.length === 1 && meshes.length > 1) {
    throw new UsageError(`the cache '${caches[0].path}' goes with one mesh, but ${meshes.length} are given`);
  }
  const ordered = meshes.toSorted((a, b) => naturalCompare(a.path, b.path));
  const all = [...gltfs, ...ordered];
  const names = all.length > 1 ? [`${all[0].path} … ${all[all.length - 1].path}`] : all.map(({ path }) => path);
  for (const cache of caches) names.push(cache.path);
  return { label: names.join(' + '), meshes: all, cache: caches[0] };
}

/** The files of a folder that can be part of an animation, by their names. */
function filesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new InputError(`cannot read the folder '${folder}': ${(error as Error).message}`, { cause: error });
  }
  const known = [...MESH_FORMATS, ...GLTF_FORMATS, ...CACHE_FORMATS];
  const files = names.filter((name) => {
    const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    return !name.startsWith('.') && (known as readonly string[]).includes(extension);
  });
  if (files.length === 0) throw new InputError(`the folder '${folder}' holds no ${known.join(', ')} files`);
  return files.sort(naturalCompare).map((name) => join(folder, name));
}

function samePath(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
