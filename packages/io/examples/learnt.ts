import {
  envelopeExtension,
  poserExtension,
  readEnvelope,
  readGltf,
  readObj,
  readPoser,
  writeSkinnedGlb,
} from '@pelt/io';
import { IDENTITY_TRANSFORM, type Poser, type ReducedEnvelope, type Rig } from '@pelt/model';

// A triangle bound to one bone, with a poser and an envelope that were learnt from the rest pose alone.
const transform = Float64Array.from(IDENTITY_TRANSFORM);
const rig: Rig = {
  name: 'triangle',
  mesh: readObj(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')),
  bones: [{ name: 'bone', parent: -1, rest: transform }],
  weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
};
const poser: Poser = {
  name: 'triangle',
  rig,
  center: [0, 0, 0],
  size: Math.SQRT2,
  vertexProxies: new Uint32Array(3),
  proxyWeights: Float64Array.of(1),
  blockStarts: Uint32Array.of(0, 1),
  blockControls: Uint16Array.of(0),
  blocks: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
  exampleNames: ['rest'],
  exampleLogs: new Float64Array(3),
  exampleStretches: new Float64Array(6),
  exampleTransforms: transform,
  exampleDetails: [],
};
const envelope: ReducedEnvelope = {
  rig,
  centres: new Float64Array(3),
  proxies: 1,
  keys: {
    form: 'exponential-of-sum',
    slots: 1,
    references: Uint16Array.of(0),
    blocks: Int32Array.of(-1),
    rotationMaps: new Float64Array(9),
    stretchMaps: new Float64Array(36),
  },
  fromKeys: new Float64Array(4 * 3),
  fromBones: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
  skin: rig.weights,
};

// Seams split vertices, so what is kept per vertex is written for the vertices of the file.
const extensions = (map: Uint32Array) => [poserExtension(poser, map), envelopeExtension(envelope, map)];
const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions });

// Other programs play the file as plain skinning; pelt finds what was learnt.
const asset = await readGltf(bytes);
if (readPoser(asset)?.exampleNames[0] !== 'rest') throw new Error('the poser is there');
if (readEnvelope(asset)?.proxies !== 1) throw new Error('the envelope is there');
