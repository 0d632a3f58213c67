/** USD to GLB, so that everything pelt does with a glTF works on a USD file as well. */
import { resolveOptions } from '@pelt/model';
import { type ByteSource, sourceOfBytes } from '../byte-source.ts';
import { labelled } from '../gltf/open-document.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';

export interface UsdOptions extends ReadOptions {
  /** Bytes of a layer or picture that the file names, by its path relative to it; absent: those are left out. */
  readonly resolve: ((path: string) => Uint8Array | undefined) | undefined;
}

export const USD_DEFAULTS: UsdOptions = { ...READ_DEFAULTS, resolve: undefined };

/**
 * Converts a USD file, text (USDA), crate (USDC) or package (USDZ), to a GLB with the same meshes, skeletons, blend shapes,
 * animations and materials, in metres with the y axis up. Samples of points are not read: see `openUsdAnimation`.
 *
 * @param file  its bytes, or a source of them
 * @throws InputError for a damaged file
 * @example
 * {@includeCode ../../examples/usd.ts}
 */
export async function usdToGlb(
  file: Uint8Array | ByteSource,
  options?: Partial<UsdOptions>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { name, resolve, onWarning } = resolveOptions('usdToGlb', USD_DEFAULTS, options);
  const label = fileLabel('USD', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    const [{ openUsd }, { readUsdScene }, { sceneToGlb }] = await Promise.all([
      import('./read/open-usd.ts'),
      import('./read/read-usd.ts'),
      import('../scene/scene-to-glb.ts'),
    ]);
    const source = file instanceof Uint8Array ? sourceOfBytes(file) : file;
    const { scene } = readUsdScene(openUsd(source, resolve, warnings), stemOf(name), label, warnings);
    return await sceneToGlb(scene, warnings);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}
