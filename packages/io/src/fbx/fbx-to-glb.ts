/**
 * FBX to GLB, so that everything pelt does with a glTF (baking to a sequence, taking over the rig, keeping parts, clips and
 * materials) works on an FBX as well.
 */
import { resolveOptions } from '@pelt/model';
import { labelled } from '../gltf/open-document.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';

export interface FbxOptions extends ReadOptions {
  /** Bytes of a picture that the FBX names, by its path relative to the FBX; absent: pictures beside the file are left out. */
  readonly resolve: ((path: string) => Uint8Array | undefined) | undefined;
}

export const FBX_DEFAULTS: FbxOptions = { ...READ_DEFAULTS, resolve: undefined };

/**
 * Converts an FBX file, binary or ASCII from version 7.0 on, to a GLB with the same nodes, meshes, skins, blend shapes,
 * materials and animations, in metres.
 *
 * @param bytes  the whole file
 * @throws InputError for a damaged file, UnsupportedError for a version before 7.0
 *
 * @example
 * {@includeCode ../../examples/fbx.ts}
 */
export async function fbxToGlb(bytes: Uint8Array, options?: Partial<FbxOptions>): Promise<Uint8Array<ArrayBuffer>> {
  const { name, resolve, onWarning } = resolveOptions('fbxToGlb', FBX_DEFAULTS, options);
  const label = fileLabel('FBX', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    const [{ readFbxScene }, { sceneToGlb }] = await Promise.all([
      import('./read-fbx.ts'),
      import('../scene/scene-to-glb.ts'),
    ]);
    const scene = readFbxScene(bytes, { name: stemOf(name), label, resolve, warnings });
    return await sceneToGlb(scene, warnings);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}
