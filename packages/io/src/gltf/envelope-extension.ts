/**
 * A learnt skin in a glTF: the file's own skin plays it as plain skinning anywhere; what makes it follow the examples
 * travels as `PELT_envelope`, the reduced model in named arrays.
 */
import {
  denseDisplacements,
  InputError,
  predictorForm,
  type ReducedEnvelope,
  type Rig,
  sparseDisplacements,
  unweldReducedEnvelope,
  validateReducedEnvelope,
} from '@pelt/model';
import type { GltfExtension, PayloadArray } from './extension-payload.ts';
import { EXTENSION_VERSION, requireVersion } from './extension-version.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';

export const ENVELOPE_EXTENSION = 'PELT_envelope';
/** Version 2 has added joints and principal displacements. */
const ENVELOPE_VERSION = 2;

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
  const version = addedJoints || displacements?.mixing ? ENVELOPE_VERSION : EXTENSION_VERSION;
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
  const extension = asset.extensions.find(({ name }) => name === ENVELOPE_EXTENSION);
  if (!extension) return undefined;
  const { json } = extension;
  requireVersion(extension, ENVELOPE_VERSION);
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
  const displacements = ({ mesh, bones }: Rig): ReducedEnvelope['displacements'] => {
    const poses = array('displacementPoses', Float64Array);
    const axes = array('displacementAxes', Uint16Array);
    if (!extension.buffers.displacementMixing) {
      return { poses, displacements: array('displacements', Float32Array), axes };
    }
    const mixing = array('displacementMixing', Float64Array);
    const vertices = array('displacementVertices', Uint32Array);
    const sparse = { vertices, displacements: array('displacements', Int8Array), axes };
    const R = (3 * bones.length * mixing.length) / poses.length;
    return { poses, mixing, ...denseDisplacements(ENVELOPE_EXTENSION, sparse, R, mesh.positions.length / 3) };
  };
  const { rig } = readRig(asset);
  const envelope: ReducedEnvelope = {
    rig,
    centres: array('centres', Float64Array),
    proxies: count('proxies'),
    ...(json.addedJoints !== undefined && { addedJoints: count('addedJoints') }),
    keys: {
      form: predictorForm(json.form),
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
    ...(extension.buffers.displacements && { displacements: displacements(rig) }),
  };
  validateReducedEnvelope(envelope);
  return envelope;
}
