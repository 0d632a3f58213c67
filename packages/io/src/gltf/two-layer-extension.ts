/**
 * The first layer of a two-layer skin in a glTF, as `PELT_two_layer`: joint r of the skin below `virtual` is a blend of
 * joints behind the virtual ones. The second layer is the file's own joints and weights, with the virtual bones' motion
 * baked, so that every player shows it.
 */
import { InputError, type SkinWeights, type TwoLayerSkin, validateSkinWeights, virtualCount } from '@pelt/model';
import type { GltfExtension, PayloadArray } from './extension-payload.ts';
import { EXTENSION_VERSION, requireVersion } from './extension-version.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';

export const TWO_LAYER_EXTENSION = 'PELT_two_layer';

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
  const extension = asset.extensions.find(({ name }) => name === TWO_LAYER_EXTENSION);
  if (!extension) return undefined;
  requireVersion(extension);
  const { rig } = readRig(asset);
  const { virtual, slots } = extension.json;
  if (!isCount(virtual) || !isCount(slots)) {
    throw new InputError(`${TWO_LAYER_EXTENSION}: virtual and slots must be whole numbers above 0`);
  }
  if (virtual >= rig.bones.length) {
    throw new InputError(
      `${TWO_LAYER_EXTENSION}: ${virtual} virtual joints, but the file has ${rig.bones.length} in all`,
    );
  }
  const joints = arrayOf(extension, 'masterJoints', Uint16Array);
  const weights = arrayOf(extension, 'masterWeights', Float32Array);
  const masters: SkinWeights = { slots, bones: joints, weights };
  validateSkinWeights(masters, virtual, rig.bones.length - virtual);
  const used = rig.weights.bones.find((bone, k) => rig.weights.weights[k] > 0 && bone >= virtual);
  if (used !== undefined) {
    throw new InputError(`${TWO_LAYER_EXTENSION}: a vertex goes with joint ${used}, which is not virtual`);
  }
  const behind = joints.map((joint, k) => (weights[k] > 0 ? joint + virtual : 0));
  return { masters: { ...masters, bones: behind }, vertices: rig.weights };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function arrayOf<T extends PayloadArray>({ buffers }: GltfExtension, name: string, Type: new (length: number) => T): T {
  const array = buffers[name];
  if (!(array instanceof Type)) throw new InputError(`${TWO_LAYER_EXTENSION}: buffers.${name} must be a ${Type.name}`);
  return array;
}
