/**
 * What the paths on a command line are: folders opened, every file's format found, frames in natural order, and files
 * that make one animation put together.
 */
import { detectFormat, type FileFormat, HEAD_BYTES, hasUsdFrames, naturalCompare } from '@pelt/io';
import { InputError, UsageError } from '@pelt/model';
import { besides } from '../files/besides.ts';
import { byteSource } from '../files/byte-source.ts';
import { areSame, type Files } from '../files/files.ts';

export interface SourceFile {
  /** As it was given, or as it was found in a folder that was. */
  readonly path: string;
  readonly format: FileFormat;
  readonly bytes: number;
  /** A scene whose meshes have samples of their points over time. */
  readonly sampled?: true;
}

/** The files of one animation. */
export interface Source {
  /** How messages and reports call it: `rest.obj + clip.pc2`, `pose-1.obj … pose-9.obj`, a folder. */
  readonly label: string;
  /** One glTF, FBX, USD or Alembic archive, or one mesh, or the meshes of the frames in order; none where the mesh is given apart. */
  readonly meshes: readonly SourceFile[];
  readonly cache?: SourceFile;
}

const MESH_FORMATS: readonly FileFormat[] = ['obj', 'ply'];
/** FBX and USD are turned into a GLB before they are read. */
const GLTF_FORMATS: readonly FileFormat[] = ['glb', 'gltf', 'fbx', 'usd'];
const USD_EXTENSIONS = ['usd', 'usda', 'usdc', 'usdz'];
/** Files that are an animation by themselves. */
const SCENE_FORMATS: readonly FileFormat[] = [...GLTF_FORMATS, 'abc'];
const CACHE_FORMATS: readonly FileFormat[] = ['pc2', 'mdd'];

export function isGltf({ format, sampled }: SourceFile): boolean {
  return GLTF_FORMATS.includes(format) && !sampled;
}

/** A USD file that is a cache of points: its frames are read one by one, like those of an archive. */
export function isUsdCache({ format, sampled }: SourceFile): boolean {
  return format === 'usd' && sampled === true;
}

export function isAlembic({ format }: SourceFile): boolean {
  return format === 'abc';
}

export function isCache({ format }: SourceFile): boolean {
  return CACHE_FORMATS.includes(format);
}

export function sourceFile(files: Files, path: string): SourceFile {
  const { bytes } = files.stat(path);
  const format = detectFormat(path, files.readRange(path, 0, HEAD_BYTES), bytes);
  if (format !== 'usd') return { path, format, bytes };
  const sampled = hasUsdFrames(byteSource(files, path), { name: path, resolve: besides(files, path, () => {}) });
  return { path, format, bytes, ...(sampled && { sampled }) };
}

/**
 * All paths as one animation.
 *
 * @param rest  path of the rest pose, which is not a frame even where a folder or a pattern names it
 */
export function sourceOf(files: Files, paths: readonly string[], rest?: string): Source {
  if (paths.length === 0) throw new UsageError('no input is given; name a file or a folder of frames');
  const folder = paths.length === 1 && isFolder(files, paths[0]);
  const all = paths.flatMap((path) => (isFolder(files, path) ? filesIn(files, path) : [path]));
  const others = rest === undefined ? all : all.filter((path) => !areSame(files, path, rest));
  const source = assemble(others.map((path) => sourceFile(files, path)));
  return folder && source.meshes.length > 1 ? { ...source, label: paths[0] } : source;
}

/**
 * Paths as several animations, one after the other: every mesh, glTF or folder begins one, and a cache belongs to the
 * mesh before it.
 */
export function sourcesOf(files: Files, paths: readonly string[]): Source[] {
  const groups: string[][] = [];
  let open: string[] | undefined;
  for (const path of paths) {
    const alone = isFolder(files, path) || isCache(sourceFile(files, path));
    if (alone && open && !isFolder(files, path)) {
      open.push(path);
      open = undefined;
      continue;
    }
    const group = [path];
    groups.push(group);
    open = alone ? undefined : group;
  }
  return groups.map((group) => sourceOf(files, group));
}

function assemble(files: readonly SourceFile[]): Source {
  const caches = files.filter(isCache);
  const scenes = files.filter(({ format }) => SCENE_FORMATS.includes(format));
  const meshes = files.filter(({ format }) => MESH_FORMATS.includes(format));
  if (caches.length > 1) {
    throw new UsageError(`'${caches[0].path}' and '${caches[1].path}' are two caches; give one with its mesh`);
  }
  if (scenes.length > 0 && scenes.length + meshes.length > 1) {
    const other = meshes[0] ?? scenes[1];
    throw new UsageError(
      `'${scenes[0].path}' is an animation of its own; leave '${other.path}' out, or give it as --rest`,
    );
  }
  if (caches.length === 1 && meshes.length > 1) {
    throw new UsageError(`the cache '${caches[0].path}' goes with one mesh, but ${meshes.length} are given`);
  }
  const ordered = meshes.toSorted((a, b) => naturalCompare(a.path, b.path));
  const all = [...scenes, ...ordered];
  const names = all.length > 1 ? [`${all[0].path} … ${all[all.length - 1].path}`] : all.map(({ path }) => path);
  for (const cache of caches) names.push(cache.path);
  return { label: names.join(' + '), meshes: all, cache: caches[0] };
}

/** The files of a folder that can be part of an animation, by their names. */
function filesIn(files: Files, folder: string): string[] {
  const known = [
    ...MESH_FORMATS,
    ...SCENE_FORMATS.filter((format) => format !== 'usd'),
    ...USD_EXTENSIONS,
    ...CACHE_FORMATS,
  ];
  const found = files.list(folder).filter((name) => {
    const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    return !name.startsWith('.') && (known as readonly string[]).includes(extension);
  });
  if (found.length === 0) throw new InputError(`the folder '${folder}' holds no ${known.join(', ')} files`);
  return found.sort(naturalCompare).map((name) => files.paths.join(folder, name));
}

function isFolder(files: Files, path: string): boolean {
  return files.stat(path).kind === 'folder';
}
