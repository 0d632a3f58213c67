/**
 * A learnt skin in a glTF: the file's own skin plays it as plain skinning anywhere; what makes it follow the examples
 * travels as `PELT_envelope`, the reduced model in named arrays.
 */
import { type ReducedEnvelope, sparseDisplacements, unweldReducedEnvelope } from '@pelt/model';
import {
  decodeEnvelope,
  ENVELOPE_EXTENSION,
  EXTENSION_VERSION,
  type GltfExtension,
  type PayloadArray,
} from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';

export { ENVELOPE_EXTENSION };

/** The version that has added joints and principal displacements. */
const EXTENDED_VERSION = 2;

/**
 * A learnt skin as the extension `PELT_envelope` of a GLB.
 *
 * @param vertexMap  the model's vertex of each vertex of the file, where seams were split
 * @example
 * {@includeCode ../../examples/learnt.ts}
 */
export function envelopeExtension(envelope: ReducedEnvelope, vertexMap?: Uint32Array): GltfExtension {
  const { centres, proxies, addedJoints, keys, fromKeys, fromBones, rig } = envelope;
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
  if (displacements) Object.assign(buffers, displacementBuffers(displacements));
  // The earliest version that can say it, so that older programs read what they can.
  const version = addedJoints || displacements?.mixing ? EXTENDED_VERSION : EXTENSION_VERSION;
  const json = { version, proxies, form: keys.form, keySlots: keys.slots, skinSlots: skin.slots };
  return { name: ENVELOPE_EXTENSION, json: addedJoints ? { ...json, addedJoints } : json, buffers };
}

function displacementBuffers({
  poses,
  displacements,
  axes,
  mixing,
}: NonNullable<ReducedEnvelope['displacements']>): Record<string, PayloadArray> {
  const displacementPoses = poses.slice();
  if (!mixing) {
    return { displacementPoses, displacements: displacements as PayloadArray, displacementAxes: axes as PayloadArray };
  }
  const sparse = sparseDisplacements(displacements, axes);
  return {
    displacementPoses,
    displacementMixing: mixing.slice(),
    displacementVertices: sparse.vertices as PayloadArray,
    displacements: sparse.displacements as PayloadArray,
    displacementAxes: sparse.axes as PayloadArray,
  };
}

/**
 * The learnt skin that a file carries, if any. Throws `InputError` where it does not fit the file.
 * @example
 * {@includeCode ../../examples/learnt.ts}
 */
export function readEnvelope(asset: GltfAsset): ReducedEnvelope | undefined {
  const extension = extensionOf(asset, ENVELOPE_EXTENSION);
  return extension && decodeEnvelope(extension, readRig(asset).rig);
}
