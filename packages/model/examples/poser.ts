import {
  exampleCount,
  IDENTITY_TRANSFORM,
  type Poser,
  proxyCount,
  regionCount,
  unweldPoser,
  validatePoser,
} from '@pelt/model';

// A triangle with one control and one proxy, learnt from one example: the rest pose itself.
const mesh = {
  name: 'triangle',
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  triangles: Uint32Array.of(0, 1, 2),
};
const transform = Float64Array.from(IDENTITY_TRANSFORM);
const poser: Poser = {
  name: 'triangle',
  rig: {
    name: 'triangle',
    mesh,
    bones: [{ name: 'control', parent: -1, rest: transform }],
    weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
  },
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
validatePoser(poser); // throws an InputError that names what is wrong
if (proxyCount(poser) !== 1 || exampleCount(poser) !== 1) throw new Error('one proxy, one example');
if (regionCount(poser) !== 1) throw new Error('without regions the body is one');

// A file that splits vertex 0 at a seam: `map` has the poser's vertex of each of its four vertices.
const positions = Float32Array.of(...mesh.positions, 0, 0, 0);
const split = unweldPoser(poser, Uint32Array.of(0, 1, 2, 0), { ...mesh, positions });
if (split.rig.weights.weights.length !== 4) throw new Error('weights for every vertex of the file');
