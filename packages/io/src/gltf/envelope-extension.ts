/**
 * A learnt skin in a glTF: the file's own skin plays it as plain skinning anywhere; what makes it follow the examples
 * travels as `PELT_envelope`, the reduced model in named arrays.
 */
import { InputError, type ReducedEnvelope, unweldReducedEnvelope, validateReducedEnvelope } from '@pelt/model';
import type { GltfExtension, PayloadArray } from './extension-payload.ts';
import { EXTENSION_VERSION, requireVersion } from './extension-version.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';

export const ENVELOPE_EXTENSION = 'PELT_envelope';

/**
 * A learnt skin as the extension `PELT_envelope` of a GLB.
 *
 * @param vertexMap  the model's vertex of each vertex of the file, where seams were split
 * @example
 * {@includeCode ../../examples/learnt.ts}
 */
export function envelopeExtension(envelope: ReducedEnvelope, vertexMap?: Uint32Array): GltfExtension {
  const { centres, proxies, keys, fromKeys, fromBones, rig } = envelope;
  const map = vertexMap ?? Uint32Array.from({ length: rig.mesh.positions.length / 3 }, (_, i) => i);
  const { skin, displacements } = unweldReducedEnvelope(envelope, map, rig.mesh);
  const buffers: Record<string, PayloadArray> = {
    // Copies: a payload is memory of its own, never shared with threads.
    centres: centres.slice(),
    keyReferences: keys.references.slice(),
    keyBlocks: keys.blocks.slice(),
    keyRotationMaps: keys.rotationMaps.slice(),
    keyStretchMaps: keys.stretchMaps.slice(),
    fromKeys: fromKeys.slice(),
    fromBones: fromBones.slice(),
    skinBones: skin.bones as PayloadArray,
    skinWeights: skin.weights as PayloadArray,
  };
  if (displacements) {
    buffers.displacementPoses = displacements.poses.slice();
    buffers.displacements = displacements.displacements as PayloadArray;
    buffers.displacementAxes = displacements.axes as PayloadArray;
  }
  const json = { version: EXTENSION_VERSION, proxies, form: keys.form, keySlots: keys.slots, skinSlots: skin.slots };
  return { name: ENVELOPE_EXTENSION, json, buffers };
}

/**
 * The learnt skin that a file carries, if any. Throws `InputError` where it does not fit the file.
 * @example
 * {@includeCode ../../examples/learnt.ts}
 */
export function readEnvelope(asset: GltfAsset): ReducedEnvelope | undefined {
  const extension = asset.extensions.find(({ name }) => name === ENVELOPE_EXTENSION);
  if (!extension) return undefined;
  const { json } = extension;
  requireVersion(extension);
  const array = <T extends PayloadArray>(name: string, Type: new (length: number) => T): T => {
    const found = extension.buffers[name];
    if (!(found instanceof Type)) throw new InputError(`${ENVELOPE_EXTENSION}: buffers.${name} must be a ${Type.name}`);
    return found;
  };
  const count = (key: string): number => {
    const value = json[key];
    if (typeof value !== 'number') throw new InputError(`${ENVELOPE_EXTENSION}: ${key} must be a number`);
    return value;
  };
  const envelope: ReducedEnvelope = {
    rig: readRig(asset).rig,
    centres: array('centres', Float64Array),
    proxies: count('proxies'),
    keys: {
      // Anything else is refused by the validator.
      form: json.form as 'improved' | 'thesis',
      slots: count('keySlots'),
      references: array('keyReferences', Uint16Array),
      blocks: array('keyBlocks', Int32Array),
      rotationMaps: array('keyRotationMaps', Float64Array),
      stretchMaps: array('keyStretchMaps', Float64Array),
    },
    fromKeys: array('fromKeys', Float64Array),
    fromBones: array('fromBones', Float64Array),
    skin: {
      slots: count('skinSlots'),
      bones: array('skinBones', Uint16Array),
      weights: array('skinWeights', Float32Array),
    },
    ...(extension.buffers.displacements && {
      displacements: {
        poses: array('displacementPoses', Float64Array),
        displacements: array('displacements', Float32Array),
        axes: array('displacementAxes', Uint16Array),
      },
    }),
  };
  validateReducedEnvelope(envelope);
  return envelope;
}
