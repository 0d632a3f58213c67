/**
 * The first layer of a two-layer skin in a glTF, as `PELT_two_layer`: joint r of the skin below `virtual` is a blend of
 * joints behind the virtual ones. The second layer is the file's own joints and weights, with the virtual bones' motion
 * baked, so that every player shows it.
 */
import { InputError, type TwoLayerSkin, validateSkinWeights, virtualCount } from '@pelt/model';
import { decodeLayers, EXTENSION_VERSION, type GltfExtension, TWO_LAYER_EXTENSION } from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';

export { TWO_LAYER_EXTENSION };

/**
 * The first layer of a two-layer skin as an extension of a GLB whose first joints are the virtual bones.
 * @example
 * {@includeCode ../../examples/layers.ts}
 */
export function twoLayerExtension(skin: TwoLayerSkin): GltfExtension {
  const { slots, bones, weights } = skin.masters;
  return {
    name: TWO_LAYER_EXTENSION,
    json: { version: EXTENSION_VERSION, virtual: virtualCount(skin), slots },
    buffers: { masterJoints: bones.slice(), masterWeights: weights.slice() },
  };
}

/**
 * Both layers of a file over all of its bones, so that `deformTwoLayer` takes whole poses of its rig; undefined where it
 * has none. Throws `InputError` where what it has does not fit its skin.
 * @example
 * {@includeCode ../../examples/layers.ts}
 */
export function readTwoLayer(asset: GltfAsset): TwoLayerSkin | undefined {
  const extension = extensionOf(asset, TWO_LAYER_EXTENSION);
  if (!extension) return undefined;
  const { virtual, masters } = decodeLayers(extension);
  const { rig } = readRig(asset);
  if (virtual >= rig.bones.length) {
    throw new InputError(
      `${TWO_LAYER_EXTENSION}: ${virtual} virtual joints, but the file has ${rig.bones.length} in all`,
    );
  }
  validateSkinWeights(masters, virtual, rig.bones.length - virtual);
  const used = rig.weights.bones.find((bone, k) => rig.weights.weights[k] > 0 && bone >= virtual);
  if (used !== undefined) {
    throw new InputError(`${TWO_LAYER_EXTENSION}: a vertex goes with joint ${used}, which is not virtual`);
  }
  const behind = masters.bones.map((joint, k) => (masters.weights[k] > 0 ? joint + virtual : 0));
  return { masters: { ...masters, bones: behind }, vertices: rig.weights };
}
