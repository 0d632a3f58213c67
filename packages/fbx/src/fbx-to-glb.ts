/**
 * FBX to GLB, so that everything pelt does with a glTF (baking to a sequence, taking over the rig, keeping parts, clips and
 * materials) works on an FBX as well. Parsing is three's FBXLoader: binary and ASCII files from version 7.0 on, skins,
 * blend shapes, animation stacks.
 *
 * An FBX says how many centimetres its unit is; glTF is in metres, so the scene hangs under a node that scales it.
 */
import { InputError, PeltError, resolveOptions, UnsupportedError } from '@pelt/model';
import { loadScene } from './load-scene.ts';
import { writeScene } from './write-scene.ts';

// Here and not with the loader, so that the public types do not need those of three.
export type ResolvePicture = (path: string) => Uint8Array | undefined;

export interface FbxOptions {
  /** The file's name, for messages. */
  readonly name: string;
  /** Bytes of a picture that the FBX names, by its path relative to the FBX; absent: pictures beside the file are left out. */
  readonly resolve: ResolvePicture | undefined;
  /** Told of everything that is lost or mended. */
  readonly onWarning: ((message: string) => void) | undefined;
}

export const FBX_DEFAULTS: FbxOptions = { name: '', resolve: undefined, onWarning: undefined };

/**
 * Converts an FBX file to a GLB with the same nodes, meshes, skins, blend shapes and animations.
 *
 * @param bytes  the whole file, binary or ASCII
 * @throws InputError for a damaged file, UnsupportedError for a version before 7.0
 *
 * @example
 * {@includeCode ../examples/fbx.ts}
 */
export async function fbxToGlb(bytes: Uint8Array, options?: Partial<FbxOptions>): Promise<Uint8Array<ArrayBuffer>> {
  const { name, resolve, onWarning } = resolveOptions('fbxToGlb', FBX_DEFAULTS, options);
  const label = name ? `FBX '${name}'` : 'FBX file';
  const told = new Set<string>();
  const warn = (message: string) => {
    if (!told.has(message)) onWarning?.(`${label}: ${message}`);
    told.add(message);
  };
  try {
    return await writeScene(await loadScene(bytes, resolve, warn), warn);
  } catch (error) {
    if (error instanceof PeltError) throw error;
    const [message] = (error instanceof Error ? error.message : String(error)).split('\n');
    const version = /FBX version not supported, FileVersion: (\d+)/.exec(message);
    if (version) {
      throw new UnsupportedError(
        `${label}: it is FBX ${Number(version[1]) / 1000}; export it as FBX 2011 (7.1) or later, or as glTF`,
        { cause: error },
      );
    }
    throw new InputError(`${label}: it cannot be read: ${message}; export it again, or as glTF`, { cause: error });
  }
}
