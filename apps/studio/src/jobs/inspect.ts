/**
 * What dropped files are: which of them a command would be given, and what has to be asked. Names decide what is worth a
 * question; what the files hold is found out by reading them.
 */
import { detectFormat, HEAD_BYTES, naturalCompare } from '@pelt/io';
import type { Files } from '@pelt/jobs';
import { InputError } from '@pelt/model';
import type { Inspection } from './protocol.ts';

const MESHES = ['obj', 'ply'];
const SCENES = ['glb', 'gltf', 'fbx', 'usd', 'abc'];
const CACHES = ['pc2', 'mdd'];
/** Frames a second of files that do not say. */
const USUAL_FPS = 30;
const REST_NAME = /(?:^|[^a-z])(?:rest|bind|neutral|base|tpose|t-pose|default)(?:[^a-z]|$)/i;

export function inspect(files: Files): Inspection {
  const paths = allPaths(files, '').sort(naturalCompare);
  const formats = new Map(paths.map((path) => [path, formatOf(files, path)]));
  const of = (kinds: readonly string[]) => paths.filter((path) => kinds.includes(formats.get(path) ?? ''));
  const [meshes, scenes, caches] = [of(MESHES), of(SCENES), of(CACHES)];
  // A rig together with the shapes that it shall show: both are meant.
  const rigged = scenes.length === 1 && meshes.length > 0 && formats.get(scenes[0]) !== 'abc' ? scenes[0] : undefined;
  if (scenes.length > 0 && rigged === undefined) {
    const [scene] = scenes;
    const archive = formats.get(scene) === 'abc';
    const clips = scenes.length > 1 ? scenes : [];
    return {
      inputs: [scene],
      clips,
      rests: [],
      rest: undefined,
      fps: undefined,
      up: archive ? 'y' : undefined,
      unclear: archive || clips.length > 0,
    };
  }
  if (caches.length > 0) {
    if (meshes.length === 0) {
      throw new InputError(`'${caches[0]}' holds points without a mesh; drop its mesh (.obj or .ply) together with it`);
    }
    const mesh = meshes.find((path) => REST_NAME.test(path)) ?? meshes[0];
    const inputs = [mesh, caches[0]];
    const clips = caches.length > 1 ? caches : [];
    return { inputs, clips, rests: meshes, rest: undefined, fps: USUAL_FPS, up: undefined, unclear: true, rig: rigged };
  }
  if (meshes.length > 0) {
    const rest = meshes.find((path) => REST_NAME.test(path));
    const unclear = meshes.length > 1 || rigged !== undefined;
    return { inputs: meshes, clips: [], rests: meshes, rest, fps: USUAL_FPS, up: undefined, unclear, rig: rigged };
  }
  // One file that is something else: say what it is.
  if (paths.length === 1) detectFormat(paths[0], files.readRange(paths[0], 0, HEAD_BYTES), files.stat(paths[0]).bytes);
  const given =
    paths.length === 0 ? 'nothing' : `'${paths[0]}'${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}`;
  throw new InputError(`${given} holds no animation; drop OBJ or PLY frames, a mesh with PC2 or MDD, Alembic or glTF`);
}

function allPaths(files: Files, folder: string): string[] {
  return files.list(folder).flatMap((name) => {
    const path = files.paths.join(folder, name);
    return files.stat(path).kind === 'folder' ? allPaths(files, path) : [path];
  });
}

/** Undefined for files of other kinds: textures, material libraries, notes. */
function formatOf(files: Files, path: string): string | undefined {
  try {
    return detectFormat(path, files.readRange(path, 0, HEAD_BYTES), files.stat(path).bytes);
  } catch {
    return undefined;
  }
}
