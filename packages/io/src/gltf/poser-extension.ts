/**
 * A poser in a glTF: the skin carries its mesh, weights and controls, and the mesh the details of the examples as morph
 * targets, which every engine plays; what is beside them travels as `PELT_poser`, so that the character opens again
 * without its examples.
 */
import {
  type BodyRegions,
  exampleCount,
  flattenedWeights,
  gatherVertices,
  InputError,
  type Poser,
  type Rig,
  type TwoLayerSkin,
  validatePoser,
  virtualCount,
} from '@pelt/model';
import type { GltfExtension, PayloadArray } from './extension-payload.ts';
import { requireVersion } from './extension-version.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';
import { readTwoLayer } from './two-layer-extension.ts';

export const POSER_EXTENSION = 'PELT_poser';
/** Version 2 has regions, and examples without details. */
const POSER_VERSION = 2;

/** Names of the arrays in the file, and of what each must be. */
const ARRAYS = {
  vertexProxies: Uint32Array,
  proxyWeights: Float64Array,
  blockStarts: Uint32Array,
  blockControls: Uint16Array,
  blocks: Float64Array,
  exampleLogs: Float64Array,
  exampleStretches: Float64Array,
  exampleTransforms: Float64Array,
};

/**
 * A poser as the extension `PELT_poser` of a GLB.
 *
 * @param vertexMap  the model's vertex of each vertex of the file, where seams were split
 * @example
 * {@includeCode ../../examples/learnt.ts}
 */
export function poserExtension(poser: Poser, vertexMap?: Uint32Array): GltfExtension {
  const vertexProxies = vertexMap ? gatherVertices(poser.vertexProxies, 1, vertexMap) : poser.vertexProxies;
  const buffers: Record<string, PayloadArray> = {};
  for (const name of Object.keys(ARRAYS) as (keyof typeof ARRAYS)[]) buffers[name] = poser[name] as PayloadArray;
  const { regions } = poser;
  if (regions) {
    buffers.regionShares = regions.shares as PayloadArray;
    buffers.regionParents = regions.parents as PayloadArray;
    buffers.regionBonds = regions.bonds as PayloadArray;
  }
  return {
    name: POSER_EXTENSION,
    json: {
      version: POSER_VERSION,
      center: [...poser.center],
      size: poser.size,
      exampleNames: [...poser.exampleNames],
      examples: exampleCount(poser),
      details: poser.exampleDetails.length > 0,
      detailedExamples: poser.exampleDetails.length,
    },
    buffers: { ...buffers, vertexProxies: vertexProxies as PayloadArray },
  };
}

/**
 * The poser that a file carries, if any. Throws `InputError` where it does not fit the file.
 * @example
 * {@includeCode ../../examples/learnt.ts}
 */
export function readPoser(asset: GltfAsset): Poser | undefined {
  const extension = asset.extensions.find(({ name }) => name === POSER_EXTENSION);
  if (!extension) return undefined;
  const { json } = extension;
  requireVersion(extension, POSER_VERSION);
  const { center, size, exampleNames, details } = json;
  if (!Array.isArray(center) || center.length !== 3 || !center.every((value) => typeof value === 'number')) {
    throw new InputError(`${POSER_EXTENSION}: center must be three numbers`);
  }
  if (typeof size !== 'number') throw new InputError(`${POSER_EXTENSION}: size must be a number`);
  if (!Array.isArray(exampleNames) || !exampleNames.every((name) => typeof name === 'string')) {
    throw new InputError(`${POSER_EXTENSION}: exampleNames must be a list of names`);
  }
  const { rig: whole, morphs } = readRig(asset);
  const layers = readTwoLayer(asset);
  // Virtual bones follow their masters, which are the controls.
  const rig = layers ? mastersOf(whole, layers) : whole;
  // In version 1 every example has details, or none.
  const detailed = Number.isInteger(json.detailedExamples) ? Number(json.detailedExamples) : exampleNames.length;
  const poser: Poser = {
    name: rig.name,
    rig,
    center: [center[0], center[1], center[2]],
    size,
    exampleNames,
    vertexProxies: arrayOf(extension, 'vertexProxies') as Uint32Array,
    proxyWeights: arrayOf(extension, 'proxyWeights') as Float64Array,
    blockStarts: arrayOf(extension, 'blockStarts') as Uint32Array,
    blockControls: arrayOf(extension, 'blockControls') as Uint16Array,
    blocks: arrayOf(extension, 'blocks') as Float64Array,
    exampleLogs: arrayOf(extension, 'exampleLogs') as Float64Array,
    exampleStretches: arrayOf(extension, 'exampleStretches') as Float64Array,
    exampleTransforms: arrayOf(extension, 'exampleTransforms') as Float64Array,
    exampleDetails: details === true ? joinedDetails(morphs?.deltas ?? [], detailed) : [],
    ...(extension.buffers.regionShares && { regions: regionsOf(extension) }),
  };
  if (details === true && poser.exampleDetails.length === 0) {
    throw new InputError(`${POSER_EXTENSION}: its details should be morph targets, but the mesh has none`);
  }
  validatePoser(poser);
  return poser;
}

function mastersOf({ bones, ...rig }: Rig, layers: TwoLayerSkin): Rig {
  const q = virtualCount(layers);
  const weights = flattenedWeights(layers);
  return {
    ...rig,
    bones: bones.slice(q).map((bone) => ({ ...bone, parent: Math.max(bone.parent - q, -1) })),
    weights: { ...weights, bones: weights.bones.map((bone, k) => (weights.weights[k] > 0 ? bone - q : 0)) },
  };
}

/** Where several nodes have parts of the mesh, each has the details of its own part as targets of its own. */
function joinedDetails(deltas: readonly Float32Array[], E: number): readonly Float32Array[] {
  if (deltas.length <= E || deltas.length % E !== 0) return deltas;
  return deltas.slice(0, E).map((first, e) => {
    const sum = first.slice();
    for (let k = e + E; k < deltas.length; k += E) {
      for (let c = 0; c < sum.length; c++) sum[c] += deltas[k][c];
    }
    return sum;
  });
}

function regionsOf({ buffers }: GltfExtension): BodyRegions {
  const { regionShares: shares, regionParents: parents, regionBonds: bonds } = buffers;
  if (!(shares instanceof Float64Array && parents instanceof Int32Array && bonds instanceof Float64Array)) {
    throw new InputError(
      `${POSER_EXTENSION}: regionShares and regionBonds must be Float64Array, regionParents Int32Array`,
    );
  }
  return { shares, parents, bonds };
}

function arrayOf({ buffers }: GltfExtension, name: keyof typeof ARRAYS): PayloadArray {
  const array = buffers[name];
  if (!(array instanceof ARRAYS[name])) {
    throw new InputError(`${POSER_EXTENSION}: buffers.${name} must be a ${ARRAYS[name].name}`);
  }
  return array;
}
