/** The reduced envelope of `PELT_envelope`; docs/extensions describes its arrays. */
import { predictorForm, type ReducedEnvelope, validateReducedEnvelope } from '../envelope.ts';
import { requireFinite, requireLength } from '../require.ts';
import type { Rig } from '../rig.ts';
import { denseDisplacements } from '../sparse-displacements.ts';
import { aboutOrigin } from './centred-proxies.ts';
import { ExtensionFields, type GltfExtension } from './payload.ts';
import { BONE_COLUMNS, denseMaps, KEY_COLUMNS } from './sparse-maps.ts';

export const ENVELOPE_EXTENSION = 'PELT_envelope';
/**
 * Version 2 has added joints and principal displacements, version 3 matrices about the middles of proxies, version 4
 * matrices without their zeros and corrections of the palette.
 */
export const ENVELOPE_VERSION = 4;

/** @param rig  of the file, whose bones are its joints */
export function decodeEnvelope(extension: GltfExtension, rig: Rig): ReducedEnvelope {
  const fields = new ExtensionFields(extension, ENVELOPE_VERSION);
  const envelope: ReducedEnvelope = {
    rig,
    centres: fields.array('centres', Float64Array),
    proxies: fields.count('proxies'),
    ...(fields.json.addedJoints !== undefined && { addedJoints: fields.count('addedJoints') }),
    keys: {
      form: predictorForm(fields.json.form),
      slots: fields.count('keySlots'),
      references: fields.array('keyReferences', Uint16Array),
      blocks: fields.array('keyBlocks', Int32Array),
      rotationMaps: fields.array('keyRotationMaps', Float64Array),
      stretchMaps: fields.array('keyStretchMaps', Float64Array),
    },
    ...matricesOf(fields, rig),
    skin: {
      slots: fields.count('skinSlots'),
      bones: fields.array('skinBones', Uint16Array),
      weights: fields.array('skinWeights', Float32Array),
    },
    ...(fields.has('correctionMaps') && { corrections: correctionsOf(fields) }),
    ...(fields.has('displacements') && { displacements: displacementsOf(fields, rig) }),
  };
  validateReducedEnvelope(envelope);
  return envelope;
}

function matricesOf(fields: ExtensionFields, rig: Rig): Pick<ReducedEnvelope, 'fromKeys' | 'fromBones'> {
  const { bones } = rig;
  const stored = fields.has('keyPlaces')
    ? { fromKeys: mapsOf(fields, 'key', rig), fromBones: mapsOf(fields, 'bone', rig) }
    : { fromKeys: fields.array('fromKeys', Float64Array), fromBones: fields.array('fromBones', Float64Array) };
  if (!fields.has('proxyMiddles')) return stored;
  const [middles, P] = [fields.array('proxyMiddles', Float32Array), fields.count('proxies')];
  requireLength(`${ENVELOPE_EXTENSION}: proxyMiddles`, middles, 3 * P);
  requireFinite(`${ENVELOPE_EXTENSION}: proxyMiddles`, middles, 3);
  requireLength(`${ENVELOPE_EXTENSION}: fromBones`, stored.fromBones, 16 * P * bones.length);
  return aboutOrigin(stored, middles, bones);
}

/** C₁ or C₂ with its zeros. */
function mapsOf(fields: ExtensionFields, of: 'key' | 'bone', { bones }: Rig): Float64Array {
  const sparse = {
    places: fields.array(`${of}Places`, Uint16Array),
    values: fields.array(`${of}Maps`, Float64Array),
  };
  const blocks = of === 'key' ? fields.array('keyReferences', Uint16Array).length : bones.length;
  const count = { proxies: fields.count('proxies'), blocks };
  return denseMaps(`${ENVELOPE_EXTENSION}: ${of}Maps`, sparse, count, of === 'key' ? KEY_COLUMNS : BONE_COLUMNS);
}

function correctionsOf(fields: ExtensionFields): ReducedEnvelope['corrections'] {
  return {
    poses: Float64Array.from(fields.array('correctionPoses', Float32Array)),
    mixing: Float64Array.from(fields.array('correctionMixing', Float32Array)),
    entries: fields.array('correctionEntries', Uint16Array),
    slots: fields.count('correctionSlots'),
    joints: fields.array('correctionJoints', Uint16Array),
    weights: fields.array('correctionWeights', Float32Array),
    maps: fields.array('correctionMaps', Float32Array),
  };
}

/** One displacement for each example, or the principal ones that examples are mixed from. */
function displacementsOf(fields: ExtensionFields, { bones, mesh }: Rig): ReducedEnvelope['displacements'] {
  const poses = fields.array('displacementPoses', Float64Array);
  const axes = fields.array('displacementAxes', Uint16Array);
  if (!fields.has('displacementMixing')) {
    return { poses, displacements: fields.array('displacements', Float32Array), axes };
  }
  const mixing = fields.array('displacementMixing', Float64Array);
  const vertices = fields.array('displacementVertices', Uint32Array);
  const sparse = { vertices, displacements: fields.array('displacements', Int8Array), axes };
  const R = (3 * bones.length * mixing.length) / poses.length;
  return { poses, mixing, ...denseDisplacements(ENVELOPE_EXTENSION, sparse, R, mesh.positions.length / 3) };
}
