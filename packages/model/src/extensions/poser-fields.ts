/** The poser of `PELT_poser`; docs/extensions describes its arrays. */
import { InputError } from '../errors.ts';
import { type BodyRegions, type Poser, validatePoser } from '../poser.ts';
import type { Rig } from '../rig.ts';
import { ExtensionFields, type GltfExtension } from './payload.ts';

export const POSER_EXTENSION = 'PELT_poser';
/** Version 2 has regions, and examples without details. */
export const POSER_VERSION = 2;

/**
 * @param rig      the controls, with linear weights
 * @param details  n × 3 displacements of that many examples, which are morph targets of the mesh
 */
export function decodePoser(
  extension: GltfExtension,
  rig: Rig,
  details: (examples: number) => readonly Float32Array[],
): Poser {
  const fields = new ExtensionFields(extension, POSER_VERSION);
  const { center, details: hasDetails, detailedExamples } = fields.json;
  if (!Array.isArray(center) || center.length !== 3 || !center.every((value) => typeof value === 'number')) {
    throw new InputError(`${POSER_EXTENSION}: center must be three numbers`);
  }
  const exampleNames = fields.names('exampleNames');
  // In version 1 every example has details, or none.
  const detailed = Number.isInteger(detailedExamples) ? Number(detailedExamples) : exampleNames.length;
  const poser: Poser = {
    name: rig.name,
    rig,
    center: [center[0], center[1], center[2]],
    size: fields.number('size'),
    exampleNames,
    vertexProxies: fields.array('vertexProxies', Uint32Array),
    proxyWeights: fields.array('proxyWeights', Float64Array),
    blockStarts: fields.array('blockStarts', Uint32Array),
    blockControls: fields.array('blockControls', Uint16Array),
    blocks: fields.array('blocks', Float64Array),
    exampleLogs: fields.array('exampleLogs', Float64Array),
    exampleStretches: fields.array('exampleStretches', Float64Array),
    exampleTransforms: fields.array('exampleTransforms', Float64Array),
    exampleDetails: hasDetails === true ? details(detailed) : [],
    ...(fields.has('regionShares') && { regions: regionsOf(fields) }),
  };
  if (hasDetails === true && poser.exampleDetails.length === 0) {
    throw new InputError(`${POSER_EXTENSION}: its details should be morph targets, but the mesh has none`);
  }
  validatePoser(poser);
  return poser;
}

function regionsOf(fields: ExtensionFields): BodyRegions {
  return {
    shares: fields.array('regionShares', Float64Array),
    parents: fields.array('regionParents', Int32Array),
    bonds: fields.array('regionBonds', Float64Array),
  };
}
