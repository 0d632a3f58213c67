/**
 * A poser in a glTF: the skin carries its mesh, weights and controls, and the mesh the details of the examples as morph
 * targets, which every engine plays; what is beside them travels as `PELT_poser`, so that the character opens again
 * without its examples.
 */
import {
  exampleCount,
  flattenedWeights,
  gatherVertices,
  type Poser,
  type Rig,
  type TwoLayerSkin,
  virtualCount,
} from '@pelt/model';
import {
  decodePoser,
  type GltfExtension,
  type PayloadArray,
  POSER_EXTENSION,
  POSER_VERSION,
} from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import { readRig } from './read-rig.ts';
import type { GltfAsset } from './scene.ts';
import { readTwoLayer } from './two-layer-extension.ts';

export { POSER_EXTENSION };

/** The arrays of a poser that are stored under their own names. */
const ARRAYS = [
  'vertexProxies',
  'proxyWeights',
  'blockStarts',
  'blockControls',
  'blocks',
  'exampleLogs',
  'exampleStretches',
  'exampleTransforms',
] as const;

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
  for (const name of ARRAYS) buffers[name] = poser[name] as PayloadArray;
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
  const extension = extensionOf(asset, POSER_EXTENSION);
  if (!extension) return undefined;
  const { rig, morphs } = readRig(asset);
  const layers = readTwoLayer(asset);
  // Virtual bones follow their masters, which are the controls.
  const controls = layers ? mastersOf(rig, layers) : rig;
  return decodePoser(extension, controls, (examples) => joinedDetails(morphs?.deltas ?? [], examples));
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
