/** three's FBXLoader outside a browser's page: without a window, and with pictures kept as bytes instead of decoded. */
import { Group, LoadingManager, type Mesh, type Object3D, Texture } from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import type { ResolvePicture } from './fbx-to-glb.ts';

export interface FbxScene {
  readonly root: Group;
  /** Bytes of each texture's picture; a texture without is left out. */
  readonly pictures: ReadonlyMap<Texture, Uint8Array>;
}

/** What the loader asks of a handler of pictures. */
class PictureKeeper {
  path: string | undefined;
  readonly sources = new Map<Texture, string>();

  setPath(path: string | undefined): this {
    this.path = path;
    return this;
  }

  load(source: string): Texture {
    const texture = new Texture();
    this.sources.set(texture, source);
    return texture;
  }
}

export async function loadScene(
  bytes: Uint8Array,
  resolve: ResolvePicture | undefined,
  warn: (message: string) => void,
): Promise<FbxScene> {
  const keeper = new PictureKeeper();
  const manager = new LoadingManager();
  manager.addHandler(/./, keeper as never);
  const root = quietly(warn, () =>
    withWindow(() => preferringMorphs(() => new FBXLoader(manager).parse(new Uint8Array(bytes).buffer, ''))),
  );
  const pictures = new Map<Texture, Uint8Array>();
  for (const [texture, source] of keeper.sources) {
    const picture = await pictureBytes(source, resolve);
    if (picture && picture.length > 0) pictures.set(texture, picture);
    else warn(`the picture '${source.slice(0, 80)}' is not found; textures without it`);
  }
  return { root, pictures };
}

async function pictureBytes(source: string, resolve: ResolvePicture | undefined): Promise<Uint8Array | undefined> {
  // Pictures inside the file come as blobs and data URIs, which no network is asked for.
  if (!/^(blob|data):/.test(source)) return resolve?.(source.split(/[\\/]/).at(-1) ?? source);
  const bytes = new Uint8Array(await (await fetch(source)).arrayBuffer());
  if (source.startsWith('blob:')) URL.revokeObjectURL(source);
  return bytes;
}

/** The loader reads the size of the window for cameras; it runs synchronously, so a stand-in is there only meanwhile. */
function withWindow<T>(action: () => T): T {
  const scope = globalThis as { window?: unknown };
  if (scope.window !== undefined) return action();
  scope.window = { innerWidth: 16, innerHeight: 9 };
  try {
    return action();
  } finally {
    delete scope.window;
  }
}

/** The object of a name whose morph targets an animation moves; bones often have the names of meshes. */
export function findMorphs(root: Object3D, name: string): Mesh | undefined {
  let found: Mesh | undefined;
  root.traverse((object) => {
    if (object.name === name && (object as Mesh).morphTargetDictionary) found ??= object as Mesh;
  });
  return found;
}

/** The loader looks the mesh of a morph animation up by its name alone, and stops where a bone of that name comes first. */
function preferringMorphs<T>(action: () => T): T {
  const prototype = Group.prototype as { getObjectByName?: (name: string) => unknown };
  prototype.getObjectByName = function (this: Group, name) {
    return findMorphs(this, name) ?? { morphTargetDictionary: {} };
  };
  try {
    return action();
  } finally {
    delete prototype.getObjectByName;
  }
}

/** What the loader writes to the console becomes warnings. */
function quietly<T>(warn: (message: string) => void, action: () => T): T {
  const { warn: consoleWarn, error: consoleError } = console;
  const tell = (...words: unknown[]) =>
    warn(
      words
        .map(String)
        .join(' ')
        .replace(/^(THREE\.)?FBXLoader: /, ''),
    );
  console.warn = tell;
  console.error = tell;
  try {
    return action();
  } finally {
    console.warn = consoleWarn;
    console.error = consoleError;
  }
}
