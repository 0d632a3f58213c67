/** The models of a file, from its extensions and the meshes that GLTFLoader made. */
import {
  type Dynamics,
  denseDisplacements,
  type EigenSkinExamples,
  InputError,
  type Poser,
  predictorForm,
  type ReducedEnvelope,
  type Rig,
  type SkinWeights,
  validateDynamics,
  validatePoser,
  validateReducedEnvelope,
} from '@pelt/model';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { envelopeModel, type PeltModel, poserModel, twoLayerModel } from '../model/pelt-model.ts';
import type { SkinSurface } from '../model/skin-surface.ts';
import { type ExtensionArrays, readExtension } from './extension-arrays.ts';

export const ENVELOPE = 'PELT_envelope';
/** Version 2 has added joints and principal displacements. */
const ENVELOPE_VERSION = 2;
const DYNAMICS = 'PELT_dynamics';
export const POSER = 'PELT_poser';
/** Version 2 has regions, and examples without details. */
const POSER_VERSION = 2;
export const TWO_LAYER = 'PELT_two_layer';
export const EIGENSKIN = 'PELT_eigenskin';
export const DUAL_QUATERNION = 'PELT_dual_quaternion';

/** The learnt skin of a file over a rig whose bones are the file's joints; undefined where there is none. */
export async function readEnvelopeModel(parser: GLTFParser, rig: Rig): Promise<PeltModel | undefined> {
  const extension = await readExtension(parser, ENVELOPE, ENVELOPE_VERSION);
  if (!extension) return undefined;
  const { json, array, count, has } = extension;
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
    ...(has('displacements') && { displacements: displacementsOf(extension, rig) }),
  };
  validateReducedEnvelope(envelope);
  const { rig: _rig, skin, ...driver } = envelope;
  const palette = envelope.proxies + (envelope.addedJoints ?? 0) + rig.bones.length;
  return envelopeModel(skin, driver, rig.weights, await readDynamics(parser, rig.bones.length, palette));
}

/** Secondary motion of the learnt skin of a file; undefined where there is none. */
async function readDynamics(parser: GLTFParser, joints: number, palette: number): Promise<Dynamics | undefined> {
  const extension = await readExtension(parser, DYNAMICS);
  if (!extension) return undefined;
  const indices = (key: string) => extension.array(key, Uint16Array);
  const numbers = (key: string) => Float64Array.from(extension.array(key, Float32Array));
  const dynamics: Dynamics = {
    gravity: numbers('gravity'),
    drivers: indices('drivers'),
    speeds: numbers('speeds'),
    posed: indices('posed'),
    bones: indices('bones'),
    centres: numbers('centres'),
    rest: numbers('rest'),
    modes: numbers('modes'),
    limits: numbers('limits'),
    offsets: numbers('offsets'),
    poseMap: numbers('poseMap'),
    motionMap: numbers('motionMap'),
    poles: numbers('poles'),
    channels: numbers('channels'),
    readOut: numbers('readOut'),
  };
  validateDynamics(dynamics, joints, palette);
  return dynamics;
}

/** One displacement for each example, or the principal ones that examples are mixed from. */
function displacementsOf({ array, has }: ExtensionArrays, { bones, mesh }: Rig): ReducedEnvelope['displacements'] {
  const poses = array('displacementPoses', Float64Array);
  const axes = array('displacementAxes', Uint16Array);
  if (!has('displacementMixing')) return { poses, displacements: array('displacements', Float32Array), axes };
  const mixing = array('displacementMixing', Float64Array);
  const vertices = array('displacementVertices', Uint32Array);
  const sparse = { vertices, displacements: array('displacements', Int8Array), axes };
  const R = (3 * bones.length * mixing.length) / poses.length;
  return { poses, mixing, ...denseDisplacements(ENVELOPE, sparse, R, mesh.positions.length / 3) };
}

/** The poser of a file; its details are the morph targets of the surface. */
export async function readPoserModel(
  parser: GLTFParser,
  rig: Rig,
  surface: Pick<SkinSurface, 'morphCount' | 'morph'>,
): Promise<PeltModel | undefined> {
  const extension = await readExtension(parser, POSER, POSER_VERSION);
  if (!extension) return undefined;
  const { json, array, has } = extension;
  const { center, size, exampleNames, details } = json;
  if (!Array.isArray(center) || center.length !== 3 || !center.every(Number.isFinite)) {
    throw new InputError(`${POSER}: center must be three numbers`);
  }
  if (typeof size !== 'number') throw new InputError(`${POSER}: size must be a number`);
  if (!Array.isArray(exampleNames) || !exampleNames.every((name) => typeof name === 'string')) {
    throw new InputError(`${POSER}: exampleNames must be a list of names`);
  }
  const poser: Poser = {
    name: rig.name,
    rig,
    center: [center[0], center[1], center[2]],
    size,
    exampleNames,
    vertexProxies: array('vertexProxies', Uint32Array),
    proxyWeights: array('proxyWeights', Float64Array),
    blockStarts: array('blockStarts', Uint32Array),
    blockControls: array('blockControls', Uint16Array),
    blocks: array('blocks', Float64Array),
    exampleLogs: array('exampleLogs', Float64Array),
    exampleStretches: array('exampleStretches', Float64Array),
    exampleTransforms: array('exampleTransforms', Float64Array),
    exampleDetails: details === true ? Array.from({ length: surface.morphCount }, (_, e) => surface.morph(e)) : [],
    ...(has('regionShares') && {
      regions: {
        shares: array('regionShares', Float64Array),
        parents: array('regionParents', Int32Array),
        bonds: array('regionBonds', Float64Array),
      },
    }),
  };
  if (details === true && poser.exampleDetails.length === 0) {
    throw new InputError(`${POSER}: its details should be morph targets, but the mesh has none`);
  }
  validatePoser(poser);
  const { rig: _rig, ...rest } = poser;
  return poserModel(rig.weights, rest);
}

export interface FileLayers {
  /** q, how many of the first joints are virtual */
  readonly virtual: number;
  /** q × c over the joints behind them */
  readonly masters: SkinWeights;
}

/** The first layer of a two-layer skin; undefined where there is none. */
export async function readLayers(parser: GLTFParser): Promise<FileLayers | undefined> {
  const extension = await readExtension(parser, TWO_LAYER);
  if (!extension) return undefined;
  const { count, array } = extension;
  const [virtual, slots] = [count('virtual'), count('slots')];
  return {
    virtual,
    masters: { slots, bones: array('masterJoints', Uint16Array), weights: array('masterWeights', Float32Array) },
  };
}

/** @param skin  n × K over all joints of the file, of which the first are virtual */
export function layersModel({ virtual, masters }: FileLayers, skin: SkinWeights, joints: number): PeltModel {
  return twoLayerModel(skin, masters, joints - virtual);
}

/** How the morph targets of a file follow its joints; undefined where they do not. */
export async function readEigenSkin(parser: GLTFParser): Promise<EigenSkinExamples | undefined> {
  const extension = await readExtension(parser, EIGENSKIN);
  if (!extension) return undefined;
  const { array } = extension;
  return { poses: Float64Array.from(array('poses', Float32Array)), amounts: array('amounts', Float32Array) };
}
