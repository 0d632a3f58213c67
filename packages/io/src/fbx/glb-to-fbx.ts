/** GLB to FBX, for the tools that read nothing else. */
import { resolveOptions } from '@pelt/model';
import { labelled, openDocument } from '../gltf/open-document.ts';
import { READ_GLTF_DEFAULTS, type ReadGltfOptions } from '../gltf/read-gltf.ts';
import { fileLabel, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';

/**
 * Converts a glTF or GLB file to a binary FBX 7.4 with the same nodes, skinned meshes, morph targets, clips and materials,
 * in centimetres. Vertices keep their order; curves become straight lines between as many keys as these need.
 *
 * @param bytes  of the file; buffers and images beside it come through `options.resolve`
 * @example
 * {@includeCode ../../examples/fbx.ts}
 */
export async function glbToFbx(
  bytes: Uint8Array,
  options?: Partial<ReadGltfOptions>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { name, resolve, onWarning } = resolveOptions('glbToFbx', READ_GLTF_DEFAULTS, options);
  const label = fileLabel('glTF', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    const [{ gltfToScene }, { writeFbxScene }] = await Promise.all([
      import('../scene/gltf-to-scene.ts'),
      import('./write-fbx.ts'),
    ]);
    const scene = await gltfToScene(await openDocument(bytes, resolve, warnings), stemOf(name), warnings);
    return writeFbxScene(scene, warnings);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}
