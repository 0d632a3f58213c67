/** GLB to USD, for Apple's viewers and for pipelines of film. */
import { resolveOptions } from '@pelt/model';
import { labelled, openDocument } from '../gltf/open-document.ts';
import { READ_GLTF_DEFAULTS, type ReadGltfOptions } from '../gltf/read-gltf.ts';
import { fileLabel, type OutputFile, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';
import type { UsdLayer } from './write-usd.ts';

const encoder = new TextEncoder();

/**
 * Converts a glTF or GLB file to a USDZ: a layer of text and its pictures in one archive that is not compressed. Meshes,
 * skins, morph targets and clips become those of UsdSkel, materials UsdPreviewSurface.
 *
 * @param bytes  of the file; buffers and images beside it come through `options.resolve`
 * @example
 * {@includeCode ../../examples/usd.ts}
 */
export async function glbToUsdz(
  bytes: Uint8Array,
  options?: Partial<ReadGltfOptions>,
): Promise<Uint8Array<ArrayBuffer>> {
  const [{ text, files }, { zipStored }] = await Promise.all([layerOf(bytes, options), import('./zip-stored.ts')]);
  return zipStored([{ name: 'scene.usda', bytes: encoder.encode(text) }, ...files]);
}

/**
 * Converts a glTF or GLB file to a layer of USD as text; the pictures of its materials are files of their own.
 *
 * @param bytes  of the file; buffers and images beside it come through `options.resolve`
 * @returns the layer first, with an empty name, then pictures by their paths relative to it
 * @example
 * {@includeCode ../../examples/usd.ts}
 */
export async function glbToUsda(bytes: Uint8Array, options?: Partial<ReadGltfOptions>): Promise<OutputFile[]> {
  const { text, files } = await layerOf(bytes, options);
  const pictures = files.map(({ name, bytes: picture }) => ({ name, bytes: picture.slice() }));
  return [{ name: '', bytes: encoder.encode(text) }, ...pictures];
}

async function layerOf(bytes: Uint8Array, options: Partial<ReadGltfOptions> | undefined): Promise<UsdLayer> {
  const { name, resolve, onWarning } = resolveOptions('glbToUsd', READ_GLTF_DEFAULTS, options);
  const label = fileLabel('glTF', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    const [{ gltfToScene }, { writeUsdScene }] = await Promise.all([
      import('../scene/gltf-to-scene.ts'),
      import('./write-usd.ts'),
    ]);
    return writeUsdScene(
      await gltfToScene(await openDocument(bytes, resolve, warnings), stemOf(name), warnings),
      warnings,
    );
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}
