/**
 * A learnt skin in a glTF: the file's own skin plays it as plain skinning anywhere; what makes it follow the examples
 * travels as `PELT_envelope`, the reduced model in named arrays.
 */
import { type ReducedEnvelope, sparseDisplacements, unweldReducedEnvelope } from '@pelt/model';
import {
  BONE_COLUMNS,
  decodeEnvelope,
  ENVELOPE_EXTENSION,
  EXTENSION_VERSION,
  type GltfExtension,
  KEY_COLUMNS,
  type PayloadArray,
  sparseMaps,
} from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';

export { ENVELOPE_EXTENSION };

/** The versions that have added joints and principal displacements, and matrices without their zeros and corrections. */
const EXTENDED_VERSION = 2;
const SPARSE_VERSION = 4;

/**
 * A learnt skin as the extension `PELT_envelope` of a GLB.
 *
 * @param vertexMap  the model's vertex of each vertex of the file, where seams were split
 * @example
 * {@includeCode ../../examples/learnt.ts}
 */
export function envelopeExtension(envelope: ReducedEnvelope, vertexMap?: Uint32Array): GltfExtension {
  const { centres, proxies, addedJoints, keys, corrections, rig } = envelope;
  const map = vertexMap ?? Uint32Array.from({ length: rig.mesh.positions.length / 3 }, (_, i) => i);
  const { skin, displacements } = unweldReducedEnvelope(envelope, map, rig.mesh);
  const buffers: Record<string, PayloadArray> = {
    // Copies: a payload is memory of its own, never shared with threads.
    centres: centres.slice(),
    keyReferences: keys.references.slice(),
    keyBlocks: keys.blocks.slice(),
    keyRotationMaps: keys.rotationMaps.slice(),
    keyStretchMaps: keys.stretchMaps.slice(),
    ...driveBuffers(envelope),
    skinBones: skin.bones as PayloadArray,
    skinWeights: skin.weights as PayloadArray,
  };
  if (displacements) Object.assign(buffers, displacementBuffers(displacements));
  if (corrections) Object.assign(buffers, correctionBuffers(corrections));
  // The earliest version that can say it, so that older programs read what they can.
  const extended = addedJoints || displacements?.mixing ? EXTENDED_VERSION : EXTENSION_VERSION;
  const version = corrections || buffers.keyPlaces ? SPARSE_VERSION : extended;
  const json = {
    version,
    proxies,
    form: keys.form,
    keySlots: keys.slots,
    skinSlots: skin.slots,
    ...(corrections && { correctionSlots: corrections.slots }),
  };
  return { name: ENVELOPE_EXTENSION, json: addedJoints ? { ...json, addedJoints } : json, buffers };
}

/** C₁ and C₂, without their zeros where that is smaller. */
function driveBuffers({ proxies, fromKeys, fromBones }: ReducedEnvelope): Record<string, PayloadArray> {
  const key = sparseMaps(fromKeys, proxies, KEY_COLUMNS);
  const bone = sparseMaps(fromBones, proxies, BONE_COLUMNS);
  if (2 * (key.values.length + bone.values.length) > fromKeys.length + fromBones.length) {
    return { fromKeys: fromKeys.slice(), fromBones: fromBones.slice() };
  }
  return {
    keyPlaces: key.places as PayloadArray,
    keyMaps: key.values as PayloadArray,
    bonePlaces: bone.places as PayloadArray,
    boneMaps: bone.values as PayloadArray,
  };
}

function correctionBuffers({
  poses,
  mixing,
  entries,
  joints,
  weights,
  maps,
}: NonNullable<ReducedEnvelope['corrections']>): Record<string, PayloadArray> {
  return {
    correctionPoses: Float32Array.from(poses),
    correctionMixing: Float32Array.from(mixing),
    correctionEntries: entries.slice(),
    correctionJoints: joints.slice(),
    correctionWeights: weights.slice(),
    correctionMaps: maps.slice(),
  };
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
